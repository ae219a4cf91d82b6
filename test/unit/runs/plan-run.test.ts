// The planning of runs: phases, impossible requests, and obstacles to a run.
import { beforeEach, describe, expect, test } from 'vitest'
import { IntentState, listing } from '../../../core/contract/records.ts'
import { Transient } from '../../../core/errors.ts'
import { EVERYTHING } from '../../../core/journal/halts.ts'
import { reportOfRun } from '../../../core/runs/record/run-record.ts'
import { armed, frozenOf } from '../../helpers/intents.ts'
import { namesOf, POLICY, START, treasuryWith } from '../../helpers/run-world.ts'
import { begin, carryOutAll, find, later, plan, request, settle, world } from './weekly-runs.ts'

const FUND = { kind: 'fund', asset: 'A', atLeast: '1', from: [{ asset: 'USD' }] }

beforeEach(() => begin())

describe('a run of two phases', () => {
  test('sells, buys with the proceeds, and settles with every fill reported', async () => {
    const first = await plan('run-1')
    expect(first).toMatchObject({ outcome: 'FIRST', runId: 'run-1', phase: 1, policy: 'weekly', kind: 'rebalance' })
    expect(first.legs).toMatchObject([
      {
        name: expect.stringMatching(/^[0-9a-f]{40}$/),
        request: { side: 'SELL', amount: '10', policy: 'weekly', run: 'run-1', notAfter: '2026-01-01T00:15:00.000Z' },
      },
    ])
    // The rate falls before the sale is made: the second phase has less to buy with than planned.
    world.account.rates.A = '90'
    await carryOutAll(first.legs)
    const second = await plan('run-1', { phase: 2 })
    expect(second).toMatchObject({ outcome: 'LAST', phase: 2, legs: [{ request: { side: 'BUY', amount: '905' } }] })
    await carryOutAll(second.legs)
    expect(await settle('run-1')).toMatchObject({ outcome: 'SETTLED', tiesOut: true, legs: [{}, {}] })

    const run = await find('run-1')
    const report = reportOfRun(run as NonNullable<typeof run>)
    expect(report).toMatchObject({ outcome: 'SETTLED', tiesOut: true, totalValueAfter: '905' })
    expect(report.legs).toMatchObject([
      { leg: { key: 'sell-A-USD' }, outcome: 'FILLED', conversion: { baseAmount: '10', quoteAmount: '900' } },
      { leg: { key: 'buy-B-USD', gives: { amount: '905' } }, outcome: 'FILLED', conversion: { baseAmount: '18.1' } },
    ])
  })

  test('returns the same legs however often it is entered, and other executions of them to a later entry', async () => {
    const first = await plan('run-1')
    world.account.rates.A = '90'
    world.account.balances.A = '12'
    expect(await plan('run-1')).toEqual(first)
    const again = await plan('run-1_2')
    expect(namesOf(again)).toEqual(namesOf(first).map((name) => `${name}_2`))
    expect(again.legs.map((leg) => leg.request)).toEqual(first.legs.map((leg) => leg.request))
  })

  test('freezes an empty phase, so that it stays empty', async () => {
    const first = await plan('run-1')
    world.account.balances.USD = '0'
    expect(await plan('run-1', { phase: 2 })).toMatchObject({ outcome: 'SETTLE', legs: [] })
    await carryOutAll(first.legs)
    expect(await plan('run-1', { phase: 2 })).toMatchObject({ outcome: 'SETTLE', legs: [] })
    expect(await settle('run-1')).toMatchObject({ outcome: 'PARTLY_SETTLED', why: 'buy-B-USD was not begun' })
  })

  test('reads the figures of a phase again if they were too old once all were read', async () => {
    await carryOutAll((await plan('run-1')).legs)
    const { ports } = world
    let slow = true
    const markets = () => {
      if (slow) later(121)
      slow = false
      return ports.service.markets()
    }
    world.ports = { ...ports, service: { ...ports.service, markets } }
    await expect(plan('run-1', { phase: 2 })).rejects.toThrow('took longer than 120 s')
    expect(await plan('run-1', { phase: 2 })).toMatchObject({ outcome: 'LAST', legs: [{ request: { side: 'BUY' } }] })
  })

  test('starts no phase once its time is over', async () => {
    await carryOutAll((await plan('run-1')).legs)
    later(900)
    expect(await plan('run-1', { phase: 2 })).toMatchObject({ outcome: 'SETTLE', legs: [] })
    const planned = (await find('run-1'))?.plan?.guards
    expect(planned).toMatchObject([{ guard: 'run', says: expect.stringContaining('time ran out') }])
  })

  test('is listed as open while it is under way, and by its policy and month once it has ended', async () => {
    await plan('run-1')
    const listed = (name: string) => world.ports.index.list(name, 10)
    expect(await listed(listing.openRuns)).toEqual(['run-1'])
    await settle('run-1')
    expect(await listed(listing.openRuns)).toEqual([])
    expect(await listed(listing.runsOfPolicy('weekly', '2026-01'))).toEqual(['run-1'])
  })
})

