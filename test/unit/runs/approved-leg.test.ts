// Somebody who can write the record of a run changes it after its plan was approved, with a complete chain. Its legs
// are requested by the changed record, and only approved ones are sent.
import { beforeEach, describe, expect, test } from 'vitest'
import type { PlanLeg } from '../../../core/contract/plan.ts'
import { policy as policySchema } from '../../../core/contract/policies.ts'
import { IntentKind, recordKey } from '../../../core/contract/records.ts'
import type { RunRequest, StartLeg } from '../../../core/contract/runs.ts'
import { Defect } from '../../../core/errors.ts'
import { createPolicyTerms } from '../../../core/guards/policy-terms.ts'
import type { Intent } from '../../../core/journal/intent.ts'
import type { StoredRecord } from '../../../core/journal/record-store.ts'
import { hashParams } from '../../../core/params-hash.ts'
import { createApprovedLegs, findUnapproved } from '../../../core/runs/approval/approved-leg.ts'
import { recordedPlanHash } from '../../../core/runs/approval/ask.ts'
import { createUnapprovedFinder } from '../../../core/runs/approval/audited-approval.ts'
import { decideApproval } from '../../../core/runs/approval/decision.ts'
import { onceOf } from '../../../core/runs/plan/payments.ts'
import { findRequestedPolicy } from '../../../core/runs/record/request.ts'
import { type FrozenLeg, legIntentId, legRequest, type RunRecord } from '../../../core/runs/record/run-record.ts'
import { requestHashOf } from '../../../core/runs/record/runs.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { decisionKey } from '../../helpers/decision-key.ts'
import { carryOut, POLICY, type RunWorld, runWorld, START, treasuryWith } from '../../helpers/run-world.ts'

const APPROVAL = { above: '100', expiresAfterSeconds: 3_600, priceBoundBps: 100 }
const PAYOUT = { kind: 'sweep', rules: [{ assets: ['A'], contactId: 'vault' }], approval: APPROVAL }
const VAULT = { id: 'vault', type: 'INTERNAL', alias: 'Vault', reference: null, updatedAt: '2025-06-01T00:00:00Z' }
const KEY = recordKey.run('run-1')

let world: RunWorld
function begin(policy: object) {
  world = runWorld({ weekly: policy })
  world.ports = { ...world.ports, service: { ...world.ports.service, findContact: async () => VAULT } }
}
beforeEach(() => begin({ ...POLICY, approval: APPROVAL }))

type Planner = typeof planSweep
const enter = (plan: Planner, execution: string, phase?: number) =>
  plan({ execution, startedAt: START, request: { policy: 'weekly' }, ...(phase && { phase }) }, world.ports)

async function approve(by = 'ana') {
  const planHash = (await stored()).approval?.planHash ?? ''
  const at = new Date(world.account.nowMs).toISOString()
  await decideApproval('run-1', { decision: 'approved', planHash, by, because: 'fine', at }, world.people)
}

async function stored(): Promise<RunRecord & StoredRecord> {
  return (await world.store.read(KEY)) as RunRecord & StoredRecord
}

/** Edits the run's record, and writes it as the product itself would. */
async function edit(change: (run: RunRecord) => Partial<RunRecord>) {
  const record = await stored()
  const edited = { ...record, ...change(record), version: record.version + 1, stamp: 'insider' }
  await world.store.replace(edited as StoredRecord, record.version)
}

const ofLegs = (change: (leg: PlanLeg) => object) => (run: RunRecord) => ({
  plan: run.plan && { ...run.plan, legs: run.plan.legs.map((leg) => ({ ...leg, ...change(leg) }) as PlanLeg) },
})
const requests = (change: object) => ofLegs(({ request }) => ({ request: { ...request, ...change } }))
const frozenAnew = (change: (run: RunRecord, frozen: FrozenLeg) => Partial<FrozenLeg>) => (run: RunRecord) => ({
  phases: run.phases.map(({ phase, legs }) => ({ phase, legs: legs.map((leg) => ({ ...leg, ...change(run, leg) })) })),
})

