// The serving process runs, but refuses a request, loses an answer or closes connections. A command beside it reports that, and
// says that something may have moved only after it has begun something: then it names the id under which it moves once.
import { beforeEach, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { useCommands } from './commands.ts'
import { type Fault, useServedDesk } from './desk-proxy.ts'

const FIND = 'AWSStepFunctions.DescribeExecution'
const START = 'AWSStepFunctions.StartExecution'
const PUT = 'AWSEvents.PutEvents'
const BUY = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

const commands = useCommands({ policies: {} }, 'test')
const { file, write, place: where } = commands
beforeEach(() => {
  write('buy.json', BUY)
})
const desk = useServedDesk(commands)

const buyFile = () => file('buy.json')
const run = (...words: string[]) => runInProcess([...words, ...where(), '--json'])
const convert = (...words: string[]) => run('run', 'convert', buyFile(), ...words)
const trigger = (...words: string[]) => run('events', 'trigger', 'conversion', buyFile(), ...words)

test.each([[], ['--id', 'new']])(
  'a run whose first read is refused has begun nothing, and fails: %j',
  async (...words) => {
    desk.proxy.faultAt((target) => (target === FIND ? 'AccessDeniedException' : undefined))
    const { exitCode, stderr } = await convert(...words)
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('AccessDeniedException'),
    })
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'unreachable',
      next: expect.stringContaining('describe executions'),
    })
    expect(desk.proxy.seen).not.toContain(START)
  },
)

test('a run whose read is refused after its start is in doubt', async () => {
  desk.proxy.faultAt((target) =>
    target === FIND && desk.proxy.seen.includes(START) ? 'AccessDeniedException' : undefined,
  )
  const { exitCode, stderr } = await convert()
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('sent nothing so far') })
})

test('a command beside a serve that closes each connection names the process, and says that it runs', async () => {
  desk.proxy.faultAt(() => 'lose')
  const event = ['events', 'trigger', 'conversion', buyFile(), '--id', 'event']
  for (const words of [['runs', 'list'], ['run', 'convert', buyFile()], ['logs'], event]) {
    const { exitCode, stderr } = await run(...words)
    expect({ words, exitCode, stderr }).toMatchObject({ exitCode: 1 })
    expect(stderr).toContain(`process ${desk.serving.child.pid} (serve) serves ${file('state')}, and the connection`)
    expect(stderr).toContain('ECONNRESET')
    expect(stderr).toContain(`kill -9 ${desk.serving.child.pid}`)
    expect(stderr).not.toMatch(/proxy|has ended|report it/)
  }
})

test('a command beside a serve whose port is closed says that it runs, and a begun run is in doubt', async () => {
  desk.proxy.faultAt((target) => (desk.proxy.seen.includes(START) && target !== START ? 'lose' : undefined))
  const { exitCode, stderr } = await convert()
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('could not be read') })
  expect(stderr).toContain(`process ${desk.serving.child.pid} (serve)`)
  await desk.proxy.stop()
  const closed = await run('runs', 'list')
  expect(closed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ECONNREFUSED') })
  expect(closed.stderr).toContain(`process ${desk.serving.child.pid} (serve)`)
})

/** The ids of the events that have begun a conversion. */
async function begun(): Promise<string[]> {
  const { asked } = JSON.parse((await run('movements', 'list')).stdout)
  return asked.map(({ requestId }: { requestId: string }) => requestId)
}

test('an event whose start may not be read is in doubt, and the same command with its id moves nothing more', async () => {
  desk.proxy.faultAt((target) => (target === FIND && desk.proxy.seen.includes(PUT) ? 'ThrottlingException' : undefined))
  const { exitCode, stdout, stderr } = await trigger()
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 3 })
  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({ code: 'in_doubt', message: expect.stringContaining('the bus has it') })
  const [, id] = /--id (trigger-[0-9a-f]{16})/.exec(error.next) ?? []
  desk.proxy.faultAt(() => undefined)
  expect(await trigger('--id', String(id))).toMatchObject({ exitCode: 0 })
  await expect.poll(begun).toEqual([id])
})

test('an event whose put is refused only at a retry is in doubt, because the bus may have the first try', async () => {
  const faults: Fault[] = ['lose', 'AccessDeniedException']
  desk.proxy.faultAt((target) => (target === PUT ? faults.shift() : undefined))
  const { exitCode, stderr } = await trigger('--id', 'twice')
  expect({ exitCode, error: JSON.parse(stderr).error }).toMatchObject({ exitCode: 3, error: { code: 'in_doubt' } })
  await expect.poll(begun).toEqual(['twice'])
})

test('an event whose first put is refused is certainly not put', async () => {
  desk.proxy.faultAt((target) => (target === PUT ? 'AccessDeniedException' : undefined))
  expect(await trigger()).toMatchObject({ exitCode: 1 })
})
