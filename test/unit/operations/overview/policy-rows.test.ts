// Tests what a policy's row shows of its runs in the journal.
import { expect, test } from 'vitest'
import { createPolicyRecords } from '../../../../core/runs/record/policy-record.ts'
import { createRuns, newRun } from '../../../../core/runs/record/runs.ts'
import { policyRows } from '../../../../operations/overview/policy-rows.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'
import { POLICY } from '../../../helpers/run-world.ts'

const STARTED_AT = '2026-01-01T09:00:00.000Z'

test('a run that was entered again is shown as the last run of its policy, with its start and its end', async () => {
  const store = createMemoryStore()
  const newId = () => 'stamp'
  const [runs, policies] = [createRuns(store, newId), createPolicyRecords(store, newId)]
  const requestedPolicy = { name: 'core', policy: POLICY, policyHash: 'hash' }
  const run = newRun({
    runId: 'r',
    startedAt: STARTED_AT,
    entry: 2,
    request: { policy: 'core' },
    requestedPolicy,
    notAfter: STARTED_AT,
  })
  await runs.open({ ...run, outcome: 'SETTLED', endedAt: STARTED_AT })
  await policies.advance(await policies.find('core'), { lastRunId: 'r_2' })
  const connection = {
    treasury: { policies: { core: POLICY } },
    runJournal: { runs, policy: policies.find, latestOf: async () => undefined },
    halts: { find: async () => undefined },
  }
  expect(await policyRows(connection as never, Date.parse(STARTED_AT))).toMatchObject([
    { policy: 'core', lastRun: 'r', lastStartedAt: STARTED_AT, lastOutcome: 'SETTLED' },
  ])
})

test.each([
  { ran: 'in shadow mode', mode: 'shadow', request: { policy: 'core' }, lastShadow: 'r' },
  { ran: 'only for its plan', mode: 'live', request: { policy: 'core', shadow: true }, lastShadow: 'r' },
] as const)('a policy that has only run $ran says so of its last run', async ({ mode, request, lastShadow }) => {
  const store = createMemoryStore()
  const newId = () => 'stamp'
  const policies = createPolicyRecords(store, newId)
  const policy = { ...POLICY, mode }
  const requestedPolicy = { name: 'core', policy, policyHash: 'hash' }
  const given = { runId: 'r', startedAt: STARTED_AT, entry: 1, request, requestedPolicy, notAfter: STARTED_AT }
  const latest = { ...newRun(given), outcome: 'SHADOWED', endedAt: STARTED_AT }
  const connection = {
    treasury: { policies: { core: policy } },
    runJournal: { runs: createRuns(store, newId), policy: policies.find, latestOf: async () => latest },
    halts: { find: async () => undefined },
  }
  const [row] = await policyRows(connection as never, Date.parse(STARTED_AT))
  expect(row).toMatchObject({ lastRun: null, lastOutcome: null, lastShadow: { runId: lastShadow } })
})
