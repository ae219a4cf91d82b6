// A state directory that is new for its account reads the account's movements before it sends: a movement that only another
// journal knew must not be made a second time.
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { startEmbeddedAws } from '@sluice/embedded-aws'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LISTENING_SECONDS } from '../../../core/contract/timing.ts'
import { builtInFolder } from '../../../place/state/state-layout.ts'
import { type EndedInProcess, runInProcess, startInProcess } from '../../unit/cli/run-in-process.ts'
import { startSluice } from './command-line.ts'
import { useCommands } from './commands.ts'
import { type SandboxBeside, startSandboxBeside } from './sandbox-beside.ts'

const conversion = { baseAsset: 'ETH', quoteAsset: 'USDC', side: 'SELL', amountAsset: 'ETH', amount: '0.5' }
const timing = {
  ...{ tokenLifeSeconds: 5, leewaySeconds: 0 },
  ...{ visibilitySeconds: LISTENING_SECONDS, orderVisibilitySeconds: LISTENING_SECONDS },
}
/** After this time, earlier sends are visible. */
const SETTLED_MS = (timing.tokenLifeSeconds + LISTENING_SECONDS) * 1000
const policies = { core: { kind: 'rebalance', weights: { ETH: '0.5', USDC: '0.5' } } }

const { dir, file, write } = useCommands({ timing, policies })
let service: SandboxBeside
beforeAll(async () => {
  service = await startSandboxBeside()
  write('keys.json', service.keys)
})
afterAll(() => service.stop())

const place = (state: string) => ['--state', file(state), '--config', file('treasury.json')]
const address = () => ['--service', service.baseUrl, '--keys', file('keys.json')]

function runArgs(verb: string, id: string, input: object, state: string): string[] {
  const inputFile = write(`${verb}-${id}.json`, input)
  return ['run', verb, '--id', id, '--input', inputFile, ...place(state), ...address()]
}

/** A first command in a new directory of an account in use. Its wait passes at once. */
async function runAtFirst(args: readonly string[]): Promise<EndedInProcess> {
  const running = startInProcess(args)
  await running.seen(/waiting +this directory is new, and the account is or may be in use/)
  await service.advance(SETTLED_MS)
  return running.ended
}

/** The order of an id that ran in `first`, whose journal was then damaged. */
let orderId: string

test('a damaged journal needs a person, and no hint leads to another directory', async () => {
  const first = await runInProcess(runArgs('convert', 'damaged', conversion, 'first'))
  expect({ exitCode: first.exitCode, stderr: first.stderr }).toMatchObject({ exitCode: 0 })
  orderId = JSON.parse(first.stdout).orderId
  damage(file('first'))
  const refused = await runInProcess(runArgs('convert', 'damaged', conversion, 'first'))
  expect.soft({ exitCode: refused.exitCode, stdout: refused.stdout }).toEqual({ exitCode: 3, stdout: '' })
  expect.soft(refused.stderr).not.toMatch(/next:.*--state DIR/)
})

test('in a new directory the same id is refused, with the movement that may belong to it', async () => {
  copyAssembly('first', 'second')
  const { exitCode, stdout, stderr } = await runAtFirst(runArgs('convert', 'damaged', conversion, 'second'))
  expect(await service.orderIds()).toEqual([orderId])
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
  expect(stderr).toContain(orderId)
})

test('another amount is sent there at once', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(
    runArgs('convert', 'other', { ...conversion, amount: '0.25' }, 'second'),
  )
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(stderr).not.toContain('waiting')
  expect(await service.orderIds()).toEqual([orderId, JSON.parse(stdout).orderId])
})

test("a policy's run is refused for any movement that the policy could have made; its plan is not", async () => {
  const planned = await runInProcess(['plan', 'core', ...place('second'), ...address()])
  expect({ exitCode: planned.exitCode, stderr: planned.stderr }).toMatchObject({ exitCode: 0 })
  const { exitCode, stdout, stderr } = await runInProcess(runArgs('rebalance', 'january', { policy: 'core' }, 'second'))
  expect({ exitCode, stdout }).toEqual({ exitCode: 3, stdout: '' })
  expect(stderr).toContain(`order ${orderId}: SELL on ETH-USDC, 0.5 for `)
})

test('a movement that a person declares foreign no longer blocks the id', async () => {
  const { flags } = { flags: [...place('second'), ...address(), '--by', 'ada', '--because', 'by hand', '--yes'] }
  const declared = await runInProcess(['cases', 'foreign', orderId, ...flags])
  expect({ exitCode: declared.exitCode, stderr: declared.stderr }).toMatchObject({ exitCode: 0 })
  const { exitCode, stderr } = await runInProcess(runArgs('convert', 'damaged', conversion, 'second'))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  expect(await service.orderIds()).toHaveLength(3)
})

