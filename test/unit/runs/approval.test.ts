// Tests a run that waits for a person: the basis of its approval, and that only the approved plan is ever carried out.
import { beforeEach, describe, expect, test } from 'vitest'
import { intentName } from '../../../core/contract/records.ts'
import { Refused } from '../../../core/errors.ts'
import { createBudgets } from '../../../core/journal/budgets.ts'
import { parseDecimal } from '../../../core/money/decimal.ts'
import { decideApproval, type PlanDecision } from '../../../core/runs/approval/decision.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { carryOut, POLICY, runWorld, START, START_MS } from '../../helpers/run-world.ts'
import { begin, decide, find, input, later, plan, settle, world } from './weekly-runs.ts'

const APPROVAL = { above: '100', expiresAfterSeconds: 3_600, priceBoundBps: 100 }
const amountOf = (text: string) => parseDecimal(text, 'amount')
beforeEach(() => begin({ weekly: { ...POLICY, approval: APPROVAL } }))

test("a run over the policy's limit waits with its plan, its hash and an expiry, and freezes nothing", async () => {
  expect(await plan('run-1')).toMatchObject({ outcome: 'AWAITING_APPROVAL', legs: [], policy: 'weekly' })
  expect(await find('run-1')).toMatchObject({
    ...{ outcome: 'AWAITING_APPROVAL', phases: [], basis: { A: '10', USD: '5', B: '0' } },
    approval: { planHash: expect.stringMatching(/^[0-9a-f]{64}$/), expiresAt: '2026-01-01T01:00:00.000Z' },
  })
  expect(await plan('run-1_2')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
})

test('a run within the limit does not wait', async () => {
  world.account.balances = { A: '0.4', B: '0', USD: '0' }
  expect(await plan('run-1')).toMatchObject({ outcome: 'FIRST' })
})

test.each([
  ['a run waits that is above the limit by the dearer prices by which its legs are sent', '101', '0'],
  ['a run waits that is above the limit with what the steps that send have counted unasked', '100', '30'],
])('%s', async (_what, dear, reserved) => {
  world.account.balances = { A: '0.498', B: '0', USD: '0' }
  const { price } = world.ports.service
  const dearer: typeof price = async (id, asked) => {
    const found = await price(id, asked)
    return id === 'A-USD' && asked.side === 'BUY' ? { ...found, rate: dear } : found
  }
  world.ports = { ...world.ports, service: { ...world.ports.service, price: dearer } }
  const span = { fromMs: START_MS, toMs: START_MS }
  const budget = { scope: 'weekly/unasked', assetSymbol: 'value:USD', span, isRolling: true }
  const budgets = createBudgets(world.store, world.ports.journal, () => 'id')
  await budgets.reserve(budget, intentName('convert', 'before'), amountOf(reserved), amountOf('100'))
  expect(await planRebalance(input('run-1'), world.ports)).toMatchObject({ outcome: 'AWAITING_APPROVAL', legs: [] })
})

test('approved and entered again, exactly the approved legs go, within their own lifetime', async () => {
  await plan('run-1')
  const planned = (await find('run-1'))?.plan?.legs[0]?.request
  later(1_800)
  await decide('approved')
  const { outcome, legs } = await plan('run-1_2')
  expect([outcome, legs]).toMatchObject(['FIRST', [{ name: expect.stringMatching(/_2$/), request: planned }]])
  expect(legs[0]?.request.notAfter).toBe('2026-01-01T00:45:00.000Z')
  for (const leg of legs) await carryOut(leg, world, world.ports)
  for (const leg of (await plan('run-1_2', { phase: 2 })).legs) await carryOut(leg, world, world.ports)
  expect(await settle('run-1_2')).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
})

test('rejected, it ends DISAPPROVED and frees its policy', async () => {
  await plan('run-1')
  await decide('rejected')
  expect(await plan('run-1_2')).toMatchObject({ outcome: 'DISAPPROVED', why: 'ana said no: looked at it' })
  expect(await plan('run-2')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
})

test('approved and entered twice at once, its legs are frozen once, and each moves once', async () => {
  await plan('run-1')
  await decide('approved')
  const entered = await Promise.allSettled([plan('run-1_2'), plan('run-1_3')])
  const answered = entered.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
  expect(answered.length).toBeGreaterThan(0)
  // The state machine enters the one again that the other was quicker than.
  const again = await plan('run-1_3')
  const requests = [...answered, again].map(({ legs }) => legs.map(({ request }) => request))
  for (const each of requests) expect(each).toEqual(requests[0])
  for (const { legs } of [...answered, again]) for (const leg of legs) await carryOut(leg, world, world.ports)
  expect(new Set(world.account.movements).size).toBe(world.account.movements.length)
  expect(world.account.movements).toHaveLength(again.legs.length)
})

test('a run that nobody approved in time ends when it is entered', async () => {
  await plan('run-1')
  later(3_600)
  const why = 'nobody approved it until 2026-01-01T01:00:00.000Z'
  expect(await plan('run-1_2')).toMatchObject({ outcome: 'APPROVAL_VOID', legs: [], why })
})

test('a run that nobody approved in time may still be rejected', async () => {
  await plan('run-1')
  later(3_600)
  await decide('rejected')
  expect(await plan('run-1_2')).toMatchObject({ outcome: 'DISAPPROVED', legs: [] })
})

describe('an approval is void', () => {
  const voids: readonly (readonly [string, RegExp, () => void])[] = [
    ['once it has expired', /nobody carried it out/, () => later(3_600)],
    ['if a rate has risen beyond the bound', /indicative rate of sell-A-USD was 100 and is 102/, () => setRate('102')],
    ['if a rate has fallen beyond the bound', /sell-A-USD was 100 and is 98/, () => setRate('98')],
    ['if a price is missing now', /no indicative price/, () => setRate(undefined)],
    ['if a balance of a leg has changed', /balance of A was 10 and is 11/, () => setBalance('A', '11')],
    ['if the proceeds of a leg have changed', /balance of B was 0 and is 1/, () => setBalance('B', '1')],
    ['if the policy has changed', /policy has changed/, () => setPolicy({ ...POLICY, coolDownSeconds: 5 })],
    ['if the policy is gone', /policy has changed/, () => setPolicy(undefined)],
  ]
  const setRate = (rate: string | undefined) => {
    const { A: _, ...rates } = world.account.rates
    world.account.rates = rate === undefined ? rates : { ...rates, A: rate }
  }
  const setBalance = (asset: string, balance: string) => {
    world.account.balances[asset] = balance
  }
  const setPolicy = (policy: unknown) => {
    const { treasury } = runWorld(policy === undefined ? {} : { weekly: policy }).ports
    world.ports = { ...world.ports, treasury }
  }

  test.each(voids)('%s', async (_, why, change) => {
    await plan('run-1')
    await decide('approved')
    change()
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'APPROVAL_VOID', legs: [], why: expect.stringMatching(why) })
    expect(await plan('run-1_3')).toMatchObject({ outcome: 'APPROVAL_VOID' })
    expect(world.account.movements).toEqual([])
  })

  test('if the contact of a withdrawal has changed', async () => {
    const rules = [{ assets: ['A'], contactId: 'vault' }]
    begin({ weekly: { kind: 'sweep', rules, approval: APPROVAL } })
    let updatedAt = '2025-06-01T00:00:00Z'
    const findContact = async (id: string) => ({ id, type: 'INTERNAL', alias: 'Vault', reference: null, updatedAt })
    world.ports = { ...world.ports, service: { ...world.ports.service, findContact } }
    const sweep = (execution: string) => planSweep(input(execution), world.ports)
    expect(await sweep('run-1')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    await decide('approved')
    updatedAt = '2026-01-01T00:00:00Z'
    expect(await sweep('run-1_2')).toMatchObject({ outcome: 'APPROVAL_VOID', why: 'contact vault has changed since' })

    expect(await sweep('run-2')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    await decide('approved', { runId: 'run-2' })
    expect(await sweep('run-2_2')).toMatchObject({
      ...{ outcome: 'WITHDRAW', legs: [{ request: { contactId: 'vault' } }] },
      payees: [{ contactId: 'vault', alias: 'Vault', type: 'INTERNAL', updatedAt }],
    })
  })

  test('not if a rate has moved within the bound', async () => {
    await plan('run-1')
    await decide('approved')
    setRate('101')
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'FIRST' })
  })
})

