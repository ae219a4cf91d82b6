// Tests that a policy has one run at a time: which run holds the policy, and when the policy is free again.
import { beforeEach, describe, expect, test } from 'vitest'
import { recordKey } from '../../../core/contract/records.ts'
import { RunStep } from '../../../core/contract/runs.ts'
import { Transient } from '../../../core/errors.ts'
import { nextAttemptMove } from '../../../core/journal/moves.ts'
import type { Planning } from '../../../core/runs/plan/answers.ts'
import { planRun } from '../../../core/runs/plan/plan-run.ts'
import { WITHDRAWAL } from '../../helpers/intents.ts'
import { fillOrder, POLICY, planning, START } from '../../helpers/run-world.ts'
import { arm, begin, carryOutAll, find, input, later, plan, settle, world } from './weekly-runs.ts'

beforeEach(() => begin())

/** Plans two withdrawals, whatever the balances. */
const withdrawing: Planning = {
  ...planning,
  takes: () => true,
  stepOf: () => RunStep.Withdraw,
  plan(name, policy, snapshot) {
    const { plan: planned } = planning.plan(name, policy, snapshot)
    const leg = {
      kind: 'withdraw',
      phase: 1,
      value: '1',
      reason: 'a test',
      assetSymbol: 'A',
      contactId: 'vault',
    } as const
    const legs = ['one', 'another'].map((key) => ({
      ...{ ...leg, key, fee: '0', total: '1', isCanary: false },
      request: { assetSymbol: 'A', amount: '1', contactId: 'vault' },
    }))
    return { plan: { ...planned, legs }, required: [] }
  },
}

