// The same rows in runs of two policies at once: each row is paid once, and no run ends as if a person had to look.
import { describe, expect, test } from 'vitest'
import { mapBounded } from '../../../core/bounded.ts'
import { planInput } from '../../../core/contract/runs.ts'
import { Refused, Transient } from '../../../core/errors.ts'
import { createPolicyTerms } from '../../../core/guards/policy-terms.ts'
import { zeroMove } from '../../../core/journal/moves.ts'
import { decideApproval } from '../../../core/runs/approval/decision.ts'
import { findPaidAlike } from '../../../core/runs/plan/paid-alike.ts'
import { frozenLegs, legOf, legRequest, type RunRecord } from '../../../core/runs/record/run-record.ts'
import type { WithdrawalState } from '../../../core/service/ports.ts'
import { conclude } from '../../../functions/conclude/conclude.ts'
import { withdrawalConclusion } from '../../../functions/conclude/conclusions.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { OTHER_POLICY, payoutWorld, TEXTS } from '../../helpers/payout-world.ts'
import { START } from '../../helpers/run-world.ts'

const BOTH_HAVE = 3

/** `others`: fields in which the rows of the other policy differ. `more`: rows that the other policy alone has. */
async function twoRuns(others: object = {}, more = 0) {
  const world = payoutWorld(TEXTS)
  const inputOf = (execution: string, policy: string, count: number, fields: object = {}) => {
    const rows = world.rows(count).map((row) => ({ ...row, ...fields }))
    return { execution, startedAt: START, enteredAt: START, request: { policy, rows } }
  }
  const june = inputOf('june', 'pay', BOTH_HAVE)
  const other = inputOf('other-june', OTHER_POLICY, BOTH_HAVE + more, others)
  const planned = await planSweep(planInput.parse(june), world.ports)
  const plannedByOther = await planSweep(planInput.parse(other), world.ports)
  const shared = plannedByOther.legs.slice(0, BOTH_HAVE)
  expect(shared.map(({ name }) => name)).toEqual(planned.legs.map(({ name }) => name))
  const settle = (input: typeof june) => settleRun({ ...input, fault: undefined }, world.ports)
  return { ...world, june, other, planned, settle }
}

test('the run whose rows another run has begun says which, and needs nobody', async () => {
  const { carryOut, june, other, planned, settle } = await twoRuns()
  for (const leg of planned.legs) await carryOut(leg)
  expect(await settle(other)).toMatchObject({
    ...{ outcome: 'NOTHING_MOVED', tiesOut: true },
    why: expect.stringContaining('run june of policy pay has begun this row'),
  })
  expect(await settle(june)).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
})

test('the run whose rows another run has frozen and not begun leaves them to that run, which pays them', async () => {
  const { carryOut, june, other, planned, ports, settle } = await twoRuns()
  expect(await settle(other)).toMatchObject({ outcome: 'NOTHING_MOVED', tiesOut: true })
  const { results = {} } = (await ports.runs.find('other-june')) ?? {}
  expect(Object.values(results).map(({ begunBy }) => begunBy)).toEqual(['june', 'june', 'june'])
  expect(await ports.policies.find(OTHER_POLICY)).toMatchObject({ failuresInRow: 0 })
  for (const leg of planned.legs) await carryOut(leg)
  expect(await settle(june)).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
  expect(await settle(other)).toMatchObject({ outcome: 'NOTHING_MOVED', tiesOut: true })
})

test('a run that is entered again begins no row that it has left to another run', async () => {
  const { carryOut, june, other, planned, ports } = await twoRuns()
  const run = await ports.runs.find('other-june')
  const [first, ...rest] = planned.legs
  if (run === undefined || first === undefined) throw new TypeError('there is no leg')
  await ports.runs.advance(run, { results: { [first.name]: { outcome: 'EXHAUSTED', begunBy: 'june' } } })
  const again = await planSweep(planInput.parse({ ...other, execution: 'other-june_2', phase: 1 }), ports)
  expect(again.legs.map(({ name }) => name)).toEqual(rest.map(({ name }) => `${name}_2`))
  await carryOut(first)
  expect((await planSweep(planInput.parse({ ...june, phase: 1 }), ports)).legs).toHaveLength(3)
})