describe('intents in doubt', () => {
  test('keep their assets out of a plan, even once a person is to decide', async () => {
    const { journal } = world.ports
    const params = { baseAsset: 'a', quoteAsset: 'X', side: 'SELL', amountAsset: 'a', amount: '1' } as const
    const times = { createdAt: START, notAfter: START }
    const intent = await journal.open({
      intentId: 'other',
      kind: 'convert',
      params,
      frozen: frozenOf(params),
      ...times,
    })
    const doubtful = await journal.advance(intent, armed(intent, 'order-other'))
    expect(await plan('run-1')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
    await journal.advance(doubtful, { state: IntentState.Escalated, outcome: 'NEEDS_ATTENTION', why: 'unclear' })
    expect(await plan('run-2')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
  })

  test('count in the balances once they are done', async () => {
    world.account.orders.set('moving', {
      ...{ id: 'moving', status: 'NEW', side: 'SELL', market: 'A-USD', rate: '100', baseAsset: 'A', quoteAsset: 'USD' },
      ...{ baseAmount: '4', filledBaseAmount: '1', quoteAmount: '400', filledQuoteAmount: '100' },
    })
    expect(await plan('run-1')).toMatchObject({ legs: [{ request: { amount: '7' } }] })
    const positions = (await find('run-1'))?.plan?.positions
    expect(positions).toMatchObject([{ asset: 'A', holding: '7' }, {}, { asset: 'USD', holding: '305' }])
  })
})

describe('a request', () => {
  test.each([
    ['that is invalid', { policy: 7 }, /input\.policy/],
    ['of an unknown policy', { policy: 'daily' }, /no policy daily/],
    ['with a policy that contradicts itself', { policy: { kind: 'rebalance', weights: { A: '0.4' } } }, /weights/],
    ['for the other state machine', { policy: { kind: 'sweep', rules: [{ assets: ['A'], contactId: 'c' }] } }, /sweep/],
  ])('%s fails with its fault', async (_, wrong, why) => {
    expect(await plan('run-1', { request: wrong })).toMatchObject({
      ...{ outcome: 'FAILED', legs: [], why: expect.stringMatching(why) },
    })
  })

  test('under the id of another run fails, and leaves that run alone', async () => {
    const first = await plan('run-1')
    expect(await plan('run-1', { request: { policy: 'weekly', shadow: true } })).toMatchObject({ outcome: 'FAILED' })
    expect(await plan('run-1')).toEqual(first)
  })

  test('is the same whatever started it', async () => {
    const first = await plan('run-1', { request: { ...request, trigger: { by: 'schedule' } } })
    expect(await plan('run-1', { request: { ...request, trigger: { by: 'person' } } })).toEqual(first)
  })

  test('with its own policy is a run of that policy, under its own name', async () => {
    const inline = { policy: { kind: 'rebalance', weights: { A: '0', B: '1' }, smallestTrade: '11' } }
    begin({})
    expect(await plan('run-1', { request: inline })).toMatchObject({
      ...{ outcome: 'FIRST', policy: expect.stringMatching(/^inline-[0-9a-f]{8}$/) },
    })
  })
})

describe('a policy that came with its request, and that treasury.json has whenever it runs,', () => {
  const inline = { policy: { kind: 'rebalance', weights: { A: '0', B: '1' } } }
  beforeEach(() => {
    begin({ weekly: { ...POLICY, schedule: { expression: 'rate(1 day)', timeZone: 'UTC' } } })
  })

  test('waits for the run of the policy that is under way', async () => {
    expect(await plan('run-1')).toMatchObject({ outcome: 'FIRST' })
    expect(await plan('run-2', { request: inline })).toMatchObject({ outcome: 'ALREADY_RUNNING', policy: 'weekly' })
  })

  test('is halted with it, and moves under its name', async () => {
    const halt = { scope: 'weekly', by: 'the breaker', because: '3 runs in a row did not settle', at: START }
    await world.halts.halt(halt)
    expect(await plan('run-1', { request: inline })).toMatchObject({ outcome: 'HALTED' })
    await world.halts.resume(halt)
    expect(await plan('run-2', { request: inline })).toMatchObject({ legs: [{ request: { policy: 'weekly' } }] })
  })
})

describe('obstacles to a run', () => {
  const by = { by: 'ana', because: 'audit', at: START }

  test('a halt of the policy or of everything ends it HALTED; a later entry starts again', async () => {
    await world.halts.halt({ scope: 'weekly', ...by })
    expect(await plan('run-1')).toMatchObject({ outcome: 'HALTED', why: expect.stringContaining('audit') })
    await world.halts.resume({ scope: 'weekly', ...by })
    expect(await plan('run-1')).toMatchObject({ outcome: 'HALTED' })
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'FIRST' })
    await world.halts.halt({ scope: EVERYTHING, ...by })
    expect(await plan('run-2')).toMatchObject({ outcome: 'HALTED' })
  })

  test('its end is the time of the service when it was refused, also long after its start', async () => {
    world.account.nowMs = Date.parse(START) + 840_000
    await world.halts.halt({ scope: 'weekly', ...by })
    await plan('run-1')
    const endedAt = new Date(world.account.nowMs).toISOString()
    expect(await world.ports.runs.find('run-1')).toMatchObject({ outcome: 'HALTED', startedAt: START, endedAt })
  })

  test('maintenance ends it GUARDED without a read that would fail', async () => {
    world.account.status = 'MAINTENANCE'
    world.account.failing = new Transient('maintenance')
    expect(await plan('run-1')).toMatchObject({ outcome: 'GUARDED', why: 'the service is in maintenance' })
  })

  test('quiet hours end it GUARDED, with their end', async () => {
    begin({ weekly: { ...POLICY, guards: { quietHours: [{ from: '00:00', to: '06:00' }] } } })
    expect(await plan('run-1')).toMatchObject({
      ...{ outcome: 'GUARDED', why: expect.stringContaining('2026-01-01T06:00:00.000Z') },
    })
  })

  test('figures that are old when prices arrive end it GUARDED', async () => {
    const { price } = world.ports.service
    const slow: typeof price = (...asked) => {
      later(100)
      return price(...asked)
    }
    world.ports = { ...world.ports, service: { ...world.ports.service, price: slow } }
    expect(await plan('run-1')).toMatchObject({ outcome: 'GUARDED', why: expect.stringContaining('120 s') })
    expect(await plan('run-1')).toMatchObject({ outcome: 'GUARDED' })
  })

  test('a shadow still plans, reports the obstacles, and freezes nothing', async () => {
    await world.halts.halt({ scope: 'weekly', ...by })
    const shadow = { request: { policy: 'weekly', shadow: true } }
    expect(await plan('run-1', shadow)).toMatchObject({ outcome: 'SHADOWED', legs: [] })
    const run = await find('run-1')
    expect(run?.plan).toMatchObject({ legs: [{}, {}], guards: [{ guard: 'halt' }] })
    expect(run?.phases).toEqual([])
    expect((await world.ports.policies.find('weekly')).holder).toBeUndefined()
  })

  test('a run in shadow mode keeps its id free: once the policy is live, a later entry plans it and moves', async () => {
    begin({ weekly: { ...POLICY, mode: 'shadow' } })
    expect(await plan('run-1')).toMatchObject({ outcome: 'SHADOWED', legs: [] })
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'SHADOWED', legs: [] })
    world.ports = { ...world.ports, treasury: treasuryWith({ weekly: POLICY }) }
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'SHADOWED', legs: [] })
    expect(await plan('run-1_3')).toMatchObject({ outcome: 'FIRST', legs: [{}] })
    expect((await world.ports.policies.find('weekly')).holder).toBe('run-1_3')
  })

  test('a run in shadow mode that is entered again, and meets a halt, shows no plan of its earlier entry', async () => {
    begin({ weekly: { ...POLICY, mode: 'shadow' } })
    await plan('run-1')
    expect((await find('run-1'))?.plan).toBeDefined()
    world.ports = { ...world.ports, treasury: treasuryWith({ weekly: POLICY }) }
    await world.halts.halt({ scope: 'weekly', ...by })
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'HALTED' })
    const run = await find('run-1')
    expect([run?.outcome, run?.plan, run?.residues]).toEqual(['HALTED', undefined, undefined])
  })

  test('a run that begins again after the kind of its policy changed is reported with the new kind', async () => {
    begin({ weekly: { ...POLICY, mode: 'shadow' } })
    await plan('run-1')
    world.ports = { ...world.ports, treasury: treasuryWith({ weekly: FUND }) }
    expect(await plan('run-1_2')).toMatchObject({ kind: 'fund' })
    const run = await find('run-1')
    expect([run?.kind, run?.asPlanned.kind]).toEqual(['fund', 'fund'])
  })
})