/** Settles the request for a leg's execution. By default an honest planner requests it by the present record. */
async function settle(asked?: StartLeg['request']) {
  const run = await stored()
  const frozen = run.phases.at(-1)?.legs[0] as FrozenLeg
  const leg = frozen.leg ?? run.plan?.legs.find(({ key }) => key === frozen.key)
  const terms = createPolicyTerms(
    world.ports.treasury.policies,
    world.store,
    createApprovedLegs(world.store, world.ports.treasury.policies, decisionKey),
  )
  return terms.find(asked ?? legRequest(run, leg as PlanLeg), frozen.intentId)
}

describe('a run of rows that nobody approved', () => {
  const rows = [{ id: 'r1', contactId: 'vault', asset: 'A', amount: '1' }]
  beforeEach(async () => {
    begin({ kind: 'payouts', assets: ['A'] })
    await planSweep({ execution: 'run-1', startedAt: START, request: { policy: 'weekly', rows } }, world.ports)
  })
  const underOnce = (once: string) => (run: RunRecord) => {
    const { plan } = ofLegs(() => ({ once }))(run)
    const [leg] = plan?.legs ?? []
    return { plan, ...frozenAnew(() => ({ intentId: legIntentId('run-1', leg as PlanLeg) }))(run) }
  }

  test('the name of its try comes from its plan', async () => {
    expect(await settle()).toMatchObject({ tried: { once: onceOf('r1', 1), isApproved: false } })
  })

  const changes: readonly (readonly [string, (run: RunRecord) => Partial<RunRecord>])[] = [
    ['amount is not that of its row', requests({ amount: '2' })],
    ['contact is not that of its row', requests({ contactId: 'thief' })],
    ['row is none of the request', underOnce(onceOf('r2', 1))],
    ['intent has an id of no row', underOnce('another')],
  ]
  test.each(changes)('nothing continues if its %s', async (_, change) => {
    await edit(change)
    await expect(settle()).rejects.toThrow(Defect)
  })
})

