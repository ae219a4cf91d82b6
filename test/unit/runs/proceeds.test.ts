// Proceeds of a sweep's conversions that no withdrawal sent. They belong to the policy, and the next run sends them to
// their contact. Later plans report proceeds that no run will send. A is sold for USD, which goes to the bank; 5 USD
// are foreign.

import { beforeEach, describe, expect, test } from 'vitest'
import { IntentState } from '../../../core/contract/records.ts'
import type { StartLeg } from '../../../core/contract/runs.ts'
import type { WithdrawRequest } from '../../../core/contract/withdraw.ts'
import { doneMove, zeroMove } from '../../../core/journal/moves.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { planSweep } from '../../../functions/plan-sweep/plan-sweep.ts'
import { armed, guardsOf, WITHDRAWAL } from '../../helpers/intents.ts'
import { carryOut, POLICY, START, treasuryWith } from '../../helpers/run-world.ts'
import { begin, input, memory, planBy, reportOf, settle, world } from './weekly-runs.ts'

const RULE = { assets: ['A'], convertInto: 'USD', contactId: 'bank' }
const sweepOf = (...rules: object[]) => ({ kind: 'sweep', rules })

function beginSweep(...rules: object[]): void {
  begin({ weekly: sweepOf(...(rules.length === 0 ? [RULE] : rules)) })
  const labels = { type: 'INTERNAL', alias: 'Bank', reference: null, updatedAt: '2025-06-01T00:00:00Z' }
  const row = {
    ...{ id: 'row-1', subType: 'INTERNAL', assetSymbol: 'USD', amount: '1000', fee: '0', total: '1000' },
    ...{ status: 'COMPLETED', createdAt: START, transactionHash: null, bankReference: null, networkId: null },
  }
  const service = { findContact: async (id: string) => ({ id, ...labels }), findWithdrawal: async () => row }
  world.ports = { ...world.ports, service: { ...world.ports.service, ...service } }
}
beforeEach(() => beginSweep())

function change(policies: Record<string, unknown>): void {
  world.ports = { ...world.ports, treasury: treasuryWith(policies) }
}

const plan = planBy(planSweep)

async function open(leg: StartLeg | undefined) {
  if (leg === undefined) throw new TypeError('there is no leg')
  const times = { createdAt: START, notAfter: leg.request.notAfter ?? START }
  const { amount, assetSymbol, contactId = '' } = leg.request as WithdrawRequest
  const payee = { ...WITHDRAWAL.frozen.payee, contactId }
  const asked = { amount, total: amount, assetSymbol, contactId, payee }
  const frozen = { ...WITHDRAWAL.frozen, ...asked, ...guardsOf(leg.request) }
  return world.ports.journal.open({ intentId: leg.name, kind: 'withdraw', params: leg.request, frozen, ...times })
}

async function reject(leg: StartLeg | undefined): Promise<void> {
  const intent = await open(leg)
  const why = 'the bank is closed'
  await world.ports.journal.advance(intent, zeroMove(intent, IntentState.Rejected, 'REJECTED', why))
}

/** Converts, and the withdrawal of the proceeds fails. */
async function strand(execution: string): Promise<void> {
  for (const leg of (await plan(execution)).legs) await carryOut(leg, world, world.ports)
  for (const leg of (await plan(execution, { phase: 2 })).legs) await reject(leg)
  await settle(execution)
}

const requestsOf = ({ legs }: Awaited<ReturnType<typeof plan>>) => legs.map(({ request }) => request)

