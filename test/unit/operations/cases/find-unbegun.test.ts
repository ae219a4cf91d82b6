// Tests which runs count as kept from beginning by a fault of ours: the newest of each policy, until a later run holds
// the policy.

import { expect, test } from 'vitest'
import { StateMachine } from '../../../../core/contract/states.ts'
import { createPolicyRecords } from '../../../../core/runs/record/policy-record.ts'
import { createRuns, newRun } from '../../../../core/runs/record/runs.ts'
import { findUnbegun } from '../../../../operations/cases/find-unbegun.ts'
import { type Advice, option } from '../../../../place/next-step.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'
import { POLICY } from '../../../helpers/run-world.ts'

const dayAt = (day: number) => `2026-01-0${day}T09:00:00.000Z`

async function world(
  ends: readonly (readonly [runId: string, policy: string, day: number, outcome: 'OWN_FAULT' | 'SETTLED'])[],
) {
  let ids = 0
  const store = createMemoryStore()
  const newId = () => `stamp-${ids++}`
  const [runs, policies] = [createRuns(store, newId), createPolicyRecords(store, newId)]
  for (const [runId, name, day, outcome] of ends) {
    const startedAt = dayAt(day)
    const requestedPolicy = { name, policy: POLICY, policyHash: 'hash' }
    const run = newRun({ runId, startedAt, entry: 1, request: { policy: name }, requestedPolicy, notAfter: startedAt })
    await runs.open({ ...run, outcome, endedAt: startedAt, why: 'KeyFault: the key was refused' })
  }
  const cutOff: Advice[] = []
  const find = (failed = 10) =>
    findUnbegun(
      {
        runJournal: { runs, policy: policies.find } as never,
        listExecutions: async (machine: StateMachine, _kind: string, limit: number) => {
          const names = machine === StateMachine.Rebalance ? ends.map(([runId]) => `${runId}_2`) : []
          return { names: names.slice(0, limit), isCutOff: names.length > limit }
        },
      },
      { failed, onMisfit: () => undefined, onCutOff: (message) => void cutOff.push(message) },
    )
  return { find, runs, policies, cutOff }
}

test('a run that our own fault kept from beginning needs a person, the newest of its policy alone', async () => {
  const { find } = await world([
    ['old', 'core', 1, 'OWN_FAULT'],
    ['new', 'core', 2, 'OWN_FAULT'],
    ['other', 'edge', 1, 'OWN_FAULT'],
    ['done', 'calm', 1, 'SETTLED'],
  ])
  expect(await find()).toEqual([
    { runId: 'new', policy: 'core', startedAt: dayAt(2), why: 'KeyFault: the key was refused' },
    { runId: 'other', policy: 'edge', startedAt: dayAt(1), why: 'KeyFault: the key was refused' },
  ])
})

test.each(['holder', 'lastRunId'] as const)(
  'a run that our own fault kept from beginning needs nobody once a later run is the %s of its policy',
  async (field) => {
    const { find, policies } = await world([
      ['first', 'core', 2, 'OWN_FAULT'],
      ['before', 'core', 1, 'SETTLED'],
      ['later', 'core', 3, 'SETTLED'],
    ])
    const record = await policies.advance(await policies.find('core'), { [field]: 'before' })
    expect(await find()).toMatchObject([{ runId: 'first' }])
    await policies.advance(record, { [field]: 'later_2' })
    expect(await find()).toEqual([])
  },
)

test('a list of failed runs that was cut off is reported', async () => {
  const { find, cutOff } = await world([
    ['one', 'core', 1, 'OWN_FAULT'],
    ['two', 'edge', 1, 'OWN_FAULT'],
  ])
  expect(await find(1)).toHaveLength(1)
  expect(cutOff).toEqual([expect.arrayContaining([option('failed')])])
})
