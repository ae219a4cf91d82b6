// Somebody who can write the record of a run changes it while people read its plan. A person's decision is recorded on
// the shown plan, or not at all.
import { beforeEach, expect, test } from 'vitest'
import type { PlanLeg } from '../../../core/contract/plan.ts'
import { recordKey } from '../../../core/contract/records.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { recordedPlanHash } from '../../../core/runs/approval/ask.ts'
import { decideApproval, findAwaiting } from '../../../core/runs/approval/decision.ts'
import type { RunRecord } from '../../../core/runs/record/run-record.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { POLICY, type RunWorld, runWorld, START } from '../../helpers/run-world.ts'

const APPROVAL = { above: '100', expiresAfterSeconds: 3_600, priceBoundBps: 100, twoAbove: '5000' }
const PAYOUT = { kind: 'sweep', rules: [{ assets: ['A'], contactId: 'vault' }], approval: APPROVAL }
const VAULT = { id: 'vault', type: 'INTERNAL', alias: 'Vault', reference: null, updatedAt: '2025-06-01T00:00:00Z' }
const KEY = recordKey.run('run-1')

let world: RunWorld
const enter = (execution: string, plan = planSweep) =>
  plan({ execution, startedAt: START, request: { policy: 'weekly' } }, world.ports)

async function begin(policy: object, plan = planSweep) {
  world = runWorld({ weekly: policy })
  world.ports = { ...world.ports, service: { ...world.ports.service, findContact: async () => VAULT } }
  await enter('run-1', plan)
}
beforeEach(() => begin(PAYOUT))

async function stored(): Promise<RunRecord> {
  return (await world.store.read(KEY)) as RunRecord & StoredRecord
}

async function edit(change: (run: RunRecord) => Partial<RunRecord>) {
  const record = (await world.store.read(KEY)) as RunRecord & StoredRecord
  const edited = { ...record, ...change(record), version: record.version + 1, stamp: 'insider' }
  await world.store.replace(edited as StoredRecord, record.version)
}

/** For each leg of the plan. With `hash` the record has the hash of its changed content. */
const legs =
  (change: (leg: PlanLeg) => object, plan: object = {}) =>
  (run: RunRecord) => {
    const changed = run.plan && { ...run.plan, ...plan, legs: run.plan.legs.map((leg) => ({ ...leg, ...change(leg) })) }
    const planHash = recordedPlanHash({ ...run, plan: changed } as RunRecord) ?? ''
    return { plan: changed, approval: run.approval && { ...run.approval, planHash } } as Partial<RunRecord>
  }
const toThief = legs(({ request }) => ({ contactId: 'thief', request: { ...request, contactId: 'thief' } }))

const shownHash = async () => (await findAwaiting('run-1', world.people)).approval?.planHash ?? ''
function approve(planHash: string, decision: 'approved' | 'rejected' = 'approved') {
  const at = new Date(world.account.nowMs).toISOString()
  return decideApproval('run-1', { decision, planHash, by: 'ana', because: 'fine', at }, world.people)
}
const decisions = () => [...world.store.records.keys()].filter((key) => key.startsWith('D#'))

test('a plan is shown with its own hash, whatever hash its record has', async () => {
  const own = await shownHash()
  const { plan } = await stored()
  await edit(toThief)
  const { approval } = await stored()
  await edit(() => ({ plan }))
  expect((await stored()).approval).toEqual(approval)
  expect(await shownHash()).toBe(own)
})

test('nobody approves a hash that differs from the plan beside it', async () => {
  const { plan } = await stored()
  await edit(toThief)
  const { planHash = '' } = (await stored()).approval ?? {}
  await edit(() => ({ plan }))
  await expect(approve(planHash)).rejects.toThrow('run run-1 has another plan than you have seen')
  expect(decisions()).toEqual([])
})

test('nobody approves a plan that was changed after it was shown', async () => {
  const hash = await shownHash()
  await edit(toThief)
  await expect(approve(hash)).rejects.toThrow('run run-1 has another plan than you have seen')
  expect(decisions()).toEqual([])
})

/** The record as if its planner had made its plan this way. */
const misshown: readonly (readonly [string, object, ReturnType<typeof legs>])[] = [
  [
    'its leg sell-A-USD spends another amount',
    POLICY,
    legs((leg) => ('gives' in leg ? { gives: { ...leg.gives, amount: '1' } } : {})),
  ],
  [
    'its leg sell-A-USD spends another asset',
    POLICY,
    legs((leg) => ('gives' in leg ? { gives: { ...leg.gives, asset: 'B' } } : {})),
  ],
  [
    'its leg sell-A-USD brings another asset',
    POLICY,
    legs((leg) => ('brings' in leg ? { brings: { ...leg.brings, asset: 'B' } } : {})),
  ],
  [
    'its leg sell-A-USD is bound by other figures',
    POLICY,
    legs((leg) => ('brings' in leg ? { brings: { ...leg.brings, amount: '100' } } : {})),
  ],
  ['its leg sell-A-USD is bound by other figures', POLICY, legs(() => ({ indicativeRate: '10' }))],
  ['its leg sell-A-USD is worth more', POLICY, legs(() => ({ value: '100' }), { turnover: '200' })],
  ['its turnover is not that of its legs', POLICY, legs(() => ({}), { turnover: '200' })],
  ['its leg rule1-withdraw-A takes another total', PAYOUT, legs(() => ({ total: '1' }))],
  [
    'its leg rule1-withdraw-A is bound by other figures',
    PAYOUT,
    legs(({ request }) => ({ request: { ...request, most: '1' } })),
  ],
  ['its leg rule1-withdraw-A is of another asset', PAYOUT, legs(() => ({ assetSymbol: 'B' }))],
  ['its leg rule1-withdraw-A goes to another contact', PAYOUT, legs(() => ({ contactId: 'thief' }))],
  [
    'its leg rule1-withdraw-A goes to another contact',
    PAYOUT,
    legs((leg) => ('payee' in leg ? { payee: { ...leg.payee, contactId: 'thief' } } : {})),
  ],
  ['its leg rule1-withdraw-A is worth more', PAYOUT, legs(() => ({ value: '100' }), { turnover: '100' })],
]
test.each(misshown)('nobody approves a plan of which %s than is shown', async (why, policy, change) => {
  await begin({ ...policy, approval: APPROVAL }, policy === POLICY ? planRebalance : planSweep)
  await edit(change)
  const hash = await shownHash()
  await expect(approve(hash)).rejects.toThrow(`run run-1 shows other figures than it would move: ${why}`)
  expect(decisions()).toEqual([])
  // A rejection still stops it.
  expect((await approve(hash, 'rejected')).run.approval?.decision).toBe('rejected')
})

test.each([
  ['conversions', POLICY, planRebalance],
  ['withdrawals', PAYOUT, planSweep],
] as const)("a plan of %s is approved in its planner's form", async (_, policy, plan) => {
  await begin({ ...policy, approval: APPROVAL }, plan)
  expect((await approve(await shownHash())).run.approval?.decision).toBe('approved')
})

test('the approved hash covers the figures that people saw', async () => {
  await begin({ ...POLICY, approval: APPROVAL }, planRebalance)
  const honest = await shownHash()
  const { approval } = await stored()
  const less = legs((leg) => ('gives' in leg ? { gives: { ...leg.gives, amount: '1' } } : {}))
  await edit((run) => ({ ...less(run), approval }))
  expect(await shownHash()).not.toBe(honest)
})
