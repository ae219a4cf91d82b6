// The bus may have an event whose result the command cannot see. Then money may move, so the command reports a doubt, with the
// id under which it moves once.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from './command-line.ts'
import { SERVICE, useCommands } from './commands.ts'
import { type DeskProxy, type Fault, startDeskProxy } from './desk-proxy.ts'

const PUT = 'AWSEvents.PutEvents'
const FIND = 'AWSStepFunctions.DescribeExecution'

const { file, write, place: where } = useCommands({}, 'test')
let serving: Running
let proxy: DeskProxy
beforeEach(async () => {
  const treasury = { service: SERVICE, policies: {} }
  write('treasury.json', treasury)
  const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '250' }
  write('buy.json', buy)
  serving = startSluice(['serve', ...where()])
  await serving.firstLine
  proxy = await startDeskProxy(file('state'), serving)
})
afterEach(async () => {
  await proxy.stop()
  serving.child.kill('SIGKILL')
  await serving.ended
})

const run = (...words: string[]) => runInProcess([...words, ...where(), '--json'])
const trigger = (...words: string[]) => run('events', 'trigger', 'conversion', file('buy.json'), ...words)

/** The ids of the events that have begun a conversion. */
async function begun(): Promise<string[]> {
  const { asked } = JSON.parse((await run('movements', 'list')).stdout)
  return asked.map(({ requestId }: { requestId: string }) => requestId)
}

test('an event whose start may not be read is in doubt, and the same command with its id moves nothing more', async () => {
  proxy.faultAt((target) => (target === FIND && proxy.seen.includes(PUT) ? 'ThrottlingException' : undefined))
  const { exitCode, stdout, stderr } = await trigger()
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 3 })
  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({ code: 'in_doubt', message: expect.stringContaining('the bus has it') })
  const [, id] = /--id (trigger-[0-9a-f]{16})/.exec(error.next) ?? []
  proxy.faultAt(() => undefined)
  expect(await trigger('--id', String(id))).toMatchObject({ exitCode: 0 })
  await expect.poll(begun).toEqual([id])
})

test('an event whose put is refused only at a retry is in doubt, because the bus may have the first try', async () => {
  const faults: Fault[] = ['lose', 'AccessDeniedException']
  proxy.faultAt((target) => (target === PUT ? faults.shift() : undefined))
  const { exitCode, stderr } = await trigger('--id', 'twice')
  expect({ exitCode, error: JSON.parse(stderr).error }).toMatchObject({ exitCode: 3, error: { code: 'in_doubt' } })
  await expect.poll(begun).toEqual(['twice'])
})

test('an event whose first put is refused is certainly not put', async () => {
  proxy.faultAt((target) => (target === PUT ? 'AccessDeniedException' : undefined))
  expect(await trigger()).toMatchObject({ exitCode: 1 })
})