describe('obstacles for the moment', () => {
  test('a halt, maintenance or quiet hours leave the approval unchanged', async () => {
    await plan('run-1')
    await decide('approved')
    world.account.status = 'MAINTENANCE'
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'GUARDED' })
    world.account.status = 'OK'
    const halt = { scope: 'weekly', by: 'ana', because: 'audit', at: START }
    await world.halts.halt(halt)
    expect(await plan('run-1_3')).toMatchObject({ outcome: 'HALTED' })
    await world.halts.resume(halt)
    expect(await plan('run-1_4')).toMatchObject({ outcome: 'FIRST' })
  })
})

describe('a newer run of the policy', () => {
  test('replaces an undecided run, once that would be void', async () => {
    await plan('run-1')
    world.account.balances.A = '20'
    expect(await plan('run-2')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    expect(await find('run-1')).toMatchObject({
      outcome: 'APPROVAL_VOID',
      why: 'run run-2 has taken its place: the spendable balance of A was 10 and is 20',
    })
    await expect(decide('approved')).rejects.toThrow(/waits for nobody/)
  })

  test('leaves an approved run its time', async () => {
    await plan('run-1')
    await decide('approved')
    expect(await plan('run-2')).toMatchObject({ outcome: 'ALREADY_RUNNING', why: expect.stringContaining('approved') })
    later(3_600)
    expect(await plan('run-3')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'APPROVAL_VOID' })
  })
})