test.each<[string, (settle: readonly (() => Promise<unknown>)[]) => Promise<unknown>]>([
  ['one after the other', async ([first, second]) => [await first?.(), await second?.()]],
  ['at once', (settle) => Promise.all(settle.map((each) => each()))],
])('rows that two runs have frozen and neither has begun are closed when both settle %s', async (_how, inTurn) => {
  const { june, other, planned, ports, settle, rows } = await twoRuns()
  const ends = await inTurn([() => settle(other), () => settle(june)])
  expect(ends).toMatchObject([{ outcome: 'NOTHING_MOVED' }, { outcome: 'NOTHING_MOVED' }])
  for (const { name } of planned.legs)
    expect(await ports.journal.find(name, 'withdraw')).toMatchObject({ state: 'EXHAUSTED' })
  const request = { policy: 'pay', rows: rows(3) }
  const later = await planSweep(
    planInput.parse({ execution: 'july', startedAt: START, enteredAt: START, request }),
    ports,
  )
  expect(later.legs).toHaveLength(3)
})

test.each([
  ['all rows', 0, 0],
  ['all rows but one, which was never sent,', 1, 1],
])('a run of which another run has begun %s counts as expected towards the breaker', async (_what, more, failures) => {
  const { carryOut, other, planned, ports, settle } = await twoRuns({}, more)
  for (const leg of planned.legs) await carryOut(leg)
  // Settled again, it is counted once.
  for (const _entry of [1, 2]) expect(await settle(other)).toMatchObject({ outcome: 'NOTHING_MOVED' })
  expect(await ports.policies.find(OTHER_POLICY)).toMatchObject({ failuresInRow: failures })
})

test('the run whose rows another run has begun names the run and its other terms, and says nothing of a payment', async () => {
  const { carryOut, other, planned, settle } = await twoRuns({ amount: '7' })
  for (const leg of planned.legs) await carryOut(leg)
  expect(await settle(other)).toMatchObject({
    why: expect.stringMatching(
      /has begun this row before, and says what became of it, with another amount 123456\.123456, and the row has 7\)/,
    ),
  })
})

test('each of two runs pays the rows that it has begun', async () => {
  const { carryOut, june, other, planned, ports, settle } = await twoRuns()
  const [first, ...rest] = planned.legs
  if (first === undefined) throw new TypeError('there is no leg')
  await carryOut(first)
  const again = await planSweep(planInput.parse({ ...other, phase: 1 }), ports)
  for (const { name, request } of again.legs.filter(({ name }) => rest.some((leg) => leg.name === name)))
    await carryOut({ name, request })
  for (const input of [june, other])
    expect(await settle(input)).toMatchObject({ outcome: 'PARTLY_SETTLED', tiesOut: true })
})

describe('a late leg of a run that has left its row to another run', () => {
  async function late() {
    const of = await twoRuns()
    await of.settle(of.other)
    const run = await of.ports.runs.find('other-june')
    const [frozen] = run ? frozenLegs(run) : []
    if (run === undefined || frozen === undefined) throw new TypeError('there is no leg')
    const { intentId } = frozen
    const request = legRequest(run, legOf(run, frozen))
    const terms = createPolicyTerms(of.ports.treasury.policies, of.world.store, async () => undefined)
    const refusal = await terms.find(request, intentId).catch((error: Error) => error)
    const fail = ({ name, message: errorMessage }: Error) => {
      const fault = { Error: name, Cause: JSON.stringify({ errorType: name, errorMessage }) }
      const input = {
        kind: 'withdraw',
        execution: intentId,
        startedAt: START,
        enteredAt: START,
        request,
        fault,
      } as const
      const clock = { nowMs: () => of.world.account.nowMs }
      const { journal, treasury } = of.ports
      const lanes = { closeForLost: async () => undefined }
      return conclude(input, withdrawalConclusion, { journal, lanes, clock, timing: treasury.timing })
    }
    return { ...of, fail, refusal: refusal as Error }
  }

  test('closes the row for nobody, and the other run pays it', async () => {
    const { carryOut, fail, june, planned, refusal, settle } = await late()
    expect(await fail(refusal)).toMatchObject({ outcome: 'REJECTED', why: expect.stringContaining('to run june') })
    for (const leg of planned.legs) await carryOut(leg)
    expect(await settle(june)).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
  })

  test('that fails before it reads its run closes the row for both runs, and a later file pays it', async () => {
    const { carryOut, fail, june, planned, ports, rows, settle } = await late()
    await fail(new Transient('the service did not answer'))
    const [closed, ...rest] = planned.legs
    if (closed === undefined) throw new TypeError('there is no leg')
    for (const leg of rest) await carryOut(leg)
    await expect(carryOut(closed)).rejects.toThrow(Refused)
    expect(await settle(june)).toMatchObject({ outcome: 'PARTLY_SETTLED', tiesOut: true })
    const request = { policy: 'pay', rows: rows(BOTH_HAVE) }
    const { legs } = await planSweep(
      planInput.parse({ execution: 'july', startedAt: START, enteredAt: START, request }),
      ports,
    )
    expect(legs).toHaveLength(1)
    // The run before can pay it no more: the id of its leg stays closed.
    await expect(carryOut(closed)).rejects.toThrow(Refused)
  })
})

