// Tests which runs the list of requests has: a run that only plans has moved nothing, and is left out unless asked for.
import { expect, test } from 'vitest'
import { newRun } from '../../../../core/runs/record/runs.ts'
import { readFilter } from '../../../../operations/movements/list-requests.ts'
import { passesFilter, rowOfIntent, rowOfRun } from '../../../../operations/movements/request-row.ts'
import { POLICY, START } from '../../../helpers/run-world.ts'
import { withdrawal, withdrawalSent } from './sample-intents.ts'

function row(mode: 'live' | 'shadow', shadow?: true) {
  const requestedPolicy = { name: 'core', policy: { ...POLICY, mode }, policyHash: 'hash' }
  const request = { policy: 'core', ...(shadow && { shadow }) }
  const run = newRun({ runId: 'r', startedAt: START, entry: 1, request, requestedPolicy, notAfter: START })
  return rowOfRun({ ...run, version: 1, requestHash: '', phases: [], results: {} })
}

test.each([
  ['a plan that a person asked for', row('live', true)],
  ['a run of a policy in shadow mode', row('shadow')],
])('%s is left out of the list, is shown on request, and says that it moves nothing', (_what, run) => {
  expect(run.asked).toBe('plan policy core (rebalance), moving nothing')
  expect(passesFilter(run, readFilter({}))).toBe(false)
  expect(passesFilter(run, readFilter({ shadow: true }))).toBe(true)
  // The filter itself asks for them.
  expect(passesFilter({ ...run, state: 'SHADOWED' }, readFilter({ outcome: 'SHADOWED' }))).toBe(true)
})

test('a run that moves money is in the list', () => {
  const run = row('live')
  expect([run.asked, passesFilter(run, readFilter({}))]).toEqual(['policy core (rebalance)', true])
})

test('a withdrawal whose doubt a person settled with its movement needs nobody any more, in the list and its filter', () => {
  const doubt = {
    ...withdrawal,
    state: 'ESCALATED',
    attempt: withdrawalSent,
    outcome: 'NEEDS_ATTENTION',
    why: '',
  } as const
  const settled = rowOfIntent({ ...doubt, state: 'DONE', ref: 'w-1' })
  expect([rowOfIntent(doubt).outcome, settled.outcome]).toEqual(['NEEDS_ATTENTION', undefined])
  expect(passesFilter(settled, readFilter({ outcome: 'NEEDS_ATTENTION' }))).toBe(false)
  expect(passesFilter(settled, readFilter({ outcome: 'DONE' }))).toBe(true)
})
