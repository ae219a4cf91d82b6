// The end of a run with more legs than one call has time to read: each call reads on from where the last one stopped.
import { expect, test } from 'vitest'
import { IntentKind } from '../../../core/contract/records.ts'
import { RunStep, settleRunInput } from '../../../core/contract/runs.ts'
import { Transient } from '../../../core/errors.ts'
import type { RunPorts } from '../../../core/runs/ports.ts'
import { legIntentId, type RunRecord } from '../../../core/runs/record/run-record.ts'
import { readLegs } from '../../../core/runs/settle/remembered.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { payoutWorld, TEXTS as USUAL } from '../../helpers/payout-world.ts'

const LEGS = 450
const TEXTS = { ...USUAL, contactOf: (number: number) => `contact-${number % 50}${'USD'.charAt(number % 3)}` }
const MOST_CALLS = 40
type Find = RunPorts['service']['findWithdrawal']

/** `find`: the service's answer to a read of a withdrawal, which counts from 1 in each call. */
async function settled(find: (usual: Find, id: string, read: number) => ReturnType<Find>, fault?: object) {
  const { ports, pay, world } = payoutWorld(TEXTS)
  const { input } = await pay(LEGS)
  const reads: number[] = []
  let state: object = fault ?? { outcome: RunStep.Settle }
  for (let call = 0; call < MOST_CALLS; call += 1) {
    reads[call] = 0
    const findWithdrawal: Find = (id) => {
      reads[call] = (reads[call] ?? 0) + 1
      return find(ports.service.findWithdrawal, id, reads[call] ?? 0)
    }
    const limited = { ...ports, hasTime: () => false, service: { ...ports.service, findWithdrawal } }
    try {
      state = await settleRun(settleRunInput.parse({ ...input, enteredAt: input.startedAt, fault: state }), limited)
    } catch (error) {
      if (!(error instanceof Transient)) throw error
      continue
    }
    if (!('legsRead' in state)) break
  }
  return { end: state, reads, run: await ports.runs.find('june'), ports, world, input }
}

test('a run that no call has time for is read in several calls, each leg once', async () => {
  const { end, reads, run } = await settled((usual, id) => usual(id))
  expect(end).toMatchObject({ outcome: 'SETTLED', tiesOut: true, legsInAll: LEGS })
  expect(reads).toEqual(Array.from({ length: LEGS / 50 }, () => 50))
  expect(Object.keys(run?.results ?? {}).length).toBe(LEGS)
  expect(run?.settling).toBeUndefined()
})

test('a service that fails after some reads of each call does not make the next call begin anew', async () => {
  const { end, reads } = await settled(async (usual, id, read) => {
    if (read > 70) throw new Transient('the service is slow')
    return usual(id)
  })
  expect(end).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
  expect(reads.length).toBeLessThan(MOST_CALLS)
})

test('the fault that broke a run is in its report, though several calls settle it', async () => {
  const fault = { Error: 'States.Timeout', Cause: 'the plan hung' }
  const { end } = await settled(async () => undefined, fault)
  expect(end).toMatchObject({ outcome: 'NEEDS_ATTENTION', why: expect.stringContaining('the plan hung') })
})

test('a run that stopped is settled by the next run of its policy, which goes on from each try', async () => {
  const { ports, pay, world } = payoutWorld(TEXTS)
  const { input } = await pay(LEGS)
  world.account.nowMs += 2 * 86_400_000
  const july = { ...input, execution: 'july' }
  const limited = { ...ports, hasTime: () => false }
  const messages: string[] = []
  for (let call = 0; call < MOST_CALLS; call += 1) {
    const answer = await planSweep(july, limited).catch((error: unknown) => error)
    if (!(answer instanceof Transient)) break
    messages.push(answer.message)
  }
  expect(messages.at(0)).toBe('run june of the policy is being settled: 50 of its legs are read')
  expect(messages.length).toBe(LEGS / 50 - 1)
  expect((await ports.runs.find('june'))?.outcome).toBe('SETTLED')
})

test('each call goes on behind the conversions that it has read, however many the run has', async () => {
  const { ports, pay } = payoutWorld(TEXTS)
  await pay(LEGS)
  const found = await ports.runs.find('june')
  if (found?.plan === undefined) throw new TypeError('there is no plan')
  const [asset, brings] = [
    { asset: 'A', amount: '1' },
    { asset: 'USD', amount: '1' },
  ]
  const conversions = Array.from({ length: 120 }, (_, number) => ({
    ...{ kind: IntentKind.Convert, key: `sell-${number}`, phase: 0, value: '1', reason: '', market: 'A-USD' },
    ...{ gives: asset, brings, indicativeRate: '1', spreadCost: '0' },
    request: { baseAsset: 'A', quoteAsset: 'USD', side: 'SELL' as const, amountAsset: 'A', amount: '1' },
  }))
  const frozen = conversions.map((leg) => ({ key: leg.key, intentId: legIntentId('june', leg) }))
  let run: RunRecord = {
    ...found,
    plan: { ...found.plan, legs: [...conversions, ...found.plan.legs] },
    phases: [{ phase: 0, legs: frozen }, ...found.phases],
  }
  const runs = { ...ports.runs, advance: async (before: RunRecord, move: object) => ({ ...before, ...move }) }
  let calls = 0
  for (; calls < MOST_CALLS; calls += 1) {
    const read = await readLegs(
      run,
      { why: 'it stopped', by: 'june', left: new Map() },
      { ...ports, runs, hasTime: () => false },
    )
    if ('legs' in read) break
    run = read.handedOver
  }
  expect(calls).toBe(Math.ceil((LEGS + conversions.length) / 50) - 1)
})
