// Tests balances that a run leaves in a hub, and their use by the next run of its policy. The run sells A for USD, the
// hub, and buys B with the USD. The 5 USD that exist at first are foreign.
import { beforeEach, describe, expect, test } from 'vitest'
import type { ConvertRequest } from '../../../core/contract/convert.ts'
import type { Policy } from '../../../core/contract/policies.ts'
import { IntentState } from '../../../core/contract/records.ts'
import type { PlanOutput } from '../../../core/contract/runs.ts'
import { zeroMove } from '../../../core/journal/moves.ts'
import { rememberedBalances } from '../../../core/runs/settle/remembered.ts'
import { readValueAfter } from '../../../core/runs/settle/value-after.ts'
import { planRebalance } from '../../../functions/plan-rebalance/plan-rebalance.ts'
import { armed, frozenOf } from '../../helpers/intents.ts'
import { POLICY, START } from '../../helpers/run-world.ts'
import { begin, carryOutAll, memory, planBy, reportOf, settle, world } from './weekly-runs.ts'

beforeEach(() => begin())

const plan = planBy(planRebalance)

/** Sells, and ends before it buys. */
async function strand(execution: string): Promise<void> {
  await carryOutAll((await plan(execution)).legs)
  await settle(execution)
}

const amountsOf = ({ legs }: PlanOutput) => legs.map(({ request }) => request.amount)