describe('a payout that was approved', () => {
  beforeEach(async () => {
    begin(PAYOUT)
    await enter(planSweep, 'run-1')
    await approve()
    await enter(planSweep, 'run-1_2')
  })

  test('the guards and the contact come from its plan', async () => {
    expect(await settle()).toMatchObject({ name: 'weekly', payee: { contactId: 'vault', updatedAt: VAULT.updatedAt } })
  })

  const changes: readonly (readonly [string, (run: RunRecord) => Partial<RunRecord>])[] = [
    ['amount', requests({ amount: '9' })],
    ['contact', requests({ contactId: 'thief' })],
    ['asset', requests({ assetSymbol: 'B' })],
    ['floor', requests({ keep: '0.5' })],
    ['most', requests({ most: '1000' })],
    [
      'contact as people saw it',
      ofLegs((leg) => ('payee' in leg ? { payee: { ...leg.payee, updatedAt: START } } : {})),
    ],
    ['guards of its policy', ({ asPlanned }) => ({ asPlanned: { ...asPlanned, guards: { total: { largest: '9' } } } })],
    ['rules of who approves', ({ asPlanned }) => ({ asPlanned: { ...asPlanned, approval: undefined } })],
    ['guards of everything', () => ({ guardsHash: 'ab'.repeat(32) })],
  ]
  test.each(changes)('nothing continues if its %s was changed', async (_, change) => {
    await edit(change)
    await expect(settle()).rejects.toThrow(
      'the record of run run-1 was changed, and nothing goes on from it: people have not approved its plan, its policy and its guards as they are recorded',
    )
  })

  test('nothing continues under a hash that nobody has approved', async () => {
    await edit(requests({ contactId: 'thief' }))
    await edit((run) => ({ approval: { ...run.approval, planHash: recordedPlanHash(run) ?? '', expiresAt: START } }))
    await expect(settle()).rejects.toThrow('people have not approved its plan')
  })

  test('nothing continues if the record says that nobody was asked, whatever it holds of the policy', async () => {
    await edit(({ asPlanned, plan }) => ({
      ...{ approval: undefined, guardsHash: undefined, asPlanned: { ...asPlanned, approval: undefined } },
      plan: plan && { ...plan, turnover: '1' },
    }))
    await expect(settle()).rejects.toThrow('it says that nobody was asked, and people were')
  })

  test('nothing continues if the record says so, and names an unknown policy', async () => {
    await edit(({ asPlanned, plan }) => ({
      ...{ approval: undefined, guardsHash: undefined, asPlanned: { ...asPlanned, approval: undefined } },
      ...{ policy: 'pay-out', plan: plan && { ...plan, policy: 'pay-out' } },
    }))
    await expect(settle()).rejects.toThrow('it says that nobody was asked, and people were')
  })

  test('an intent is found to differ from its approval once the record of its run names no rule', async () => {
    const run = await stored()
    const [frozen] = run.phases[0]?.legs ?? []
    const params = legRequest(run, run.plan?.legs[0] as PlanLeg)
    const intent = { intentId: frozen?.intentId, params, paramsHash: hashParams(params) } as unknown as Intent
    const find = createUnapprovedFinder(
      world.store,
      { treasury: world.ports.treasury, sinceMs: async () => 0 },
      decisionKey,
    )
    expect(await find(intent)).toBeUndefined()
    await edit(({ asPlanned }) => ({ approval: undefined, asPlanned: { ...asPlanned, approval: undefined } }))
    expect(await find(intent)).toContain('it says that nobody was asked, and people were')
  })

  test('the leg is not sent for longer than its approved plan could continue', async () => {
    const { notAfter } = await stored()
    await edit(() => ({ notAfter: '2036-01-01T00:00:00.000Z' }))
    await expect(settle()).rejects.toThrow('its time is longer than was approved')
    await edit(() => ({ notAfter }))
    expect(await settle()).toMatchObject({ name: 'weekly' })
    await edit(({ approval }) => ({ approval: approval && { ...approval, expiresAt: '2036-01-01T00:00:00.000Z' } }))
    await expect(settle()).rejects.toThrow('people have not approved its plan')
  })

  test('the leg is not sent on behalf of another policy', async () => {
    await edit(() => ({ policy: 'another' }))
    await expect(settle()).rejects.toThrow('its policy is not that of its plan')
  })

  test('the leg is not sent once more under another id', async () => {
    await edit(frozenAnew(() => ({ intentId: 'ab'.repeat(20) })))
    await expect(settle()).rejects.toThrow('the intent of its leg')
  })

  test('the leg is not sent once more under the id of another payment that happens once', async () => {
    await edit(ofLegs(() => ({ once: 'payout/a/2' })))
    await edit(frozenAnew(({ plan }) => ({ intentId: legIntentId('run-1', plan?.legs[0] as PlanLeg) })))
    await expect(settle()).rejects.toThrow('people have not approved its plan')
  })

  test.each<[string, (leg: PlanLeg) => object]>([
    ['amount', ({ request }) => ({ request: { ...request, amount: '10.000001' } })],
    ['contactId', ({ request }) => ({ request: { ...request, contactId: 'thief' } })],
    ['feeMode', ({ request }) => ({ request: { ...request, feeMode: 'add' } })],
    ['most', ({ request }) => ({ request: { ...request, most: '1000' } })],
    ['keep', ({ request }) => ({ request: { ...request, keep: '1' } })],
  ])('a leg that was planned again is not sent with another %s', async (field, change) => {
    await edit(
      frozenAnew(({ plan }) => {
        const [leg] = plan?.legs ?? []
        return leg ? { leg: { ...leg, ...change(leg) } as PlanLeg } : {}
      }),
    )
    await expect(settle()).rejects.toThrow(`is not as it was approved: its ${field}`)
  })
})

test('a run whose approval was void is not resumed later', async () => {
  begin(PAYOUT)
  await enter(planSweep, 'run-1')
  await approve()
  world.account.balances.A = '3'
  expect(await enter(planSweep, 'run-1_2')).toMatchObject({ outcome: 'APPROVAL_VOID' })
  await edit(({ plan }) => {
    const [leg] = plan?.legs ?? []
    const legs = leg === undefined ? [] : [{ key: leg.key, intentId: legIntentId('run-1', leg) }]
    return { outcome: 'RUNNING', notAfter: '2036-01-01T00:00:00.000Z', phases: [{ phase: 1, legs }] }
  })
  await expect(settle()).rejects.toThrow('its time is longer than was approved')
})

