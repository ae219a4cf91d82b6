// The end of a run: the legs that it closes permanently, the counts and balances that its policy stores, and the rest
// after a fault.
import { beforeEach, describe, expect, test } from 'vitest'
import { policy as policySchema } from '../../../core/contract/policies.ts'
import { IntentState, recordKey } from '../../../core/contract/records.ts'
import type { StartLeg } from '../../../core/contract/runs.ts'
import { Defect, Transient } from '../../../core/errors.ts'
import type { Move } from '../../../core/journal/moves.ts'
import { settleRun } from '../../../functions/settle-run/settle-run.ts'
import { carryOut, fillOrder, namesOf, POLICY, START, START_MS } from '../../helpers/run-world.ts'
import { arm, begin, carryOutAll, find, input, later, open, plan, runWhole, settle, world } from './weekly-runs.ts'

beforeEach(() => begin())

describe('once a run is settled', () => {
  test('a leg that never started can start no more', async () => {
    const { legs } = await plan('run-1')
    expect(await settle('run-1')).toMatchObject({
      outcome: 'NOTHING_MOVED',
      tiesOut: true,
      legs: [{ outcome: 'EXPIRED_OUT' }],
    })
    await carryOutAll(legs)
    expect(world.account.movements).toEqual([])
  })

  test('a leg without a send is sent no more', async () => {
    const { legs } = await plan('run-1')
    await open(legs[0])
    expect(await settle('run-1')).toMatchObject({ outcome: 'NOTHING_MOVED', legs: [{ outcome: 'EXPIRED_OUT' }] })
    await carryOutAll(legs)
    expect(world.account.movements).toEqual([])
  })
})

describe('another request under the id of a leg', () => {
  const foreign = async () => {
    const [leg] = (await plan('run-1')).legs
    if (leg === undefined) throw new TypeError('there is no leg')
    const request = { ...leg.request, amount: '1', run: undefined } as StartLeg['request']
    return { intentId: leg.name, other: { ...leg, request } }
  }

  test('is not taken for the leg, whatever its result', async () => {
    const { other } = await foreign()
    await carryOut(other, world, world.ports)
    expect(world.account.balances.A).toBe('9')
    await plan('run-1', { phase: 2 })
    expect(await settle('run-1')).toMatchObject({
      ...{ outcome: 'NEEDS_ATTENTION', tiesOut: false, why: expect.stringContaining('another intent under this id') },
    })
  })

  test('is not ended by the run’s end', async () => {
    const { intentId, other } = await foreign()
    await open(other)
    await settle('run-1')
    expect(await world.ports.journal.find(intentId, 'convert')).toMatchObject({ state: IntentState.Ready })
  })
})

