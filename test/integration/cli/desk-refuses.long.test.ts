// The serving process runs, but refuses a read or closes connections. A command beside it reports that, and says that
// something may have moved only after it has begun something.
import { afterEach, beforeEach, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from './command-line.ts'
import { useCommands } from './commands.ts'
import { type DeskProxy, startDeskProxy } from './desk-proxy.ts'

const FIND = 'AWSStepFunctions.DescribeExecution'
const START = 'AWSStepFunctions.StartExecution'
const BUY = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'ETH', amount: '0.5' }

const { file, write, place: where } = useCommands({}, 'test')
let serving: Running
let proxy: DeskProxy
beforeEach(async () => {
  write('buy.json', BUY)
  serving = startSluice(['serve', ...where()])
  await serving.firstLine
  proxy = await startDeskProxy(file('state'), serving)
})
afterEach(async () => {
  await proxy.stop()
  serving.child.kill('SIGKILL')
  await serving.ended
})

const buyFile = () => file('buy.json')
const run = (...words: string[]) => runInProcess([...words, ...where(), '--json'])
const convert = (...words: string[]) => run('run', 'convert', buyFile(), ...words)

test.each([[], ['--id', 'new']])(
  'a run whose first read is refused has begun nothing, and fails: %j',
  async (...words) => {
    proxy.faultAt((target) => (target === FIND ? 'AccessDeniedException' : undefined))
    const { exitCode, stderr } = await convert(...words)
    expect({ exitCode, stderr }).toMatchObject({
      exitCode: 1,
      stderr: expect.stringContaining('AccessDeniedException'),
    })
    expect(JSON.parse(stderr.trim().split('\n').at(-1) ?? '').error).toMatchObject({
      code: 'unreachable',
      next: expect.stringContaining('describe executions'),
    })
    expect(proxy.seen).not.toContain(START)
  },
)

test('a run whose read is refused after its start is in doubt', async () => {
  proxy.faultAt((target) => (target === FIND && proxy.seen.includes(START) ? 'AccessDeniedException' : undefined))
  const { exitCode, stderr } = await convert()
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('sent nothing so far') })
})

test('a command beside a serve that closes each connection names the process, and says that it runs', async () => {
  proxy.faultAt(() => 'lose')
  const trigger = ['events', 'trigger', 'conversion', buyFile(), '--id', 'event']
  for (const words of [['runs', 'list'], ['run', 'convert', buyFile()], ['logs'], trigger]) {
    const { exitCode, stderr } = await run(...words)
    expect({ words, exitCode, stderr }).toMatchObject({ exitCode: 1 })
    expect(stderr).toContain(`process ${serving.child.pid} (serve) serves ${file('state')}, and the connection`)
    expect(stderr).toContain('ECONNRESET')
    expect(stderr).toContain(`kill -9 ${serving.child.pid}`)
    expect(stderr).not.toMatch(/proxy|has ended|report it/)
  }
})

test('a command beside a serve whose port is closed says that it runs, and a begun run is in doubt', async () => {
  proxy.faultAt((target) => (proxy.seen.includes(START) && target !== START ? 'lose' : undefined))
  const { exitCode, stderr } = await convert()
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('could not be read') })
  expect(stderr).toContain(`process ${serving.child.pid} (serve)`)
  await proxy.stop()
  const closed = await run('runs', 'list')
  expect(closed).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('ECONNREFUSED') })
  expect(closed.stderr).toContain(`process ${serving.child.pid} (serve)`)
})