test('a run continues for at most its life after its approval expires', async () => {
  begin(PAYOUT)
  await enter(planSweep, 'run-1')
  await approve()
  const { approval, asPlanned } = await stored()
  const expiresAtMs = Date.parse(approval?.expiresAt ?? '')
  world.account.nowMs = expiresAtMs - 1
  // Taking the policy takes two seconds: the approval expires meanwhile.
  const { policies } = world.ports
  const find: typeof policies.find = (policy) => {
    world.account.nowMs = expiresAtMs + 2_000
    return policies.find(policy)
  }
  world.ports = { ...world.ports, policies: { ...policies, find } }
  await enter(planSweep, 'run-1_2')
  const { notAfter } = await stored()
  expect(Date.parse(notAfter)).toBe(expiresAtMs + asPlanned.runLifeSeconds * 1_000)
  expect(await settle()).toMatchObject({ name: 'weekly' })
})

test.each([
  ['amount', { amount: '0.01' }],
  ['plannedRate', { plannedRate: '0.000001' }],
])('a leg of the first phase, which nobody plans again, is not sent with another %s', async (field, change) => {
  await enter(planRebalance, 'run-1')
  await approve()
  await enter(planRebalance, 'run-1_2')
  await edit(
    frozenAnew(({ plan }) => {
      const [leg] = plan?.legs ?? []
      return leg ? { leg: { ...leg, request: { ...leg.request, ...change } } as PlanLeg } : {}
    }),
  )
  await expect(settle()).rejects.toThrow(`its leg sell-A-USD is not as it was approved: its ${field}`)
})

describe('conversions in two phases', () => {
  beforeEach(async () => {
    await enter(planRebalance, 'run-1')
    await approve()
    const { legs } = await enter(planRebalance, 'run-1_2')
    world.account.rates.A = '60'
    for (const leg of legs) await carryOut(leg, world, world.ports)
    await enter(planRebalance, 'run-1_2', 2)
  })

  test('the second goes with the proceeds of the first, which are smaller than approved', async () => {
    const [frozen] = (await stored()).phases.at(-1)?.legs ?? []
    expect(frozen?.leg?.request).toMatchObject({ amountAsset: 'USD', amount: '600' })
    expect(await settle()).toMatchObject({ name: 'weekly' })
  })

  test('an intent is found to differ from its approval once the plan in the record is another', async () => {
    const first = (await stored()).phases[0]?.legs[0]?.intentId ?? ''
    const look = async () => {
      const intent = await world.ports.journal.find(first, IntentKind.Convert)
      return (
        intent &&
        createUnapprovedFinder(
          world.store,
          { treasury: world.ports.treasury, sinceMs: async () => 0 },
          decisionKey,
        )(intent)
      )
    }
    expect(await look()).toBeUndefined()
    await edit((run) => ({ notAfter: run.startedAt }))
    expect(await look()).toBe('it is not what people approved for run run-1: its request is not that of its leg')
    await edit(requests({ amount: '9' }))
    expect(await look()).toContain('run-1: people have not approved its plan')
    await edit(ofLegs(() => ({ key: 'another' })))
    expect(await look()).toContain('run-1: people have not approved its plan')
  })

  test.each<[string, object]>([
    ['amount', { amount: '1000.000001' }],
    ['baseAsset', { baseAsset: 'A' }],
    ['worstRate', { worstRate: '99' }],
    ['side', { side: 'SELL' }],
  ])('the second does not go with another %s', async (field, change) => {
    const anew = ({ request, ...leg }: PlanLeg) => ({ ...leg, request: { ...request, ...change } }) as PlanLeg
    await edit(({ phases: [first, second] }) => ({
      phases: [first, second]
        .filter((phase) => phase !== undefined)
        .map((phase) => ({
          ...phase,
          legs: phase.legs.map(({ leg, ...each }) => ({ ...each, ...(leg && { leg: anew(leg) }) })),
        })),
    }))
    await expect(settle()).rejects.toThrow(`is not as it was approved: its ${field}`)
  })
})

test('if two people must approve, one person is not enough for a plan whose turnover was reduced', async () => {
  begin({ ...PAYOUT, approval: { ...APPROVAL, twoAbove: '500' } })
  await enter(planSweep, 'run-1')
  await approve()
  await edit(({ plan }) => ({ plan: plan && { ...plan, turnover: '400' } }))
  // The edited plan is another plan, which nobody has approved yet.
  expect(await enter(planSweep, 'run-1_2')).toMatchObject({ outcome: 'AWAITING_APPROVAL', legs: [] })
})