test('a movement that nobody can read is reported so, and does not hold a policy permanently', async () => {
  await carryOutAll((await plan('run-1')).legs)
  const fillsOf = async () => {
    throw new Defect('more than 500 fills of order order-1')
  }
  world.ports = { ...world.ports, service: { ...world.ports.service, fillsOf } }
  expect(await settle('run-1')).toMatchObject({
    ...{ outcome: 'NEEDS_ATTENTION', tiesOut: false, why: expect.stringContaining('more than 500 fills') },
  })
  expect(await plan('run-2')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
})

test('a leg whose record was changed after its end is not settled by that record, and the field is named', async () => {
  const { legs } = await plan('run-1')
  await carryOutAll(legs)
  const done = await world.ports.journal.find(legs[0]?.name ?? '', 'convert')
  if (done) await world.ports.journal.advance(done, { frozen: { ...done.frozen, amount: '1' } } as Move)
  expect(await settle('run-1')).toMatchObject({
    ...{ outcome: 'NEEDS_ATTENTION', tiesOut: false },
    why: expect.stringContaining('its frozen.amount is not as it was asked for'),
  })
})

describe('the breaker', () => {
  test('halts a policy after so many consecutive runs that moved nothing, and says why', async () => {
    for (const run of ['run-1', 'run-2', 'run-3']) {
      expect(await plan(run)).toMatchObject({ outcome: 'FIRST' })
      expect(await settle(run)).toMatchObject({ outcome: 'NOTHING_MOVED' })
    }
    const tripped = { because: expect.stringMatching(/^3 runs in a row did not settle/), at: expect.any(String) }
    expect(await settle('run-3')).toMatchObject({ tripped })
    expect(await settle('run-2')).not.toHaveProperty('tripped')
    expect(world.trips).toMatchObject([
      { policy: 'weekly', runId: 'run-3', because: expect.stringContaining('3 runs') },
    ])
    expect(await plan('run-4')).toMatchObject({ outcome: 'HALTED', why: expect.stringContaining('the breaker') })
  })

  test('counts from zero after a run that settled', async () => {
    for (const run of ['run-1', 'run-2']) {
      await plan(run)
      await settle(run)
    }
    expect(await runWhole('run-3')).toMatchObject({ outcome: 'SETTLED' })
    expect(await world.ports.policies.find('weekly')).toMatchObject({ failuresInRow: 0 })
  })

  test('counts a run once, however often it is settled', async () => {
    await plan('run-1')
    await settle('run-1')
    await settle('run-1')
    await settle('run-1_2')
    expect(await world.ports.policies.find('weekly')).toMatchObject({ failuresInRow: 1 })
  })

  test('halts a policy whose assets fell beyond its bound since the last run, once for each fall', async () => {
    begin({ weekly: { ...POLICY, breaker: { largestFallBps: 500 } } })
    await runWhole('run-1')
    world.account.rates.B = '40'
    world.account.balances.A = '10'
    expect(await plan('run-2')).toMatchObject({
      outcome: 'HALTED',
      why: expect.stringContaining('what is held fell by 201 of 1005 USD'),
      tripped: { because: expect.stringContaining('what is held fell by 201 of 1005 USD') },
    })
    expect(world.trips).toHaveLength(1)
    expect(await plan('run-3')).toMatchObject({ outcome: 'HALTED' })
    await world.halts.resume({ scope: 'weekly', by: 'ana', because: 'looked at', at: START })
    expect(await plan('run-4')).toMatchObject({ outcome: 'FIRST' })
  })

  test('takes amounts that came in or went out since the last run for neither gain nor loss', async () => {
    begin({ weekly: { ...POLICY, breaker: { largestFallBps: 500 } } })
    await runWhole('run-1')
    world.account.balances = { A: '1', B: '2', USD: '0' }
    expect(await plan('run-2')).toMatchObject({ outcome: 'FIRST' })
    await carryOutAll((await plan('run-2')).legs)
    await settle('run-2')
    // A deposit does not make up for a price loss of the earlier holdings.
    world.account.balances = { A: '1000', B: '2', USD: '90000' }
    world.account.rates.B = '10'
    expect(await plan('run-3')).toMatchObject({
      outcome: 'HALTED',
      why: expect.stringContaining('what is held fell by 80 of 200 USD'),
    })
  })

  test("counts the last run's purchases as held from then on", async () => {
    begin({ weekly: { ...POLICY, breaker: { largestFallBps: 500 } } })
    await runWhole('run-1')
    expect(world.account.balances).toMatchObject({ A: '0', B: '20.1' })
    world.account.rates.B = '46'
    expect(await plan('run-2')).toMatchObject({
      outcome: 'HALTED',
      why: expect.stringContaining('fell by 80.4 of 1005'),
    })
  })
})

describe('a fault', () => {
  const fault = { Error: 'Transient', Cause: JSON.stringify({ errorMessage: 'no answer' }) }

  test('before a plan ends the run FAILED, in the journal, and frees the policy', async () => {
    world.account.failing = new Transient('no answer')
    await expect(plan('run-1')).rejects.toThrow(Transient)
    const why = 'no legs were planned: a step failed each time that it was tried, the last time by Transient: no answer'
    expect(await settle('run-1', { fault })).toMatchObject({ outcome: 'FAILED', why })
    expect(await find('run-1')).toMatchObject({ outcome: 'FAILED', why })
    world.account.failing = undefined
    expect(await plan('run-2')).toMatchObject({ outcome: 'FIRST' })
  })

  test('with the policy taken and no plan made frees the policy at once, even if the service does not answer then', async () => {
    const { ports } = world
    const balances = () => Promise.reject(new Transient('no answer'))
    world.ports = { ...ports, service: { ...ports.service, balances } }
    await expect(plan('run-1')).rejects.toThrow(Transient)
    expect(await plan('run-2')).toMatchObject({ outcome: 'ALREADY_RUNNING' })
    world.account.failing = new Transient('no answer')
    expect(await settle('run-1', { fault })).toMatchObject({ outcome: 'FAILED' })
    world.account.failing = undefined
    world.ports = ports
    expect(await plan('run-3')).toMatchObject({ outcome: 'FIRST' })
  })

  test('before its record, while the service does not answer, is shown to have ended when its execution did', async () => {
    const { service } = world.ports
    const measure = () => Promise.reject(new Transient('no answer'))
    world.ports = { ...world.ports, service: { ...service, clock: { ...service.clock, measure } } }
    const enteredAt = '2026-01-01T00:12:00.000Z'
    expect(await settle('run-1', { fault, enteredAt })).toMatchObject({ outcome: 'FAILED' })
    expect(await find('run-1')).toMatchObject({ startedAt: START, endedAt: enteredAt })
  })

  test('a fault that lasts for the life of a run ends it without a plan, and frees the policy', async () => {
    const { ports } = world
    const balances = () => Promise.reject(new Transient('no answer'))
    world.ports = { ...ports, service: { ...ports.service, balances } }
    await expect(plan('run-1')).rejects.toThrow(Transient)
    later(899)
    await expect(plan('run-1')).rejects.toThrow(Transient)
    later(1)
    const why = 'its time ran out at 2026-01-01T00:15:00.000Z, before it had a plan'
    expect(await plan('run-1')).toMatchObject({ outcome: 'FAILED', legs: [], why })
    world.ports = ports
    expect(await plan('run-1')).toMatchObject({ outcome: 'FAILED', why })
    expect(await plan('run-2')).toMatchObject({ outcome: 'FIRST' })
  })

  test('a fault that no retry can help is reported as it is', async () => {
    const defect = { Error: 'Defect', Cause: JSON.stringify({ errorMessage: 'GET /v2/balances: no balances' }) }
    const why = 'no legs were planned: Defect: GET /v2/balances: no balances'
    expect(await settle('run-1', { fault: defect })).toMatchObject({ outcome: 'OWN_FAULT', why })
  })

  test.each(['KeyFault', 'OwnFault', 'States.Permissions'])('of ours (%s) is an end of its own', async (name) => {
    const ours = { Error: name, Cause: 'the journal did not answer a read (AccessDeniedException)' }
    expect(await settle('run-1', { fault: ours })).toMatchObject({ outcome: 'OWN_FAULT', legs: [] })
    expect(await plan('run-2')).toMatchObject({ outcome: 'FIRST' })
  })

  test('a fault of ours that came before any leg lets a later entry start under the same id, and a second call of the first not', async () => {
    await settle('run-1', { fault: { Error: 'OwnFault', Cause: 'no permission' } })
    expect(await plan('run-1')).toMatchObject({ outcome: 'OWN_FAULT', legs: [] })
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'FIRST' })
  })

  test('a fault of ours between the phases leaves nothing for a later entry to start', async () => {
    await carryOutAll((await plan('run-1')).legs)
    await settle('run-1', { fault: { Error: 'OwnFault', Cause: 'no permission' } })
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'SETTLE', legs: [] })
  })

  test('a fault of ours between the phases is the end of the run, too, with its movements', async () => {
    await carryOutAll((await plan('run-1')).legs)
    const settled = await settle('run-1', { fault: { Error: 'OwnFault', Cause: 'no permission' } })
    expect(settled).toMatchObject({ outcome: 'OWN_FAULT', tiesOut: true })
    expect(settled.legs.map(({ outcome }) => outcome)).toContain('FILLED')
  })

  test('between the phases leaves finished and unfinished legs in the result', async () => {
    await carryOutAll((await plan('run-1')).legs)
    expect(await settle('run-1', { fault })).toMatchObject({
      ...{ outcome: 'PARTLY_SETTLED', tiesOut: true, legs: [{ key: 'sell-A-USD', outcome: 'FILLED' }] },
      why: 'a step failed each time that it was tried, the last time by Transient: no answer; buy-B-USD was not begun',
    })
  })

  test('with a leg in doubt calls a person; once the doubt is settled, entering again settles the run', async () => {
    const [leg] = (await plan('run-1')).legs
    await arm(leg)
    expect(await settle('run-1', { fault })).toMatchObject({
      ...{ outcome: 'NEEDS_ATTENTION', tiesOut: false, why: expect.stringContaining('it may have been sent') },
    })
    fillOrder(world.account, leg?.name ?? '', leg?.request as never)
    const again = await plan('run-1_2')
    expect(namesOf(again)).toEqual([`${leg?.name}_2`])
    await carryOutAll(again.legs)
    expect(await plan('run-1_2', { phase: 2 })).toMatchObject({ outcome: 'SETTLE' })
    expect(await settle('run-1_2')).toMatchObject({ outcome: 'PARTLY_SETTLED', tiesOut: true })
    expect(world.account.movements).toHaveLength(1)
  })
})

