// Tests `sluice run convert` from the shell: the result, the same result again, and its refusals.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { folderOfFile } from '../../helpers/folders.ts'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { sluice, startSluice } from './command-line.ts'
import { type SandboxBeside, startSandboxBeside } from './sandbox-beside.ts'

const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.25' }
/** Longer than any test takes, because an order settles when the test advances the service's time. */
const SETTLED_MS = 600_000

const dir = folderOfFile()
let service: SandboxBeside
beforeAll(async () => {
  service = await startSandboxBeside()
  writeFileSync(path.join(dir, 'keys.json'), service.keys, { mode: 0o600 })
})
afterAll(() => service.stop())

/** Arguments of a run against the built-in sandbox, whose state all tests of this file share. */
function runArgs(id: string, change: object = {}): string[] {
  const input = path.join(dir, `${id}.json`)
  writeFileSync(input, JSON.stringify({ ...request, ...change }))
  return ['run', 'convert', '--state', path.join(dir, 'state'), '--id', id, '--input', input]
}
/** The sending step reports at once that the order is moving, and does not poll. */
function saysAtOnce(): string[] {
  const config = path.join(dir, 'says-at-once.json')
  const timing = { pollInsideSeconds: 0, pollFirstWaitSeconds: 2 }
  writeFileSync(config, JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' }, timing }))
  return ['--config', config]
}
const serviceArgs = () => ['--service', service.baseUrl, '--keys', path.join(dir, 'keys.json')]

test('a conversion ends filled, with one line of result and its progress on standard error', async () => {
  const { exitCode, stdout, stderr } = await sluice(runArgs('first'))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stdout).toMatch(/^\{.*\}\n$/)
  expect(Object.keys(JSON.parse(stdout))).toEqual([
    ...['outcome', 'intentId', 'orderId', 'market', 'side', 'rate', 'baseAmount', 'quoteAmount', 'fills', 'attempts'],
  ])
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'FILLED', market: 'BTC-USDC', side: 'BUY', baseAmount: '0.25' })
  expect(stderr).toMatch(/convert +buy 0\.25 BTC with USDC, id first, intent cv-[0-9a-f]{32}\n/)
  expect(stderr).toMatch(/Quote +0\.25 BTC for [0-9.]+ USDC at [0-9.]+, order .+\n/)
  expect(stderr).toMatch(/Order +filled 0\.25 BTC for [0-9.]+ USDC at [0-9.]+\n/)
  expect(stderr).toMatch(/\nnext: {2}npx sluice run convert .*--id first/)
  expect(stderr).not.toContain('\u001b')
})

test("the functions' log goes to the file that SLUICE_FUNCTION_LOG names", async () => {
  const file = path.join(dir, 'functions.log')
  expect(await sluice(runArgs('logged'), { variables: { SLUICE_FUNCTION_LOG: file } })).toMatchObject({ exitCode: 0 })
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  expect(lines.map((line) => line.split(' ', 1)[0])).toEqual(['sluice-quote', 'sluice-order'])
  expect(JSON.parse(lines[1]?.replace(/^\S+ /, '') ?? '')).toMatchObject({ verb: 'order', outcome: 'FILLED' })
})

test('the same id gives the same result and starts nothing', async () => {
  const first = await runInProcess(runArgs('first'))
  const second = await runInProcess(['--json', ...runArgs('first')])
  expect(first.exitCode).toBe(0)
  expect(first.stderr).toContain('this id has already run')
  expect(first.stderr).not.toMatch(/Quote|Order/)
  expect(second).toMatchObject({ exitCode: 0, stdout: first.stdout, stderr: '' })
})

test('the same id with other input is refused by the fields that differ', async () => {
  await runInProcess(runArgs('taken'))
  const { exitCode, stdout, stderr } = await runInProcess(runArgs('taken', { amount: '0.5', worstRate: '100000' }))
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('error: --id: this id was used for another conversion; it differs in amount, worstRate;')
})

test('a price beyond the guard is refused with exit 1 and says why', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(runArgs('dear', { worstRate: '1' }))
  expect(exitCode).toBe(1)
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'PRICE_REFUSED', why: expect.any(String) })
  expect(stderr).toContain('PRICE_REFUSED')
})

test('a run against a service elsewhere moves there, and once', async () => {
  const { exitCode, stdout } = await runInProcess([...runArgs('elsewhere'), ...serviceArgs()])
  expect(exitCode).toBe(0)
  expect(await service.orderIds()).toEqual([JSON.parse(stdout).orderId])
  const again = await runInProcess([...runArgs('elsewhere'), ...serviceArgs()])
  expect(again).toMatchObject({ exitCode: 0, stdout })
  expect(await service.orderIds()).toHaveLength(1)
})

