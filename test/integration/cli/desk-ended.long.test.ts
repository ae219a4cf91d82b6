// The serving process ends at an exact request of a command that is its client. The command continues with a desk of its own:
// its request is on disk, and nothing is in doubt.
import { expect, test } from 'vitest'
import { useCommands } from './commands.ts'
import { useServedDesk } from './desk-proxy.ts'

const policies = { core: { kind: 'rebalance', weights: { BTC: '0.6', USDC: '0.4' } } }
const READ = 'DynamoDB_20120810.GetItem'

const commands = useCommands({ policies }, 'test')
const { run } = commands
const desk = useServedDesk(commands)

test("a run that ended at another command's desk is reported, although that desk closes before the report is read", async () => {
  // The client reads records only for the report.
  desk.proxy.cutAt((target) => target === READ && desk.proxy.seen.includes('AWSStepFunctions.GetExecutionHistory'))
  const { exitCode, stdout, stderr } = await run('run', 'rebalance', 'core', '--id', 'same', '--json')
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'SETTLED', legs: [{ outcome: 'FILLED' }] })
  expect(desk.serving.child.signalCode).toBe('SIGKILL')
})

test.each([
  ['run', 'rebalance', 'core', '--id', 'same', '--json'],
  ['movements', 'show', 'same', '--json'],
])('%s %s prints the same where its desk closes before its last request', async (...words) => {
  expect(await run('run', 'rebalance', 'core', '--id', 'same')).toMatchObject({ exitCode: 0 })
  desk.proxy.cutAt(() => false)
  const whole = await run(...words)
  const last = desk.proxy.seen.length
  desk.proxy.cutAt(() => desk.proxy.seen.length === last)
  const cut = await run(...words)
  expect({ whole, cut }).toMatchObject({ whole: { exitCode: 0 }, cut: { exitCode: 0, stdout: whole.stdout } })
  expect(desk.serving.child.signalCode).toBe('SIGKILL')
})

test('a halt whose desk closes before the write is still written, and reported once', async () => {
  desk.proxy.cutAt((target) => target === 'DynamoDB_20120810.PutItem')
  const { exitCode, stdout, stderr } = await run('halt', '--by', 'ada', '--because', 'a test', '--json')
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(JSON.parse(stdout)).toMatchObject({ halted: true })
  expect(JSON.parse(stdout)).not.toHaveProperty('before')
  expect(desk.serving.child.signalCode).toBe('SIGKILL')
})