describe('a decision', () => {
  test('on a plan other than the waiting plan is refused', async () => {
    await plan('run-1')
    await expect(decide('approved', { planHash: 'ab'.repeat(32) })).rejects.toThrow(/another plan/)
  })

  test('against an earlier decision is refused, the same decision again is not', async () => {
    await plan('run-1')
    await decide('approved')
    await expect(decide('approved')).resolves.toMatchObject({ run: { approval: { decision: 'approved' } } })
    await expect(decide('rejected')).rejects.toThrow(/already approved by ana/)
  })

  test('that stands already is not recorded again, and the answer names whose it is', async () => {
    await plan('run-1')
    expect(await decide('approved')).not.toHaveProperty('before')
    const planHash = (await find('run-1'))?.approval?.planHash ?? ''
    const word = {
      decision: 'approved',
      planHash,
      because: 'a second tab',
      at: new Date(START_MS + 60_000).toISOString(),
    } as const
    const before = { by: 'ana', at: START }
    expect(await decideApproval('run-1', { ...word, by: 'bob' }, world.people)).toMatchObject({ before })
    expect(await decideApproval('run-1', { ...word, by: 'ana' }, world.people)).toMatchObject({ before })
    expect((await world.decisions.find('run-1', planHash)).map(({ by }) => by)).toEqual(['ana'])
  })

  test('too late, or on an unknown run, is refused', async () => {
    await plan('run-1')
    await expect(decide('approved', { runId: 'run-9' })).rejects.toThrow(Refused)
    world.account.nowMs = START_MS + 3_600_000
    await expect(decide('approved')).rejects.toThrow(/ended at/)
  })
})

describe('who approves', () => {
  const TWO = { ...APPROVAL, twoAbove: '500', approvers: ['*:assumed-role/Approver/*', 'ana'] }
  const ROLE = 'arn:aws:sts::222222222222:assumed-role/Approver/'
  const say = async (by: string, decision: PlanDecision['decision'] = 'approved') => {
    const planHash = (await find('run-1'))?.approval?.planHash ?? ''
    const word = { decision, planHash, by, because: 'looked at it', at: new Date(world.account.nowMs).toISOString() }
    return decideApproval('run-1', word, world.people)
  }
  beforeEach(async () => {
    begin({ weekly: { ...POLICY, approval: TWO } })
    await plan('run-1')
  })

  test('above the value for two, one person is not enough, nor is the same person twice', async () => {
    expect(await say('ana')).toMatchObject({ run: { approval: { needed: 2, approvals: [{ by: 'ana' }] } } })
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    await say('ana')
    // The same name with a role is the same person.
    await say(`${ROLE}Ana`)
    expect(await plan('run-1_3')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    expect(await say(`${ROLE}bob`)).toMatchObject({ run: { approval: { decision: 'approved' } } })
    expect(await plan('run-1_4')).toMatchObject({ outcome: 'FIRST' })
    expect((await find('run-1'))?.approval?.approvals?.map(({ by }) => by)).toEqual(['ana', `${ROLE}bob`])
  })

  test('somebody outside the approvers is refused, and may still reject', async () => {
    await expect(say('eve')).rejects.toThrow("eve is not among the policy's approval.approvers")
    await say('ana')
    await say('eve', 'rejected')
    await expect(say(`${ROLE}bob`)).rejects.toThrow('already rejected by eve')
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'DISAPPROVED', why: 'eve said no: looked at it' })
  })

  test('a decision written for somebody who is no approver does not count', async () => {
    const planHash = (await find('run-1'))?.approval?.planHash ?? ''
    const word = { decision: 'approved', because: 'mine', at: START } as const
    await world.decisions.add('run-1', planHash, { ...word, by: 'eve' })
    await world.decisions.add('run-1', planHash, { ...word, by: 'ana' })
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
  })

  test('an approval that is only in the record of the run counts for nothing', async () => {
    begin({ weekly: { ...POLICY, approval: APPROVAL } })
    await plan('run-1')
    const run = await find('run-1')
    if (run?.approval === undefined) throw new Error('the run does not wait')
    await world.ports.runs.advance(run, { approval: { ...run.approval, decision: 'approved', by: 'a function' } })
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    await decide('approved')
    expect(await plan('run-1_3')).toMatchObject({ outcome: 'FIRST' })
  })
})