test('another request under the id of a row still calls a person', async () => {
  const { carryOut, june, planned, settle } = await twoRuns()
  for (const { name, request } of planned.legs) await carryOut({ name, request: { ...request, run: 'nobodys' } })
  expect(await settle(june)).toMatchObject({ outcome: 'NEEDS_ATTENTION', tiesOut: false })
})

type Two = Pick<Awaited<ReturnType<typeof twoRuns>>, 'ports' | 'rows'>

/** Plans another file of the other policy. Its row is of an asset that no doubt holds. */
function planJuly({ ports, rows }: Two, execution = 'other-july') {
  const request = { policy: OTHER_POLICY, rows: rows(6).slice(5) }
  return planSweep(planInput.parse({ execution, startedAt: START, enteredAt: START, request }), ports)
}

test('a run that stopped frees its policy once its own rows are closed, though another run is in doubt about one', async () => {
  const { arm, other, planned, settle, world, ...of } = await twoRuns()
  const [first] = planned.legs
  if (first === undefined) throw new TypeError('there is no leg')
  const armed = await arm(first)
  world.account.nowMs += 2 * 86_400_000
  expect(await planJuly(of)).toMatchObject({ outcome: 'ALREADY_RUNNING' })
  expect(await settle(other)).toMatchObject({ outcome: 'NOTHING_MOVED', tiesOut: true })
  expect(await planJuly(of, 'other-july_2')).toMatchObject({ outcome: 'WITHDRAW' })
  expect(await of.ports.runs.find('other-june')).toMatchObject({
    results: { [first.name]: { begunBy: 'june', outcome: 'EXHAUSTED' } },
  })
  expect(await of.ports.journal.find(first.name, 'withdraw')).toEqual(armed)
})

test('a run in doubt holds its policy for its own rows alone', async () => {
  const { arm, complete, other, planned, settle, ...of } = await twoRuns()
  const again = await planSweep(planInput.parse({ ...other, phase: 1 }), of.ports)
  const [first, own] = [planned.legs[0], again.legs[1]]
  if (first === undefined || own === undefined) throw new TypeError('there is no leg')
  await arm(first)
  const doubt = await arm(own)
  expect(await settle(other)).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
  expect(await planJuly(of)).toMatchObject({
    outcome: 'ALREADY_RUNNING',
    why: 'a leg of run other-june of the policy is in doubt',
  })
  await complete(doubt)
  expect(await planJuly(of, 'other-july_2')).toMatchObject({ outcome: 'WITHDRAW' })
})

/** Pays rows of one file, and gives the same rows under other ids to the other policy. */
async function paidAlike(copiedFields: object = {}, pays: object = {}) {
  const world = payoutWorld(TEXTS, pays)
  const rows = world.rows(3)
  const enter = (execution: string, policy: string, given: object[]) =>
    planSweep(
      planInput.parse({ execution, startedAt: START, enteredAt: START, request: { policy, rows: given } }),
      world.ports,
    )
  const payed = await enter('june', 'pay', rows.slice(0, 1))
  for (const leg of payed.legs) await world.carryOut(leg)
  const copies = rows.map((row) => ({ ...row, id: `copy-${row.id}`, ...copiedFields }))
  const asked = await enter('copy', OTHER_POLICY, copies)
  const approve = async () => {
    const planHash = (await world.ports.runs.find('copy'))?.approval?.planHash ?? ''
    await decideApproval(
      'copy',
      { decision: 'approved', planHash, by: 'ana', because: 'a bonus', at: START },
      world.world.people,
    )
    return enter('copy_2', OTHER_POLICY, copies)
  }
  const settle = () =>
    settleRun(
      {
        execution: 'copy',
        startedAt: START,
        enteredAt: START,
        request: { policy: OTHER_POLICY, rows: copies },
        fault: undefined,
      },
      world.ports,
    )
  return { ...world, rows, enter, asked, approve, settle }
}

