// Tests `sluice run withdraw` from the shell: the result, the same result again, its refusals, and kill -9 at any
// moment. The witness is a service in the test's process, which no kill reaches.
import { beforeAll, expect, test } from 'vitest'
import { runInProcess } from '../../unit/cli/run-in-process.ts'
import { type Running, startSluice } from './command-line.ts'
import { SERVICE, useCommandsBeside } from './commands.ts'

/** A contact inside the service: its withdrawals are complete when they are accepted. */
const request = { assetSymbol: 'USDC', amount: '100', contactReference: 'subsidiary' }
/** The shortest possible fence; it passes while nothing runs. */
const FENCE_MS = 22_000
const timing = { tokenLifeSeconds: 5, leewaySeconds: 0, visibilitySeconds: 15, pollInsideSeconds: 0, pollWaits: 0 }

const { service, place, keys, write } = useCommandsBeside({ service: { ...SERVICE, shared: false }, timing })
beforeAll(async () => {
  // This run also writes the assembly for the other tests.
  await runInProcess(runArgs('first'))
})

function runArgs(id: string, change: object = {}): string[] {
  const input = write(`${id}.json`, { ...request, ...change })
  return ['run', 'withdraw', '--id', id, '--input', input, ...place(), ...keys()]
}

test('a withdrawal ends completed, with one line of result; the same id gives it again and moves nothing', async () => {
  const known = await service.withdrawalIds()
  const { exitCode, stdout, stderr } = await runInProcess(runArgs('simple'))
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
  const result = JSON.parse(stdout)
  expect(Object.keys(result)).toEqual([
    ...['outcome', 'intentId', 'withdrawalId', 'assetSymbol', 'amount', 'fee', 'total'],
    ...['transactionHash', 'bankReference', 'attempts'],
  ])
  expect(result).toMatchObject({ outcome: 'COMPLETED', assetSymbol: 'USDC', total: '100', attempts: 1 })
  expect(stderr).toMatch(/withdraw +send 100 USDC, fee included, to subsidiary, id simple, intent wd-[0-9a-f]{32}\n/)
  expect(stderr).toMatch(/\nnext: {2}npx sluice run withdraw .*--id simple/)

  expect(await runInProcess(['--json', ...runArgs('simple')])).toMatchObject({ exitCode: 0, stdout, stderr: '' })
  expect(await service.withdrawalIds()).toEqual([...known, result.withdrawalId])
})

test('the same id with other input is refused by the fields that differ', async () => {
  const { exitCode, stdout, stderr } = await runInProcess(runArgs('first', { amount: '101' }))
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('error: --id: this id was used for another withdrawal; it differs in amount;')
})

test('a refusal ends with exit 1, a withdrawal that does not end with exit 3', async () => {
  const refused = await runInProcess(runArgs('refused', { contactReference: 'nobody' }))
  expect(refused.exitCode).toBe(1)
  expect(JSON.parse(refused.stdout)).toMatchObject({
    outcome: 'REJECTED',
    why: expect.stringContaining('contactReference'),
  })

  await service.arrange('/v2/withdrawals', { kind: 'failLater', afterMs: 600_000 })
  const stuck = await runInProcess(runArgs('stuck', { contactReference: 'exchange-usdc-eth' }))
  const result = JSON.parse(stuck.stdout)
  expect({ exitCode: stuck.exitCode, outcome: result.outcome }).toEqual({ exitCode: 3, outcome: 'STUCK' })
  expect(stuck.stderr).toContain(`next:  check withdrawal ${result.withdrawalId} at the service`)
})

interface Moment {
  readonly when: string
  readonly fault?: Readonly<Record<string, unknown>>
  /** Whether reads of the list are slow, before and after the send, so that the kill comes before the end of the run. */
  readonly areLooksSlow?: boolean
  /** Resolves at the moment to kill. */
  readonly reached: (running: Running, known: readonly string[]) => Promise<unknown>
}

const moments: readonly Moment[] = [
  { when: 'before anything was started', reached: ({ seen }) => seen(/withdraw +send/) },
  {
    when: 'after it was booked and before its answer came',
    fault: { kind: 'delay', ms: 2_000, when: 'after' },
    reached: (_running, known) => service.untilMoved(known),
  },
  {
    when: 'while it was not certain that nothing moved',
    fault: { kind: 'dropBeforeCommit' },
    reached: ({ seen }) => seen(/not certain/),
  },
  {
    when: 'after a lost answer to a withdrawal that was booked',
    fault: { kind: 'dropAfterCommit' },
    areLooksSlow: true,
    reached: (_running, known) => service.untilMoved(known),
  },
]

test.each(moments)(
  'killed $when, the same command ends as one movement',
  async ({ when, fault, areLooksSlow, reached }) => {
    const known = await service.withdrawalIds()
    if (fault !== undefined) await service.arrange('/v2/withdrawals', fault)
    const slow = { kind: 'delay', ms: 1_500, when: 'before' }
    if (areLooksSlow) await service.arrange('/v2/withdrawals', slow, { method: 'GET', times: 2 })
    const args = runArgs(when)
    const running = startSluice(args)
    await reached(running, known)
    running.child.kill('SIGKILL')
    expect(await running.ended).toMatchObject({ signal: 'SIGKILL' })
    await service.advance(FENCE_MS)

    const { exitCode, stdout, stderr } = await runInProcess(args)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 })
    const result = JSON.parse(stdout)
    expect(result).toMatchObject({ outcome: 'COMPLETED', total: '100' })
    expect(await service.withdrawalIds()).toEqual([...known, result.withdrawalId])
    expect(await runInProcess(args)).toMatchObject({ exitCode: 0, stdout })
    expect(await service.withdrawalIds()).toHaveLength(known.length + 1)
  },
)
