// The requester of a run: they may not approve it if the policy forbids it, and how a run without a recorded requester
// is treated.
import { beforeEach, describe, expect, test } from 'vitest'
import type { RunRequest } from '../../../core/contract/runs.ts'
import type { PlanDecision } from '../../../core/runs/approval/decision.ts'
import { recordPerson } from '../../../core/runs/approval/requesters.ts'
import { POLICY, START } from '../../helpers/run-world.ts'
import { begin, decide, find, plan, request, world } from './weekly-runs.ts'

const APPROVAL = { above: '100', expiresAfterSeconds: 3_600, priceBoundBps: 100 }
describe('a run that its requester may not approve', () => {
  const say = async (by: string, decision: PlanDecision['decision'] = 'approved') =>
    (await decide(decision, { by })).run
  const ask = (by: string, asked: RunRequest = request) =>
    recordPerson('run-1', { by, at: START, request: asked }, world.people)
  beforeEach(() => {
    begin({ weekly: { ...POLICY, approval: { ...APPROVAL, requesterMayApprove: false } } })
  })

  test('waits for another person, whose approval lets it continue, and names the requester', async () => {
    await ask('arn:aws:sts::1:assumed-role/Ops/ana')
    await plan('run-1')
    await expect(say('arn:aws:sts::1:assumed-role/Approver/Ana')).rejects.toThrow(/asked for it, and .*another person/)
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    await say('bob')
    expect(await plan('run-1_3')).toMatchObject({ outcome: 'FIRST' })
    const requester = { kind: 'person', by: 'arn:aws:sts::1:assumed-role/Ops/ana', at: START }
    expect((await find('run-1'))?.approval).toMatchObject({ requester, decision: 'approved', by: 'bob' })
  })

  test('a recorded decision of the requester does not count, and they may reject', async () => {
    await ask('ana')
    await plan('run-1')
    const planHash = (await find('run-1'))?.approval?.planHash ?? ''
    await world.decisions.add('run-1', planHash, { decision: 'approved', by: 'ana', because: 'mine', at: START })
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'AWAITING_APPROVAL' })
    await say('ana', 'rejected')
    expect(await plan('run-1_3')).toMatchObject({ outcome: 'DISAPPROVED' })
  })

  test('nobody approves a run without a recorded requester, and the message says how to continue', async () => {
    await plan('run-1')
    await expect(say('bob')).rejects.toThrow(
      /it has no recorded requester.* ask again with `sluice run` under another id/,
    )
    // Too late: somebody else may have started it.
    await expect(ask('eve')).rejects.toThrow(/has started without a recorded requester/)
    await expect(say('bob')).rejects.toThrow(/it has no recorded requester/)
  })

  test('nor a run that was started under the id of another request', async () => {
    await ask('ana', { policy: 'other' })
    await plan('run-1')
    await expect(say('bob')).rejects.toThrow(/it has no recorded requester/)
  })

  test('nobody else takes the id over, for the same or for another request', async () => {
    await ask('ana')
    await ask('arn:aws:iam::1:user/Ana')
    await expect(ask('bob')).rejects.toThrow('run run-1 was asked for by ana: ask under another id')
    await expect(ask('ana', { policy: 'other' })).rejects.toThrow(/already asked for with another request/)
    expect(await world.requesters.find('run-1')).toMatchObject({ by: 'ana' })
  })

  test('a run of a schedule needs one approval, and a run of an event two', async () => {
    await world.requesters.record('run-1', { kind: 'schedule', by: START, at: START }, request)
    await plan('run-1')
    expect(await say('bob')).toMatchObject({ approval: { decision: 'approved' } })
    begin({ weekly: { ...POLICY, approval: { ...APPROVAL, requesterMayApprove: false } } })
    await world.requesters.record('run-1', { kind: 'event', by: 'month-end', at: START }, request)
    await plan('run-1')
    expect(await say('bob')).toMatchObject({ approval: { needed: 2, approvals: [{ by: 'bob' }] } })
    expect(await say('ana')).toMatchObject({ approval: { decision: 'approved' } })
  })

  test('the setting at planning counts: another setting makes the plan void', async () => {
    await ask('ana')
    await plan('run-1')
    world.ports.treasury.policies.weekly = { ...POLICY, approval: APPROVAL }
    await expect(say('ana')).rejects.toThrow(/another person must approve it/)
    await say('bob')
    expect(await plan('run-1_2')).toMatchObject({ outcome: 'APPROVAL_VOID', why: 'the policy has changed since' })
  })
})