test('only the contacts of the policy are stored', async () => {
  const { policies } = world.ports
  const contacts = Object.fromEntries(['c1', 'c2'].map((id) => [id, { provenAt: START }]))
  await policies.advance(await policies.find('weekly'), { contacts })
  const rules = [{ assets: ['A'], contactId: 'c2' }]
  const asPlanned = policySchema.parse({ kind: 'sweep', rules })
  await plan('run-1')
  const run = await find('run-1')
  if (run) await world.ports.runs.advance(run, { asPlanned })
  await settle('run-1')
  expect((await policies.find('weekly')).contacts).toEqual({ c2: { provenAt: START } })
})

test('once a run was counted, no other process of it freezes an unfrozen phase', async () => {
  const fault = { Error: 'Transient', Cause: 'a step failed for good' }
  await carryOutAll((await plan('run-1')).legs)
  let frozen: Awaited<ReturnType<typeof plan>> | undefined
  const counting = world.portsOver({
    ...world.store,
    replace: async (record, version) => {
      const outcome = await world.store.replace(record, version)
      if (record.pk === recordKey.policy('weekly')) frozen = await plan('run-1', { phase: 2 })
      return outcome
    },
  })
  expect(await settleRun({ enteredAt: START, ...input('run-1', { fault }) }, counting)).toMatchObject({
    outcome: 'PARTLY_SETTLED',
  })
  expect(frozen).toMatchObject({ outcome: 'SETTLE', legs: [] })
  expect((await world.ports.policies.find('weekly')).turnover).toMatchObject({ value: '1000' })
})

test('turnover of a day is stored, and starts from zero with the next', async () => {
  await runWhole('run-1')
  expect(await world.ports.policies.find('weekly')).toMatchObject({
    turnover: { day: '2026-01-01', asset: 'USD', value: '2005' },
  })
  world.account.balances.A = '1'
  world.account.nowMs = START_MS + 86_400_000
  await runWhole('run-2')
  expect(await world.ports.policies.find('weekly')).toMatchObject({ turnover: { day: '2026-01-02', value: '200' } })
})