describe('a run that nobody had to approve, and whose request is recorded', () => {
  const INLINE_POLICY = policySchema.parse({ ...POLICY, runLifeSeconds: 600 })
  const loose = { policy: 'loose', request: { policy: 'loose' }, requestHash: requestHashOf({ policy: 'loose' }) }
  const inline = findRequestedPolicy({ policy: INLINE_POLICY }, { policies: {} })?.name ?? ''

  async function recorded(request: RunRequest = { policy: 'weekly' }, isOfFile = typeof request.policy === 'string') {
    world = runWorld({
      loose: { kind: 'fund', asset: 'USD', atLeast: '1', from: [{ asset: 'B' }] },
      ...(isOfFile && { weekly: POLICY }),
    })
    const asker = { kind: 'person', by: 'ana', at: START } as const
    await world.requesters.record('run-1', asker, request)
    await planRebalance({ execution: 'run-1', startedAt: START, request }, world.ports)
    expect((await stored()).phases[0]?.legs).toHaveLength(1)
  }
  const named = (change: Partial<RunRecord>) => (run: RunRecord) => ({
    ...change,
    plan: run.plan && { ...run.plan, policy: change.policy ?? run.policy },
  })

  test('is sent for the policy that was asked for', async () => {
    await recorded()
    expect(await settle()).toMatchObject({ name: 'weekly' })
    await recorded({ policy: INLINE_POLICY })
    expect(await settle()).toMatchObject({ name: inline })
  })

  test.each<[string, Partial<RunRecord>, string]>([
    ['another policy', { policy: 'loose' }, 'its policy is not the one that was asked for'],
    ['another policy, and that as asked for', loose, 'its request is not the one that was recorded'],
    ['an inline policy', { policy: inline, asPlanned: INLINE_POLICY }, 'its policy is not the one that was asked for'],
  ])('is not sent once its record names %s', async (_what, change, why) => {
    await recorded()
    await edit(named(change))
    await expect(settle()).rejects.toThrow(why)
  })

  test.each<[string, Partial<RunRecord>, string]>([
    [
      'other guards',
      { asPlanned: policySchema.parse({ ...INLINE_POLICY, guards: { total: { largest: '9' } } }) },
      'its policy is not the one that was asked for',
    ],
    ['a policy of the file', { policy: 'loose' }, 'loose of treasury.json is not the policy'],
  ])('with an inline policy it is not sent once its record names %s', async (_what, change, why) => {
    await recorded({ policy: INLINE_POLICY })
    await edit(named(change))
    await expect(settle()).rejects.toThrow(why)
  })

  test.each<[string, object, string | undefined]>([
    ['stays', { weekly: POLICY }, undefined],
    ['gets another schedule', { weekly: { ...POLICY, schedule: { expression: 'rate(1 day)' } } }, undefined],
    ['is renamed', { monthly: { ...POLICY, was: 'weekly' } }, undefined],
    ['is edited', { weekly: { ...POLICY, runLifeSeconds: 600 } }, 'Refused'],
    ['is removed', {}, 'Refused'],
  ])('with a whole policy that is one of the file, while that one %s', async (_what, policies, name) => {
    const policy = policySchema.parse(POLICY)
    await recorded({ policy }, true)
    expect(await stored()).toMatchObject({ policy: 'weekly' })
    world.ports = world.portsOver(world.store, treasuryWith(policies as Record<string, unknown>))
    const found = await settle().catch((error: Error) => error)
    expect(found).toMatchObject(
      name === undefined ? { guards: {} } : { name, message: expect.stringContaining('ask for another run') },
    )
  })
})

test('a run without approval is compared with no decisions', async () => {
  world.account.balances = { A: '0.4', B: '0', USD: '0' }
  await enter(planRebalance, 'run-1')
  const run = await stored()
  expect(run.approval).toBeUndefined()
  expect(findUnapproved(run, { words: [], recorded: undefined })).toBeUndefined()
  expect(await settle()).toMatchObject({ name: 'weekly' })
  expect(run.phases[0]?.legs[0]?.intentId).toBe(legIntentId('run-1', { key: run.plan?.legs[0]?.key ?? '' }))
})
