// A command that cannot start reads the journal before it reports what has moved. After a kill, an id that was sent and is not
// settled needs a person, whatever fails now.
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { startSluice } from './command-line.ts'
import { useCommandsBeside } from './commands.ts'
import { startSandboxBeside } from './sandbox-beside.ts'

const request = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }

const { service, desk, file, write } = useCommandsBeside()
/** Nothing listens there. */
let nowhere: string
/** The order of another id of the same journal. */
let next: string
beforeAll(async () => {
  const gone = await startSandboxBeside()
  nowhere = gone.baseUrl
  await gone.stop()
  write('input.json', request)
  await killedAfterBooking()
})

interface Change {
  readonly id?: string
  readonly address?: string
  readonly keys?: string
  readonly config?: string
  readonly input?: string
}

function runArgs(change: Change = {}): string[] {
  const { id = 'killed', address = service.baseUrl, keys = 'keys.json' } = change
  const { config = 'treasury.json', input = 'input.json' } = change
  const args = ['run', 'convert', '--id', id, '--input', file(input), '--state', file('state')]
  return [...args, '--config', file(config), '--service', address, '--keys', file(keys)]
}

/** Its order is booked, and its answer was lost. */
async function killedAfterBooking(): Promise<void> {
  await service.arrange('/v2/orders', { kind: 'delay', ms: 5_000, when: 'after' })
  const running = startSluice(runArgs())
  await running.seen(/Quote +0\.5 ETH/)
  await service.untilMoved([])
  running.child.kill('SIGKILL')
  await running.ended
}

test('after a kill, with the service out of reach, the command says that it may have moved: exit 3', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(runArgs({ address: nowhere }))
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3, stdout: '' })
  expect(stderr).not.toContain('nothing was sent that could move money')
})

test.each<[string, Change, RegExp]>([
  ['a key file that is none', { keys: 'treasury.json' }, /--keys: /],
  ['a configuration that is wrong', { config: 'keys.json' }, /expected/],
  ['an input that is wrong', { input: 'treasury.json' }, /input: /],
  ['another input', { input: 'other.json' }, /differs in amount/],
])('after a kill, %s says what is wrong, and that the id may have moved: exit 3', async (_what, change, says) => {
  write('other.json', { ...request, amount: '0.6' })
  const { exitCode, stdout, stderr } = await runInProcess(['--json', ...runArgs(change)])
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
  const { error } = JSON.parse(stderr)
  expect(error).toMatchObject({ code: 'in_doubt', message: expect.stringMatching(says) })
  expect(error.message).toMatch(/\nintent cv-[0-9a-f]{32} \(convert\) was sent at \S+ and is not settled: it may have/)
  expect(error.message).not.toMatch(/nothing was|has sent nothing/)
  expect(error.next).toMatch(/do not start it under another id .* continue with: npx sluice /)
})

test('an unsent id is reported as before', async () => {
  const { exitCode, stderr } = await runInProcess(runArgs({ id: 'unheard-of', address: nowhere }))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('has sent nothing') })
})

test('a server that cannot start names what was sent and is not settled: exit 3', async () => {
  const address = ['--service', nowhere, '--keys', file('keys.json')]
  const { exitCode, stderr } = await runInProcess(['serve', ...desk(), ...address])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 3, stderr: expect.stringContaining('is not settled') })
})

test('an id in doubt holds up no other id of its journal', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(runArgs({ id: 'next' }))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stderr).not.toContain('waiting')
  next = JSON.parse(stdout).orderId
})

test('the same command settles it once the service answers; the movement is then reported whatever fails', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(runArgs())
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const { orderId } = JSON.parse(stdout)
  expect(await service.orderIds()).toEqual([orderId, next])
  const unreachable = await runInProcess(runArgs({ address: nowhere }))
  expect(unreachable).toMatchObject({ exitCode: 3, stdout: '', stderr: expect.stringContaining(`convert ${orderId}`) })
  // A different input puts nothing in doubt: the first input has its result.
  expect((await runInProcess(runArgs({ input: 'other.json' }))).exitCode).toBe(2)
})