test('rows that pay what another row was paid for wait for a person by name, though the policy asks nobody', async () => {
  const { asked, approve, ports } = await paidAlike()
  expect(asked).toMatchObject({
    outcome: 'AWAITING_APPROVAL',
    legs: [],
    why: expect.stringMatching(/copy-row-0.*row-0/),
  })
  const { plan } = (await ports.runs.find('copy')) ?? {}
  expect(plan?.legs.map((leg) => 'paidAs' in leg && leg.paidAs)).toEqual(['row-0', false, false])
  expect(await approve()).toMatchObject({ outcome: 'WITHDRAW' })
})

test.each([
  ['as approved', undefined, 'PARTLY_SETTLED'],
  ['more than people approved', '123457', 'NEEDS_ATTENTION'],
])('a run of which a leg took %s ends by it', async (_what, charged, outcome) => {
  const { approve, carryOut, settle } = await paidAlike({}, { feeMode: 'add' })
  const [leg] = (await approve()).legs
  if (leg === undefined) throw new TypeError('there is no leg')
  await carryOut(leg, charged)
  expect(await settle()).toMatchObject({ outcome, tiesOut: charged === undefined })
})

test.each([
  ['reference', { reference: 'Salary July' }],
  ['amount', { amount: '123456.123457' }],
])('rows with another %s wait for nobody', async (_field, copiedFields) => {
  expect((await paidAlike(copiedFields)).asked).toMatchObject({ outcome: 'WITHDRAW' })
})

test('an approval is void once a further row pays what another row was paid for meanwhile', async () => {
  const { approve, carryOut, enter, ports, rows } = await paidAlike()
  await settleRun(
    {
      execution: 'june',
      startedAt: START,
      enteredAt: START,
      request: { policy: 'pay', rows: rows.slice(0, 1) },
      fault: undefined,
    },
    ports,
  )
  const later = await enter('june-2', 'pay', rows.slice(1, 2))
  expect(later.legs).toHaveLength(1)
  for (const leg of later.legs) await carryOut(leg)
  expect(await approve()).toMatchObject({ outcome: 'APPROVAL_VOID', why: expect.stringContaining('copy-row-1') })
})

test('a row that its run begins while it leaves the row to another run is not said to have moved nothing', async () => {
  const { carryOut, other, ports } = await twoRuns()
  const run = await ports.runs.find('other-june')
  const [frozen] = run ? frozenLegs(run) : []
  if (run === undefined || frozen === undefined) throw new TypeError('there is no leg')
  const request = legRequest(run, legOf(run, frozen))
  const advance: typeof ports.runs.advance = async (...said) => {
    const written = await ports.runs.advance(...said)
    // Its step has read the record before.
    if ((await ports.journal.find(frozen.intentId, 'withdraw')) === undefined)
      await carryOut({ name: frozen.intentId, request })
    return written
  }
  await settleRun({ ...other, fault: undefined }, { ...ports, runs: { ...ports.runs, advance } })
  expect(await ports.runs.find('other-june')).toMatchObject({
    results: { [frozen.intentId]: { outcome: 'COMPLETED' } },
  })
})