test('a run without an id gets an id that shows its result again', async () => {
  const [input] = runArgs('anonymous').slice(-1)
  const args = ['run', 'convert', '--state', path.join(dir, 'state'), '--input', String(input)]
  const first = await runInProcess(args)
  const id = /id (run-[0-9a-f]{16}),/.exec(first.stderr)?.[1]
  expect(await runInProcess([...args, '--id', String(id)])).toMatchObject({ exitCode: 0, stdout: first.stdout })
})

test('a second command with the same id follows the first, and both give the one result', async () => {
  const known = await service.orderIds()
  await service.arrange('/v2/orders', { kind: 'settleLater', afterMs: SETTLED_MS, outcome: 'fill' })
  const args = [...runArgs('twice at once'), ...serviceArgs(), ...saysAtOnce()]
  const first = startSluice(args)
  await first.seen(/accepted, still moving/)
  const second = startSluice(args)
  await second.seen(/found +this id is under way already: following it/)
  await service.advance(SETTLED_MS)
  const [one, two] = await Promise.all([first.ended, second.ended])
  expect(one.exitCode).toBe(0)
  expect(two).toMatchObject({ exitCode: 0, stdout: one.stdout })
  expect(await service.orderIds()).toHaveLength(known.length + 1)
})

test('an interrupted run ends with 130, continues beside another command, and ends when run again', async () => {
  const known = await service.orderIds()
  await service.arrange('/v2/orders', { kind: 'settleLater', afterMs: SETTLED_MS, outcome: 'fill' })
  const args = [...runArgs('interrupted'), ...serviceArgs(), ...saysAtOnce()]
  const running = startSluice(args)
  await running.seen(/accepted, still moving/)
  running.child.kill('SIGINT')
  const interrupted = await running.ended
  expect(interrupted).toMatchObject({ exitCode: 130, stdout: '' })
  expect(interrupted.stderr).toMatch(/error: interrupted; .*\nnext: {2}npx sluice run convert .*--id interrupted/)
  const another = await runInProcess([...runArgs('elsewhere'), ...serviceArgs()])
  expect(another.stderr).toContain('unfinished runs that continue meanwhile, and are not waited for: 1')
  await service.advance(SETTLED_MS)
  const { exitCode, stdout, stderr } = await runInProcess(args)
  expect({ exitCode, outcome: JSON.parse(stdout).outcome }).toEqual({ exitCode: 0, outcome: 'FILLED' })
  expect(stderr).toContain('an earlier run was cut off')
  // An earlier test made the state of the other command.
  expect(known).toContain(JSON.parse(another.stdout).orderId)
  expect(await service.orderIds()).toEqual([...known, JSON.parse(stdout).orderId])
})

test('an order that does not end needs a person: exit 3, now and when run again', async () => {
  const config = path.join(dir, 'impatient.json')
  const timing = { pollInsideSeconds: 0, pollWaits: 0 }
  writeFileSync(config, JSON.stringify({ service: { url: 'https://api.example.com', stage: 'test' }, timing }))
  const known = await service.orderIds()
  await service.arrange('/v2/orders', { kind: 'settleLater', afterMs: 600_000, outcome: 'fill' })
  const args = [...runArgs('stuck'), ...serviceArgs(), '--config', config]
  const { exitCode, stdout, stderr } = await runInProcess(args)
  const [orderId] = (await service.orderIds()).filter((id) => !known.includes(id))
  expect(exitCode).toBe(3)
  expect(JSON.parse(stdout)).toMatchObject({ outcome: 'STUCK', orderId, why: expect.any(String) })
  expect(stderr).toMatch(new RegExp(`\\nnext: {2}check order ${orderId} at the service`))
  expect(await runInProcess(args)).toMatchObject({ exitCode: 3, stdout })
  expect(await service.orderIds()).toEqual([...known, orderId])
})

test('an unreadable state is named and kept unchanged, and nothing is sent', async () => {
  const state = path.join(dir, 'other-state')
  const file = path.join(state, 'built-in', 'sandbox.log')
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
  // The assembly exists already; only the sandbox's own file is damaged.
  cpSync(path.join(dir, 'state', 'assembly'), path.join(state, 'assembly'), { recursive: true })
  writeFileSync(file, 'somebody else wrote this\n', { mode: 0o600 })
  const { exitCode, stdout, stderr } = await runInProcess([...runArgs('unreadable'), '--state', state])
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toContain(`error: cannot start: ${file} is not a state file of this sandbox; nothing was sent\nnext: `)
  expect(readFileSync(file, 'utf8')).toBe('somebody else wrote this\n')
})