describe('a sweep whose withdrawal failed', () => {
  test('reports its unsent proceeds and their contact', async () => {
    await strand('run-1')
    expect(await reportOf('run-1')).toMatchObject({
      ...{ outcome: 'PARTLY_SETTLED' },
      residues: [{ asset: 'USD', contactId: 'bank', before: '0', amount: '1000' }],
    })
  })

  test('is completed by the next run, with that amount and no more', async () => {
    await strand('run-1')
    const next = await plan('run-2')
    expect(next).toMatchObject({ outcome: 'WITHDRAW' })
    expect(requestsOf(next)).toMatchObject([{ assetSymbol: 'USD', amount: '1000', contactId: 'bank' }])
    const intent = await open(next.legs[0])
    const sent = await world.ports.journal.advance(intent, armed(intent, 'row-1'))
    await world.ports.journal.claim('withdraw', 'row-1', intent.intentId)
    await world.ports.journal.advance(sent, doneMove(sent, 'row-1'))
    world.account.balances.USD = '5'
    expect(await settle('run-2')).toMatchObject({ outcome: 'SETTLED' })
    expect((await reportOf('run-2')).residues).toEqual([
      { asset: 'USD', contactId: 'bank', before: '1000', amount: '0' },
    ])
    expect((await memory()).residues).toEqual({})
    expect(await plan('run-3')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
  })

  test('sends it along with the proceeds of the next conversions', async () => {
    await strand('run-1')
    world.account.balances.A = '3'
    for (const leg of (await plan('run-2')).legs) await carryOut(leg, world, world.ports)
    expect(requestsOf(await plan('run-2', { phase: 2 }))).toMatchObject([{ amount: '1300' }])
  })

  test('counts a withdrawal in doubt as gone, until it is certain that it moved nothing', async () => {
    await strand('run-1')
    const intent = await open((await plan('run-2')).legs[0])
    const sent = await world.ports.journal.advance(intent, armed(intent, 'row-1'))
    expect(await settle('run-2')).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    expect((await memory()).residues).toEqual({})
    const escalated = { state: IntentState.Exhausted, outcome: 'EXHAUSTED', why: 'no withdrawal came of it' }
    await world.ports.journal.advance(sent, escalated)
    await settle('run-2_2')
    await settle('run-2_3')
    expect((await memory()).residues).toEqual({ 'USD bank': '1000' })
  })

  test('claims at most the balance, and never claims again an amount that somebody took', async () => {
    await strand('run-1')
    world.account.balances.USD = '400'
    expect(requestsOf(await plan('run-2'))).toMatchObject([{ amount: '400' }])
    expect((await memory()).residues).toEqual({ 'USD bank': '400' })
  })

  test('leaves the missing part of the floor out of its proceeds, and does not claim it', async () => {
    beginSweep(RULE, { assets: ['USD'], contactId: 'vault', keep: { target: '105', trigger: '100000' } })
    await strand('run-1')
    // 5 existed, and 100 of the proceeds stay.
    expect((await reportOf('run-1')).residues).toMatchObject([{ amount: '900' }])
    world.account.balances.USD = '5000'
    expect(requestsOf(await plan('run-2'))).toMatchObject([{ amount: '900', contactId: 'bank' }])
  })

  test('keeps amounts for different contacts apart', async () => {
    beginSweep(RULE, { assets: ['B'], convertInto: 'USD', contactId: 'vault' })
    world.account.balances.B = '2'
    await strand('run-1')
    expect((await memory()).residues).toEqual({ 'USD bank': '1000', 'USD vault': '100' })
    expect(requestsOf(await plan('run-2'))).toMatchObject([
      { amount: '1000', contactId: 'bank' },
      { amount: '100', contactId: 'vault' },
    ])
  })
})

describe('proceeds that no run will send', () => {
  const OTHER = { ...RULE, contactId: 'vault' }

  test('of a policy that now sends to another contact are reported by every plan, and go nowhere', async () => {
    await strand('run-1')
    change({ weekly: sweepOf(OTHER) })
    for (const run of ['run-2', 'run-3']) {
      expect(await plan(run)).toMatchObject({
        ...{ outcome: 'NOTHING_TO_DO', legs: [] },
        why: 'no run carries on 1000 USD that earlier runs of weekly were to send to bank',
      })
      expect((await reportOf(run)).plan?.nonLegs).toContainEqual(
        expect.objectContaining({ asset: 'USD', code: 'stranded' }),
      )
    }
    expect((await memory()).residues).toEqual({ 'USD bank': '1000' })
  })

  test('of a policy that changed its kind are not forgotten', async () => {
    await strand('run-1')
    change({ weekly: POLICY })
    world.account.balances.B = '1'
    const next = await planRebalance(input('run-2'), world.ports)
    expect(next).toMatchObject({ outcome: 'NOTHING_TO_DO' })
    expect(next.why).toContain('1000 USD')
    expect((await memory()).residues).toEqual({ 'USD bank': '1000' })
  })

  test('of a policy that is gone from treasury.json are reported by the plans of the others', async () => {
    await strand('run-1')
    change({ daily: sweepOf(OTHER) })
    const request = { policy: 'daily' }
    expect(await plan('run-2', { request })).toMatchObject({ outcome: 'NOTHING_TO_DO' })
    expect((await reportOf('run-2')).plan?.nonLegs).toContainEqual({
      asset: 'USD',
      code: 'stranded',
      reason:
        'no run carries on 1000 USD that earlier runs of weekly were to send to bank: treasury.json has no policy weekly any more; the one that took its place says so by "was": "weekly"',
    })
  })

  test('of a hub that the policy no longer names are reported, too', async () => {
    change({ weekly: POLICY })
    const rebalance = (run: string, more: object = {}) => planRebalance(input(run, more), world.ports)
    for (const leg of (await rebalance('run-1')).legs) await carryOut(leg, world, world.ports)
    await settle('run-1')
    expect((await memory()).residues).toEqual({ USD: '1000' })
    change({ weekly: { ...POLICY, weights: { A: '0.5', B: '0.5' }, hubs: ['A'] } })
    await rebalance('run-2')
    expect((await reportOf('run-2')).plan?.nonLegs).toContainEqual(
      expect.objectContaining({
        ...{ asset: 'USD', code: 'stranded' },
        reason: expect.stringContaining('no run carries on 1000 USD that earlier runs of weekly left on its way'),
      }),
    )
  })
})
