// Tests the wait of a run that a deposit started: for how long, how many at once, and how it ends.
import { beforeEach, describe, expect, test } from 'vitest'
import { LISTED_KEY, listing } from '../../../core/contract/records.ts'
import { Transient } from '../../../core/errors.ts'
import { POLICY, runWorld, START, START_MS } from '../../helpers/run-world.ts'
import { begin, plan as enter, find, later, runWhole, world } from './weekly-runs.ts'

beforeEach(() => begin())

const BY_DEPOSIT = { policy: 'weekly', trigger: { by: 'deposit', id: 'd1' } }

const plan = (execution: string, request: object = { policy: 'weekly' }) => enter(execution, { request })
const planOfDeposit = (execution: string) => plan(execution, BY_DEPOSIT)

const openRuns = () =>
  [...world.store.records.values()].flatMap((each) => (each[LISTED_KEY] === listing.openRuns ? [each.pk.slice(2)] : []))

const at = (seconds: number) => new Date(START_MS + seconds * 1000).toISOString()

/** Waits as the machine does, until the answer is no longer WAIT. */
async function outwait(execution: string) {
  const waits: number[] = []
  while (waits.length < 50) {
    const answer = await planOfDeposit(execution)
    if (answer.outcome !== 'WAIT') return { answer, waits }
    waits.push(answer.waitSeconds ?? Number.NaN)
    later(answer.waitSeconds ?? Number.NaN)
  }
  throw new Error(`it waits for good: ${waits.join(' ')}`)
}