test('a withdrawal that another journal made is not made again, and one of another amount is', async () => {
  const send = { assetSymbol: 'USDC', amount: '100', contactReference: 'subsidiary' }
  copyAssembly('first', 'third')
  const first = await runAtFirst(runArgs('withdraw', 'payout', send, 'third'))
  expect({ exitCode: first.exitCode, stderr: first.stderr }).toMatchObject({ exitCode: 0 })
  const { withdrawalId } = JSON.parse(first.stdout)

  copyAssembly('first', 'fourth')
  const again = await runAtFirst(runArgs('withdraw', 'payout', send, 'fourth'))
  expect({ exitCode: again.exitCode, stdout: again.stdout }).toEqual({ exitCode: 3, stdout: '' })
  expect(again.stderr).toContain(`withdrawal ${withdrawalId}: 100 USDC, 100 in all, at `)
  const other = await runInProcess(runArgs('withdraw', 'other', { ...send, amount: '99' }, 'fourth'))
  expect({ exitCode: other.exitCode, stderr: other.stderr }).toMatchObject({ exitCode: 0 })
  expect(await service.withdrawalIds()).toHaveLength(2)
})

test('an order that is not visible yet when its journal is lost is waited for, and not placed again', async () => {
  const known = await service.orderIds()
  await service.arrange('/v2/orders', { kind: 'lateVisibility', ms: SETTLED_MS / 2 })
  copyAssembly('first', 'lost')
  const args = runArgs('convert', 'under-way', { ...conversion, amount: '0.75' }, 'lost')
  const running = startSluice(args)
  await running.seen(/waiting +this directory is new/)
  await service.advance(SETTLED_MS)
  await service.untilMoved([...known, ...(await service.withdrawalIds())])
  running.child.kill('SIGKILL')
  await running.ended
  copyAssembly('first', 'lost')

  const { exitCode, stdout, stderr } = await runAtFirst(args)
  expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3, stdout: '' })
  expect(await service.orderIds()).toHaveLength(known.length + 1)
})

test('an order that is not visible yet is waited for where the account has moved only withdrawals', async () => {
  const used = service
  service = await startSandboxBeside()
  try {
    const send = { assetSymbol: 'USDC', amount: '100', contactReference: 'subsidiary' }
    copyAssembly('first', 'only-withdrawals')
    const paid = await runInProcess(runArgs('withdraw', 'paid', send, 'only-withdrawals'))
    expect({ exitCode: paid.exitCode, stderr: paid.stderr }).toMatchObject({ exitCode: 0 })
    await service.advance(SETTLED_MS)
    await service.arrange('/v2/orders', { kind: 'lateVisibility', ms: SETTLED_MS / 2 })
    const args = runArgs('convert', 'first-order', conversion, 'only-withdrawals')
    const running = startSluice(args)
    await service.untilMoved(await service.withdrawalIds())
    running.child.kill('SIGKILL')
    await running.ended
    copyAssembly('first', 'only-withdrawals')

    const { exitCode, stdout, stderr } = await runAtFirst(args)
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 3, stdout: '' })
    expect(await service.orderIds()).toHaveLength(1)
  } finally {
    await service.stop()
    service = used
  }
})

test('a first command that was killed before its first execution does not count as a run', async () => {
  copyAssembly('first', 'begun')
  const [assembly = ''] = readdirSync(file('begun/assembly'))
  const killed = await startEmbeddedAws({
    assemblyDir: path.join(dir, 'begun/assembly', assembly),
    stateDir: builtInFolder(file('begun')).awsDir,
    parameters: { ServiceUrl: service.baseUrl },
  })
  await killed.stop()
  const input = file('convert-damaged.json')
  const { exitCode, stderr } = await runInProcess(['run', 'convert', '--input', input, ...place('begun')])
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
})

/** Reuses the existing assembly, because writing it takes seconds. */
function copyAssembly(from: string, to: string): void {
  rmSync(file(to), { recursive: true, force: true })
  mkdirSync(file(to), { mode: 0o700 })
  cpSync(path.join(dir, from, 'assembly'), path.join(dir, to, 'assembly'), { recursive: true })
}

/** Overwrites the files by which LevelDB finds its data, wherever the journal is. */
function damage(stateDir: string): void {
  const found = readdirSync(stateDir, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /dynamodb\/(CURRENT|MANIFEST-\d+)$/.test(file),
  )
  expect(found).toHaveLength(2)
  for (const file of found) writeFileSync(path.join(stateDir, file), 'what a failing disk left')
}
