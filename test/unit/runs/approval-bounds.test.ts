// Tests the extent of an approval. No leg of an approved plan moves more, or at a worse rate, than the person saw.
// Amounts that a policy sends without approval add up. A plan that changes nothing leaves a waiting plan in place.
import { beforeEach, describe, expect, test } from 'vitest'
import type { ConvertRequest } from '../../../core/contract/convert.ts'
import { hashGuards } from '../../../core/guards/effective-guards.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { armed, frozenOf, WITHDRAWAL } from '../../helpers/intents.ts'
import { carryOut, POLICY, START, treasuryWith } from '../../helpers/run-world.ts'
import { begin, decide, find, later, planBy, settle, world } from './weekly-runs.ts'

const APPROVAL = { above: '100', expiresAfterSeconds: 3_600, priceBoundBps: 100 }
const WEEKLY = { ...POLICY, approval: APPROVAL }
const plan = planBy(planRebalance)
const approve = (runId?: string) => decide('approved', { ...(runId !== undefined && { runId }) })

beforeEach(() => begin({ weekly: WEEKLY }))

describe('a leg of an approved plan', () => {
  test('is bound to the shown rate, and to the shown proceeds, both less and more', async () => {
    await plan('run-1')
    await approve()
    const [leg] = (await plan('run-1_2')).legs
    // 10 A at 100, and 1 % either way.
    expect(leg?.request).toMatchObject({ amount: '10', amountAsset: 'A', worstRate: '99', most: '1010' })
    const shown = (await find('run-1'))?.plan?.legs[0]?.reason
    expect(shown).toContain('approved for a rate of 99 at worst, and 1010 USD at most')
    expect((await find('run-1'))?.guardsHash).toBe(hashGuards(world.ports.treasury.guards))
  })

  test('sells no more in a later phase than was shown, whatever the earlier phase brought', async () => {
    await plan('run-1')
    const shown = (await find('run-1'))?.plan?.legs[1]?.request as ConvertRequest
    await approve()
    const { legs } = await plan('run-1_2')
    world.account.rates.A = '200'
    for (const leg of legs) await carryOut(leg, world, world.ports)
    const [bought] = (await plan('run-1_2', { phase: 2 })).legs
    expect(bought?.request).toMatchObject({ amount: shown.amount, worstRate: '50.5', most: shown.most })
    expect(shown.amount).toBe('1000')
  })

  test('of a run without approval is bound by nothing that was not shown', async () => {
    world.account.balances = { A: '0.4', B: '0', USD: '0' }
    const [leg] = (await plan('run-1')).legs
    expect(leg?.request).not.toHaveProperty('worstRate')
  })
})

describe('an approval covers', () => {
  const guards: readonly (readonly [string, Record<string, unknown>])[] = [
    ['in its valuation asset', { valuationAsset: 'B' }],
    ['the largest movement', { total: { largest: '999999' } }],
    ['the contacts that are allowed', { allowedContacts: ['cold'] }],
    ['how old figures may be', { snapshotSeconds: 300 }],
    ['the quiet hours', { quietHours: [{ from: '22:00', to: '23:00' }] }],
  ]
  test.each(guards)('%s', async (_, changed) => {
    await plan('run-1')
    await approve()
    world.ports = { ...world.ports, treasury: treasuryWith({ weekly: WEEKLY }, changed) }
    expect(await plan('run-1_2')).toMatchObject({
      ...{ outcome: 'APPROVAL_VOID', legs: [] },
      why: 'the guards have changed since',
    })
  })
})