describe('one run at a time', () => {
  test('a second run ends ALREADY_RUNNING while the first run is under way, and runs once the first run has ended', async () => {
    const first = await plan('run-1')
    expect(await plan('run-2')).toMatchObject({ outcome: 'ALREADY_RUNNING', why: expect.stringContaining('run-1') })
    await carryOutAll(first.legs)
    await settle('run-1')
    expect(await plan('run-2_2')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
  })

  test('an abandoned run frees its policy when its time is over, with its legs closed permanently', async () => {
    const { legs } = await plan('run-1')
    later(900)
    expect(await plan('run-2')).toMatchObject({ outcome: 'ALREADY_RUNNING' })
    later(300)
    expect(await plan('run-3')).toMatchObject({ outcome: 'FIRST' })
    expect(await find('run-1')).toMatchObject({
      outcome: 'NOTHING_MOVED',
      why: expect.stringContaining('nobody settled'),
    })
    await carryOutAll(legs)
    expect(world.account.movements).toEqual([])
  })

  test('an abandoned run with withdrawals that nothing has ended holds its policy, until its settling has ended them', async () => {
    const [begun, unbegun] = (await planRun(input('run-1'), withdrawing, world.ports)).legs
    const opened = await world.ports.journal.open({
      ...{ ...WITHDRAWAL, intentId: begun?.name ?? '', params: begun?.request },
      ...{ createdAt: START, notAfter: begun?.request.notAfter ?? '' },
    })
    later(1_200)
    expect(await planRun(input('run-2'), withdrawing, world.ports)).toMatchObject({
      outcome: 'ALREADY_RUNNING',
      why: expect.stringContaining('enter it again'),
    })
    expect(await world.ports.journal.find(begun?.name ?? '', 'withdraw')).toEqual(opened)
    expect(await settle('run-1_2')).toMatchObject({ outcome: 'NOTHING_MOVED', tiesOut: true })
    for (const leg of [begun, unbegun])
      expect(await world.ports.journal.find(leg?.name ?? '', 'withdraw')).toMatchObject({ state: 'EXHAUSTED' })
    expect(await planRun(input('run-2_2'), withdrawing, world.ports)).toMatchObject({ outcome: 'WITHDRAW' })
  })

  test('a leg in doubt holds the policy until it is settled, whatever the time', async () => {
    await arm((await plan('run-1')).legs[0])
    expect(await settle('run-1')).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    for (const seconds of [0, 1_200]) {
      later(seconds)
      expect(await plan(`run-${2 + seconds}`)).toMatchObject({
        outcome: 'ALREADY_RUNNING',
        why: expect.stringContaining('in doubt'),
      })
    }
  })

  test('a leg that is a certified zero, and may be tried again, holds the policy until it is closed', async () => {
    const [leg] = (await plan('run-1')).legs
    await arm(leg)
    expect(await settle('run-1')).toMatchObject({ outcome: 'NEEDS_ATTENTION' })
    const intent = await world.ports.journal.find(leg?.name ?? '', 'convert')
    if (intent) await world.ports.journal.advance(intent, nextAttemptMove(intent))
    later(1_200)
    expect(await plan('run-2')).toMatchObject({ outcome: 'ALREADY_RUNNING', why: expect.stringContaining('in doubt') })
    await settle('run-1_2')
    expect(await plan('run-3')).toMatchObject({ outcome: 'FIRST' })
    await carryOutAll(leg ? [leg] : [])
    expect(world.account.movements).toEqual([])
  })

  test('a process that checked before the run started, and found a halt afterwards, ends no run that has legs', async () => {
    let first: Awaited<ReturnType<typeof plan>> | undefined
    const find: typeof world.halts.find = async (policy) => {
      first = await plan('run-1')
      await world.halts.halt({ scope: 'weekly', by: 'ana', because: 'audit', at: START })
      return world.halts.find(policy)
    }
    const late = { ...world.ports, halts: { ...world.ports.halts, find } }
    expect(await planRun(input('run-1'), planning, late)).toEqual(first)
    expect(await world.ports.runs.find('run-1')).toMatchObject({ outcome: 'RUNNING' })
    await world.halts.resume({ scope: 'weekly', by: 'ana', because: 'audit', at: START })
    expect(await plan('run-2')).toMatchObject({ outcome: 'ALREADY_RUNNING' })
  })

  test('a run that stopped with a leg in doubt, and was not settled, holds the policy until somebody settles it', async () => {
    const [leg] = (await plan('run-1')).legs
    await arm(leg)
    later(2_000)
    expect(await plan('run-2')).toMatchObject({
      outcome: 'ALREADY_RUNNING',
      why: expect.stringContaining('enter it again'),
    })
    fillOrder(world.account, leg?.name ?? '', leg?.request as never)
    await carryOutAll((await plan('run-1_2')).legs)
    await settle('run-1_2')
    expect(await plan('run-2_2')).toMatchObject({ outcome: 'NOTHING_TO_DO' })
  })

  test('a run that starts again does not take itself for the earlier holder', async () => {
    const { price } = world.ports.service
    const slow: typeof price = (...asked) => {
      later(100)
      return price(...asked)
    }
    const service = { ...world.ports.service, price: slow }
    // The first run held the policy when its figures turned out to be old.
    const stale = planRun(input('run-1'), planning, { ...world.ports, service })
    expect(await stale).toMatchObject({ outcome: 'GUARDED' })
    // Another run has seen that it ended, and is about to take the policy. Meanwhile the first starts again.
    const rival = world.portsOver({
      ...world.store,
      replace: async (record, version) => {
        if (record.pk === recordKey.policy('weekly')) expect(await plan('run-1_2')).toMatchObject({ outcome: 'FIRST' })
        return world.store.replace(record, version)
      },
    })
    await expect(planRun(input('run-2'), planning, rival)).rejects.toThrow(Transient)
    expect(await plan('run-2')).toMatchObject({ outcome: 'ALREADY_RUNNING' })
  })

  test('runs of different policies proceed in parallel', async () => {
    begin({ weekly: POLICY, other: { ...POLICY, hubs: ['USD'] } })
    expect(await plan('run-1')).toMatchObject({ outcome: 'FIRST' })
    expect(await plan('run-2', { request: { policy: 'other' } })).toMatchObject({ outcome: 'FIRST' })
  })

  test('a run that starts again must take its policy again', async () => {
    const taking = await plan('run-1')
    await carryOutAll(taking.legs)
    await settle('run-1')
    await world.halts.halt({ scope: 'weekly', by: 'ana', because: 'audit', at: START })
    expect(await plan('run-2')).toMatchObject({ outcome: 'HALTED' })
    await world.halts.resume({ scope: 'weekly', by: 'ana', because: 'audit', at: START })
    world.account.balances.A = '3'
    expect(await plan('run-3')).toMatchObject({ outcome: 'FIRST' })
    expect(await plan('run-2_2')).toMatchObject({ outcome: 'ALREADY_RUNNING' })
  })
})