describe('a run whose second hop did not happen', () => {
  test('reports its balance in the hub, and counts it in the total', async () => {
    await strand('run-1')
    expect(await reportOf('run-1')).toMatchObject({
      ...{ outcome: 'PARTLY_SETTLED', totalValueAfter: '1000' },
      residues: [{ asset: 'USD', before: '0', amount: '1000' }],
    })
  })

  test('is completed by the next, with that amount of the hub and no more', async () => {
    await strand('run-1')
    const next = await plan('run-2')
    expect(next).toMatchObject({ outcome: 'LAST' })
    expect(amountsOf(next)).toEqual(['1000'])
    await carryOutAll(next.legs)
    expect(await settle('run-2')).toMatchObject({ outcome: 'SETTLED' })
    expect(await reportOf('run-2')).toMatchObject({
      ...{ totalValueAfter: '1000', plan: { totalValue: '1000' } },
      residues: [{ asset: 'USD', before: '1000', amount: '0' }],
    })
    expect(world.account.balances).toMatchObject({ A: '0', B: '20', USD: '5' })
    expect((await memory()).residues).toEqual({})
    expect(await plan('run-3')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
    expect((await reportOf('run-3')).residues).toBeUndefined()
  })

  test("does not count as a fall of the policy's value", async () => {
    begin({ weekly: { ...POLICY, breaker: { largestFallBps: 100 } } })
    await strand('run-1')
    expect(await plan('run-2')).toMatchObject({ outcome: 'LAST' })
  })

  test('nor while a foreign movement in the hub is in doubt', async () => {
    begin({ weekly: { ...POLICY, breaker: { largestFallBps: 100 } } })
    await strand('run-1')
    const params = { baseAsset: 'B', quoteAsset: 'USD', side: 'BUY', amountAsset: 'USD', amount: '1' } as const
    const times = { createdAt: START, notAfter: START }
    const intent = await world.ports.journal.open({
      intentId: 'other',
      kind: 'convert',
      params,
      frozen: frozenOf(params),
      ...times,
    })
    await world.ports.journal.advance(intent, armed(intent, 'order-other'))
    expect(await plan('run-2')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
    expect(await reportOf('run-2')).toMatchObject({
      plan: {
        totalValue: '1000',
        nonLegs: expect.arrayContaining([expect.objectContaining({ asset: 'USD', code: 'in_doubt' })]),
      },
    })
  })

  test('is not reported again by a run that starts again once it is gone', async () => {
    begin({ weekly: { ...POLICY, breaker: { largestFallBps: 100 } } })
    world.account.balances.B = '20'
    await strand('run-1')
    world.account.balances.USD = '500'
    world.account.rates.B = '40'
    expect(await plan('run-2')).toMatchObject({ outcome: 'HALTED' })
    expect((await reportOf('run-2')).residues).toEqual([{ asset: 'USD', before: '500', amount: '500' }])
    await world.halts.resume({ scope: 'weekly', by: 'ana', because: 'looked at', at: START })
    world.account.balances.USD = '0'
    world.account.balances.A = '10'
    expect(await plan('run-2_2')).toMatchObject({ outcome: 'FIRST' })
    expect((await reportOf('run-2')).residues).toBeUndefined()
  })

  test('is reported by a shadow, which leaves it in place', async () => {
    await strand('run-1')
    await plan('look', { request: { policy: 'weekly', shadow: true } })
    expect(await reportOf('look')).toMatchObject({ residues: [{ asset: 'USD', before: '1000', amount: '1000' }] })
    expect(await memory()).toMatchObject({ residues: { USD: '1000' } })
  })
})

describe('foreign movements in the hub', () => {
  test('an amount that a foreign movement took is never claimed again, even if more comes later', async () => {
    await strand('run-1')
    world.account.balances.USD = '4'
    expect(await plan('run-2')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
    expect(await reportOf('run-2')).toMatchObject({ residues: [{ asset: 'USD', before: '4', amount: '4' }] })
    world.account.balances.USD = '9000'
    expect(await plan('run-3')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
    expect(await memory()).toMatchObject({ residues: { USD: '4' } })
  })

  test('a hub that the policy no longer names is left out of the report after a run, as before it', async () => {
    await strand('run-1')
    const run = await world.ports.runs.find('run-1')
    if (run === undefined) throw new TypeError('there is no run-1')
    const asPlanned: Policy = { ...run.asPlanned, hubs: ['A'] }
    const valueAfter = await readValueAfter({ ...run, asPlanned }, world.ports)
    expect(valueAfter?.(run.residues ?? [])).toMatchObject({ total: '0' })
  })

  test('a hub that gets a weight is counted whole, and the claim is gone', async () => {
    await strand('run-1')
    const { ports } = world
    const weekly = { ...POLICY, weights: { B: '1', USD: '0' } }
    world.ports = { ...ports, treasury: { ...ports.treasury, policies: { weekly } } }
    expect(amountsOf(await plan('run-2'))).toEqual(['1005'])
    expect((await memory()).residues).toEqual({})
  })
})

describe('a second hop in doubt', () => {
  async function armSecondHop(): Promise<string> {
    await carryOutAll((await plan('run-1')).legs)
    const [leg] = (await plan('run-1', { phase: 2 })).legs
    if (leg === undefined) throw new TypeError('there is no second hop')
    const { name: intentId, request: params } = leg
    const times = { createdAt: START, notAfter: params.notAfter ?? START }
    const intent = await world.ports.journal.open({
      intentId,
      kind: 'convert',
      params,
      frozen: frozenOf(params as ConvertRequest),
      ...times,
    })
    await world.ports.journal.advance(intent, armed(intent, `order-${intentId}`))
    return intentId
  }

  async function strandInDoubt(): Promise<string> {
    const intentId = await armSecondHop()
    expect(await settle('run-1')).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    return intentId
  }

  async function certifyZero(intentId: string): Promise<void> {
    const intent = await world.ports.journal.find(intentId, 'convert')
    if (intent === undefined) throw new TypeError('there is no intent')
    await world.ports.journal.advance(intent, zeroMove(intent, IntentState.Rejected, 'REJECTED', 'it never came'))
  }

  test('counts as gone until the result is certain', async () => {
    await strandInDoubt()
    expect((await reportOf('run-1')).residues).toBeUndefined()
    expect((await memory()).residues ?? {}).toEqual({})
  })

  test('leaves its money to the next run once it turns out to be a zero, and once only', async () => {
    const intentId = await strandInDoubt()
    await certifyZero(intentId)
    for (const entry of ['run-1_2', 'run-1_2', 'run-1_3']) await settle(entry)
    expect(await reportOf('run-1')).toMatchObject({ residues: [{ asset: 'USD', before: '0', amount: '1000' }] })
    const { residues, doubtful } = await memory()
    expect({ residues, doubtful }).toEqual({ residues: { USD: '1000' }, doubtful: {} })
    expect(amountsOf(await plan('run-2'))).toEqual(['1000'])
  })

  test('leaves it even if settling was cut off before the doubt was over', async () => {
    let writes = 0
    let refusedAt = 0
    begin({ weekly: POLICY }, {}, () => (++writes === refusedAt ? 'refused' : undefined))
    const intentId = await armSecondHop()
    // The policy's record is written, and the run's end is not.
    refusedAt = writes + 2
    await expect(settle('run-1')).rejects.toThrow()
    expect(await memory()).toMatchObject({ lastRunId: 'run-1', doubtful: { 'run-1': {} } })
    await certifyZero(intentId)
    expect(await settle('run-1')).toMatchObject({ outcome: 'PARTLY_SETTLED' })
    const { residues, doubtful } = await memory()
    expect({ residues, doubtful }).toEqual({ residues: { USD: '1000' }, doubtful: {} })
  })

  test('is stored before those of other runs, whatever its name', () => {
    const others = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`run-${index}`, {}]))
    const known = { policy: 'weekly', version: 1, failuresInRow: 0, contacts: {}, doubtful: others }
    const { doubtful = {} } = rememberedBalances({ runId: '20260101', balances: [], isCertain: false }, known)
    expect(Object.keys(doubtful)).toHaveLength(20)
    expect(doubtful).toHaveProperty('20260101')
  })
})