describe('a plan that waits', () => {
  test('stays while a later run of the policy would only repeat it, which then does not take its place', async () => {
    await plan('run-1')
    later(600)
    expect(await plan('run-2')).toMatchObject({
      ...{ outcome: 'ALREADY_RUNNING', legs: [] },
      why: 'run run-1 of the policy waits for approval until 2026-01-01T01:00:00.000Z, and nothing that its plan rests on has changed',
    })
    await approve()
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'FIRST' })
  })

  test('makes way at once, approved or not, if the file now has another policy or other guards', async () => {
    for (const [run, next] of [
      ['run-1', 'run-2'],
      ['run-2', 'run-3'],
    ] as const) {
      if (run === 'run-1') await plan(run)
      await approve(run)
      const guards = { total: { largest: run === 'run-1' ? '500000' : '600000' } }
      world.ports = { ...world.ports, treasury: treasuryWith({ weekly: WEEKLY }, guards) }
      expect(await plan(next)).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
      const why = `run ${next} has taken its place: the guards have changed since`
      expect(await find(run)).toMatchObject({ outcome: 'APPROVAL_VOID', why })
    }
  })

  test('is not voided by a deposit of dust, nor by any number of later runs', async () => {
    await plan('run-1')
    world.account.balances.A = '10.05'
    world.account.balances.USD = '9'
    expect(await plan('run-2')).toMatchObject({ outcome: 'ALREADY_RUNNING' })
    await approve()
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'FIRST', legs: [{ request: { amount: '10' } }] })
  })

  test('is not voided by a reduction below the worth of a trade, and is by that much', async () => {
    await plan('run-1')
    await approve()
    world.account.balances.A = '9.9'
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'APPROVAL_VOID' })
  })

  test('is left for later, and not voided, while a movement of its assets is under way', async () => {
    await plan('run-1')
    await approve()
    const params = { baseAsset: 'B', quoteAsset: 'USD', side: 'BUY', amountAsset: 'USD', amount: '1' } as const
    const { journal } = world.ports
    const opened = {
      intentId: 'other',
      kind: 'convert',
      params,
      frozen: frozenOf(params),
      createdAt: START,
      notAfter: START,
    } as const
    const intent = await journal.open(opened)
    await journal.advance(intent, armed(intent, 'order-other'))
    const why = 'intent other of USD is in doubt'
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'GUARDED', legs: [], why })
    expect(await find('run-1')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
  })
})

describe('amounts that leave without approval', () => {
  const payouts = () => {
    begin(
      { weekly: { kind: 'sweep', rules: [{ assets: ['A'], contactId: 'vault' }], approval: { above: '1000' } } },
      { total: { largest: '904.04775' } },
    )
    const labels = { type: 'INTERNAL', alias: 'Vault', reference: null }
    const findContact = async (id: string) => ({ id, ...labels, updatedAt: '2025-06-01T00:00:00Z' })
    world.ports = { ...world.ports, service: { ...world.ports.service, findContact } }
    world.account.balances = { A: '100' }
  }
  const sweep = planBy(planSweep)

  test('count from their earliest possible send, by the hour', async () => {
    payouts()
    expect(await sweep('run-1')).toMatchObject({ outcome: 'WITHDRAW' })
    // The result of the leg is uncertain, so it counts.
    const run = await find('run-1')
    const [leg] = (await sweep('run-1')).legs
    if (leg === undefined || run === undefined) throw new TypeError('there is no leg')
    const times = { createdAt: START, notAfter: run.notAfter }
    const { amount } = leg.request
    const frozen = { ...WITHDRAWAL.frozen, amount, total: amount }
    const opened = { intentId: leg.name, kind: 'withdraw', params: leg.request, frozen, ...times } as const
    const intent = await world.ports.journal.open(opened)
    await world.ports.journal.advance(intent, armed(intent, 'order-1'))
    await settle('run-1')
    expect((await world.ports.policies.find('weekly')).unasked).toEqual({
      asset: 'USD',
      hours: { '2026-01-01T00': '899.55' },
    })
  })

  test('count until a day later, and an approved amount does not', async () => {
    begin({ weekly: { ...POLICY, approval: { ...APPROVAL, above: '3000' } } })
    const whole = async (run: string) => {
      for (const phase of [1, 2])
        for (const leg of (await plan(run, { phase })).legs) await carryOut(leg, world, world.ports)
      return settle(run)
    }
    expect(await whole('run-1')).toMatchObject({ outcome: 'SETTLED' })
    later(23 * 3_600)
    world.account.balances = { ...world.account.balances, A: '10' }
    const waits = await plan('run-2')
    expect(waits).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    expect(waits.why).toContain(
      'its turnover of 2000 USD, with 2000 that went unasked in the last 24 hours, is more than 3000',
    )
    await approve('run-2')
    expect(await whole('run-2_2')).toMatchObject({ outcome: 'SETTLED' })
    later(2 * 3_600)
    world.account.balances = { ...world.account.balances, A: '10' }
    expect(await plan('run-3')).toMatchObject({ outcome: 'FIRST' })
  })
})