describe('a run that a deposit started, while another run has its policy,', () => {
  beforeEach(async () => {
    await plan('run-1')
  })

  test('waits, learns why, and holds nothing', async () => {
    expect(await planOfDeposit('run-2')).toEqual({
      ...{ outcome: 'WAIT', runId: 'run-2', policy: 'weekly', kind: 'rebalance', legs: [], phase: 1, waitSeconds: 15 },
      why: `run run-1 of the policy is under way; this one waits for its turn until ${at(1_800)}`,
    })
    expect(await find('run-2')).toMatchObject({ outcome: 'RUNNING', why: expect.stringContaining('run-1'), phases: [] })
    expect((await world.ports.policies.find('weekly')).holder).toBe('run-1')
    await runWhole('run-1')
    // The first run takes a free policy.
    expect(await plan('run-3')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
  })

  test('plans with the arrived amounts, once the policy is free, with its whole life ahead', async () => {
    await planOfDeposit('run-2')
    world.account.balances.A = '17'
    await runWhole('run-1')
    later(600)
    expect(await planOfDeposit('run-2')).toMatchObject({
      outcome: 'FIRST',
      legs: [{ request: { side: 'SELL', amount: '7', notAfter: at(600 + 900) } }],
    })
    const run = await find('run-2')
    expect(run).toMatchObject({ outcome: 'RUNNING', notAfter: at(600 + 900) })
    expect(run?.why).toBeUndefined()
    expect((await world.ports.policies.find('weekly')).holder).toBe('run-2')
  })

  test('waits ever longer, at most five minutes at once, and ends ALREADY_RUNNING after its longest wait', async () => {
    const { runs } = world.ports
    const holder = await find('run-1')
    // Its legs take long.
    if (holder) await runs.advance(holder, { notAfter: at(86_400) })
    const { answer, waits } = await outwait('run-2')
    expect(waits).toEqual([15, 30, 60, 120, 240, 300, 300, 300, 300, 135])
    expect(answer).toMatchObject({
      outcome: 'ALREADY_RUNNING',
      why: `run run-1 of the policy is under way; this one waited for its turn until ${at(1_800)}`,
    })
    expect(await find('run-2')).toMatchObject({ outcome: 'ALREADY_RUNNING', endedAt: at(1_800) })
    // The run keeps this end, unless it is entered again.
    expect(await planOfDeposit('run-2')).toMatchObject({ outcome: 'ALREADY_RUNNING' })
    expect(await planOfDeposit('run-2_2')).toMatchObject({ outcome: 'WAIT', waitSeconds: 15 })
  })

  test('waits beyond its own life, if that is short', async () => {
    begin({ weekly: { ...POLICY, runLifeSeconds: 60 } })
    await plan('run-1')
    expect((await outwait('run-2')).waits).toEqual([15, 30, 60, 120, 240])
    // The policy was free from 360 s on.
    expect(await find('run-2')).toMatchObject({ outcome: 'RUNNING', plan: {}, notAfter: at(465 + 60) })
  })

  test('outlasts an abandoned run', async () => {
    const { answer } = await outwait('run-2')
    expect(answer).toMatchObject({ outcome: 'FIRST', legs: [{ request: { side: 'SELL', amount: '10' } }] })
    expect(await find('run-1')).toMatchObject({ outcome: 'NOTHING_MOVED' })
  })

  test('ends as soon as an obstacle appears, at that time', async () => {
    await planOfDeposit('run-2')
    later(15)
    await world.halts.halt({ scope: 'weekly', by: 'ana', because: 'audit', at: START })
    expect(await planOfDeposit('run-2')).toMatchObject({ outcome: 'HALTED', why: expect.stringContaining('audit') })
    expect(await find('run-2')).toMatchObject({ outcome: 'HALTED', endedAt: at(15) })
  })

  test('uses the policy as it is when its turn comes', async () => {
    await planOfDeposit('run-2')
    await runWhole('run-1')
    world.account.balances.A = '1'
    const changed = runWorld({ weekly: { ...POLICY, runLifeSeconds: 60 } }).ports.treasury
    world.ports = { ...world.ports, treasury: changed }
    expect(await planOfDeposit('run-2')).toMatchObject({ outcome: 'FIRST', legs: [{ request: { notAfter: at(60) } }] })
    expect((await find('run-2'))?.asPlanned.runLifeSeconds).toBe(60)
  })

  test('ends FAILED if treasury.json no longer has its policy', async () => {
    await planOfDeposit('run-2')
    world.ports = { ...world.ports, treasury: runWorld({ other: POLICY }).ports.treasury }
    expect(await planOfDeposit('run-2')).toMatchObject({ outcome: 'FAILED', why: expect.stringContaining('weekly') })
    expect(await find('run-2')).toMatchObject({ outcome: 'FAILED' })
  })

  test('continues to wait if a person enters it again', async () => {
    await planOfDeposit('run-2')
    expect(await plan('run-2_2')).toMatchObject({ outcome: 'WAIT' })
    expect(await planOfDeposit('run-2')).toMatchObject({ outcome: 'WAIT' })
    await runWhole('run-1')
    expect(await planOfDeposit('run-2')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
  })

  test('only reports, as a shadow, and waits for nothing', async () => {
    expect(await plan('run-2', { ...BY_DEPOSIT, shadow: true })).toMatchObject({ outcome: 'SHADOWED' })
  })

  describe('many such runs', () => {
    const idsOf = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => `run-${from + at}`)
    const outcomesOf = async (runIds: readonly string[]) => {
      const outcomes: string[] = []
      for (const runId of runIds) outcomes.push((await planOfDeposit(runId)).outcome)
      return outcomes
    }

    test('three runs wait, and the other runs end at once: each waiting run will see the arrived amounts', async () => {
      expect(await outcomesOf(idsOf(2, 7))).toEqual([
        ...['WAIT', 'WAIT', 'WAIT', 'ALREADY_RUNNING', 'ALREADY_RUNNING', 'ALREADY_RUNNING'],
      ])
      expect(await find('run-7')).toMatchObject({
        why: 'run run-1 of the policy is under way; runs run-2, run-3, run-4 wait for their turn and will see what this one would',
      })
      expect(openRuns()).toEqual(['run-1', 'run-2', 'run-3', 'run-4'])
    })

    test('a later run replaces the run that has waited longest, whose wait would end earlier', async () => {
      await outcomesOf(idsOf(2, 4))
      later(301)
      expect(await outcomesOf(['run-5', 'run-6'])).toEqual(['WAIT', 'ALREADY_RUNNING'])
      expect(await planOfDeposit('run-2')).toMatchObject({
        outcome: 'ALREADY_RUNNING',
        why: 'run run-1 of the policy is under way; runs run-3, run-4, run-5 wait for their turn and will see what this one would',
      })
      expect(await outcomesOf(idsOf(3, 5))).toEqual(['WAIT', 'WAIT', 'WAIT'])
    })

    test('runs that have had their turn, or ended, leave their place to others', async () => {
      await outcomesOf(idsOf(2, 4))
      await world.halts.halt({ scope: 'weekly', by: 'ana', because: 'audit', at: START })
      expect(await outcomesOf(['run-2'])).toEqual(['HALTED'])
      await world.halts.resume({ scope: 'weekly', by: 'ana', because: 'done', at: START })
      expect(await outcomesOf(['run-5', 'run-6'])).toEqual(['WAIT', 'ALREADY_RUNNING'])
      await runWhole('run-1')
      world.account.balances.A = '3'
      expect(await outcomesOf(['run-3', 'run-7', 'run-8'])).toEqual(['FIRST', 'WAIT', 'ALREADY_RUNNING'])
    })

    test('an aborted run leaves its place, and the list of open runs, to the next deposit', async () => {
      await outcomesOf(idsOf(2, 4))
      const holder = await find('run-1')
      if (holder) await world.ports.runs.advance(holder, { notAfter: at(86_400) })
      later(10)
      // Only these two are continued.
      for (let looks = 0; looks < 6; looks += 1) {
        await outcomesOf(['run-3', 'run-4'])
        later(200)
      }
      expect(openRuns()).toEqual(['run-1', 'run-2', 'run-3', 'run-4'])
      expect(await outcomesOf(['run-5'])).toEqual(['WAIT'])
      expect(openRuns()).toEqual(['run-1', 'run-3', 'run-4', 'run-5'])
      expect(await find('run-2')).toMatchObject({
        outcome: 'ALREADY_RUNNING',
        why: `nobody has carried it on since ${at(15)}; run run-5 of the policy looks for it`,
      })
      // If it returns, it stays so.
      expect(await outcomesOf(['run-2'])).toEqual(['ALREADY_RUNNING'])
    })

    test('an aborted run leaves the list of open runs at the next run of its policy, whatever starts that', async () => {
      await planOfDeposit('run-2')
      await runWhole('run-1')
      later(86_400)
      expect(openRuns()).toEqual(['run-2'])
      expect(await plan('run-3', { policy: 'weekly', trigger: { by: 'schedule', id: 'x' } })).toMatchObject({
        outcome: 'NOTHING_TO_DO',
      })
      expect(openRuns()).toEqual([])
      expect((await world.ports.policies.find('weekly')).waiting ?? []).toEqual([])
    })
  })

  test('that loses a write of its wait continues to wait', async () => {
    begin({ weekly: POLICY }, {}, () => faults.shift())
    const faults: ('lost' | undefined)[] = []
    await plan('run-1')
    // Its record is opened, and it has its place. Its wait is written, and not confirmed.
    faults.push(undefined, undefined, 'lost')
    await expect(planOfDeposit('run-2')).rejects.toThrow(Transient)
    const { until } = (await find('run-2'))?.waiting ?? {}
    later(1)
    expect(await planOfDeposit('run-2')).toMatchObject({ outcome: 'WAIT', waitSeconds: 30 })
    expect((await find('run-2'))?.waiting).toEqual({ until, waits: 2, nextAt: at(1 + 30) })
  })

  test.each(['schedule', 'event', 'person', 'call', undefined])('another start waits for nothing: %s', async (by) => {
    const request = { policy: 'weekly', ...(by && { trigger: { by, id: 'x' } }) }
    expect(await plan('run-2', request)).toMatchObject({
      outcome: 'ALREADY_RUNNING',
      why: 'run run-1 of the policy is under way',
    })
  })
})