describe('rows that a run of another policy is paying under other ids', () => {
  /** Plans the rows for one policy, and copies under other ids for the other. */
  async function besides(
    change: (of: ReturnType<typeof payoutWorld>, run: RunRecord) => Promise<unknown>,
    pays: object = {},
  ) {
    const of = payoutWorld(TEXTS, pays)
    const plan = (execution: string, policy: string, rows: object[]) =>
      planSweep(planInput.parse({ execution, startedAt: START, enteredAt: START, request: { policy, rows } }), of.ports)
    const rows = of.rows(1)
    await plan('june', 'pay', rows)
    const run = await of.ports.runs.find('june')
    if (run === undefined) throw new TypeError('there is no run')
    await change(of, run)
    of.world.account.nowMs += 1_000
    const copies = rows.map((row) => ({ ...row, id: `copy-${row.id}` }))
    return { ...of, plan, first: await plan('copy', OTHER_POLICY, copies) }
  }
  const onlyLeg = (run: RunRecord) => {
    const [frozen] = frozenLegs(run)
    if (frozen === undefined) throw new TypeError('there is no leg')
    return { name: frozen.intentId, request: legRequest(run, legOf(run, frozen)) }
  }

  type Change = Parameters<typeof besides>[0]
  test.each<[string, Change, string]>([
    ['has frozen, and nobody has begun', async () => undefined, 'AWAITING_APPROVAL'],
    ['has begun', ({ begin }, run) => begin(onlyLeg(run)), 'AWAITING_APPROVAL'],
    [
      'is about to plan',
      ({ ports }, run) => ports.runs.advance(run, { plan: undefined, phases: [] }),
      'AWAITING_APPROVAL',
    ],
    [
      'has begun, and not settled at its end',
      async ({ begin, ports }, run) => {
        await begin(onlyLeg(run))
        await ports.runs.advance(run, { outcome: 'NEEDS_ATTENTION' })
      },
      'AWAITING_APPROVAL',
    ],
    ['has not begun at its end', ({ ports }, run) => ports.runs.advance(run, { outcome: 'FAILED' }), 'WITHDRAW'],
    [
      'has left to another run',
      ({ ports }, run) =>
        ports.runs.advance(run, { results: { [onlyLeg(run).name]: { outcome: 'EXHAUSTED', begunBy: 'nobodys' } } }),
      'WITHDRAW',
    ],
    [
      'has closed unsent',
      async ({ begin, ports }, run) => {
        const intent = await begin(onlyLeg(run))
        return ports.journal.advance(intent, zeroMove(intent, 'EXHAUSTED', 'EXHAUSTED', 'its time ran out'))
      },
      'WITHDRAW',
    ],
  ])('which it %s, wait for a person or not', async (_what, change, outcome) => {
    const { first, ports } = await besides(change)
    expect(first.outcome).toBe(outcome)
    const { plan } = (await ports.runs.find('copy')) ?? {}
    expect(plan?.legs).toMatchObject([outcome === 'WITHDRAW' ? { key: 'pay-copy-row-0' } : { paidAs: 'row-0' }])
  })

  test.each([
    ['the first before people approve the other', ['june', 'goes', 'copy', 'goes'], ['WITHDRAW', 'APPROVAL_VOID']],
    ['the other before people approve the first', ['copy', 'goes', 'june', 'goes'], ['WITHDRAW', 'APPROVAL_VOID']],
    ['the other once people have approved both', ['june', 'copy', 'goes'], ['APPROVAL_VOID']],
  ])('go once where each run waits for people, and one continues: %s', async (_what, steps, ends) => {
    const { plan, ports, rows, world } = await besides(async () => undefined, { approval: { above: '0' } })
    const asked = {
      june: ['pay', rows(1)],
      copy: [OTHER_POLICY, rows(1).map((row) => ({ ...row, id: `copy-${row.id}` }))],
    }
    const outcomes: string[] = []
    let id: 'june' | 'copy' = 'june'
    for (const step of steps) {
      if (step === 'goes') {
        outcomes.push((await plan(`${id}_2`, ...(asked[id] as [string, object[]]))).outcome)
        continue
      }
      id = step as typeof id
      const planHash = (await ports.runs.find(id))?.approval?.planHash ?? ''
      await decideApproval(id, { decision: 'approved', planHash, by: 'ana', because: 'due', at: START }, world.people)
    }
    expect(outcomes).toEqual(ends)
  })
})

describe('rows that were paid under other ids', () => {
  /** The rows that another file repeats. The service names each asset in its own spelling. */
  async function alike(status: WithdrawalState['status'] = 'COMPLETED') {
    const { carryOut, planned, ports, rows } = await twoRuns()
    for (const leg of planned.legs) await carryOut(leg)
    const settled = (code: string) => `settled ${code}`
    const sent = await mapBounded(['USD', 'A', 'B'], 1, async (asset) => {
      const withdrawals = await ports.service.listWithdrawals({ assetSymbol: asset }, 100)
      return [settled(asset), withdrawals.map((row) => ({ ...row, status }))] as const
    })
    const anew = rows(BOTH_HAVE).map((row) => ({ ...row, id: `again-${row.id}` }))
    const run = await ports.runs.find('june')
    if (run?.asPlanned.kind !== 'payouts') throw new TypeError('there is no run')
    const asked = { ...run, asPlanned: { ...run.asPlanned, rows: anew } }
    // No policy is known, so that what other runs still pay is not found.
    const paid = await findPaidAlike(asked, new Map(sent), settled, { ...ports, namesOf: async () => [] })
    return [...paid.values()].sort()
  }

  test('are found, however the service spells their assets', async () => {
    expect(await alike()).toEqual(['row-0', 'row-1', 'row-2'])
  })

  test('are found where a list says that they failed, and nothing proves that they came back', async () => {
    expect(await alike('FAILED')).toEqual(['row-0', 'row-1', 'row-2'])
  })
})
