// Tests how a list names the end of accepted movements, which only their executions have.
import { expect, test } from 'vitest'
import { policy as policySchema } from '../../../../core/contract/policies.ts'
import { RECORD_FORMAT, RequestList, recordKey } from '../../../../core/contract/records.ts'
import type { WithdrawIntent } from '../../../../core/journal/intent.ts'
import { fieldsOfIntent } from '../../../../core/journal/intent-record.ts'
import { fieldsOfRun } from '../../../../core/runs/record/run-record.ts'
import { readFilter } from '../../../../operations/movements/list-requests.ts'
import { readNewest, withEnds } from '../../../../operations/movements/read-rows.ts'
import { RequestKind } from '../../../../operations/movements/record-kind.ts'
import { type RequestRow, stateTextOf } from '../../../../operations/movements/request-row.ts'
import type { ExecutionHistory } from '../../../../place/executions/execution-history.ts'
import type { KnownExecution } from '../../../../place/executions/executions.ts'
import { movementBadge } from '../../../../views/html/outcome-badge.ts'
import { withdrawal } from './sample-intents.ts'

const row = (id: string, more: Partial<RequestRow> = {}): RequestRow => ({
  ...{ kind: RequestKind.Withdraw, id, at: '2026-01-31T09:00:00Z', asked: 'send 5 EUR', state: 'DONE' },
  ...more,
})

test('an accepted movement is listed with the end of its last execution, and without one as accepted', async () => {
  const outputs: Readonly<Record<string, string | undefined>> = {
    paid: '{"outcome":"COMPLETED"}',
    back: '{"outcome":"NEEDS_ATTENTION"}',
    back_2: '{"outcome":"FAILED_REFUNDED"}',
    leg_2: '{"outcome":"COMPLETED"}',
    settled: '{"outcome":"NEEDS_ATTENTION"}',
    moving: undefined,
  }
  const findExecution = async (_machine: string, name: string) =>
    name in outputs ? { status: 'SUCCEEDED', output: outputs[name] } : undefined
  const ids = ['paid', 'back', 'leg', 'settled', 'moving', 'gone', 'open']
  const rows = ids.map((id) =>
    row(id, { ...(id === 'leg' && { run: 'run-1' }), ...(id === 'open' && { state: 'ARMED' }) }),
  )
  expect(
    (
      await withEnds(rows, { findExecution, findHistory: async () => undefined, readRecord: async () => undefined })
    ).map(stateTextOf),
  ).toEqual([...['COMPLETED', 'FAILED_REFUNDED', 'COMPLETED', 'DONE', 'DONE', 'DONE', 'ARMED']])
})

test('an accepted withdrawal that the service calls failed is listed as not refunded, also once nobody follows it', async () => {
  const ends: Readonly<Record<string, KnownExecution>> = {
    due: { status: 'RUNNING' },
    given: { status: 'FAILED', error: 'STUCK' },
    stuck: { status: 'FAILED', error: 'STUCK' },
    moving: { status: 'RUNNING' },
  }
  const isRefundDue = (name: string) => name === 'due' || name === 'given'
  const findHistory = async (_machine: string, name: string): Promise<ExecutionHistory> => {
    const output = { outcome: 'PROCESSING', ...(isRefundDue(name) && { isRefundDue: true }) }
    return { name, status: 'any', steps: [{ did: 'left', at: '2026-01-31T09:00:00Z', state: 'Poll', output }] }
  }
  const findExecution = async (_machine: string, name: string) => ends[name]
  const listed = await withEnds(
    Object.keys(ends).map((id) => row(id)),
    { findExecution, findHistory, readRecord: async () => undefined },
  )
  expect(listed.map(stateTextOf)).toEqual(['REFUND_DUE', 'REFUND_DUE', 'STUCK', 'DONE'])
  expect(movementBadge('REFUND_DUE').text).toContain('>failed, not refunded<')
  expect(readFilter({ outcome: 'refund-due' }).outcome).toBe('REFUND_DUE')
})

test('a leg that its run has seen end is listed with that end, whatever its own execution could not read', async () => {
  const asPlanned = policySchema.parse({ kind: 'rebalance', weights: { BTC: '1' } })
  const at = '2026-01-31T09:00:00Z'
  const record = {
    ...fieldsOfRun({
      ...{
        runId: 'rb-1',
        policy: 'core',
        kind: asPlanned.kind,
        outcome: 'SETTLED',
        startedAt: at,
        version: 1,
        entry: 1,
      },
      ...{ request: { policy: 'core' }, requestHash: 'h', asPlanned, policyHash: 'h', notAfter: at, phases: [] },
      results: { read: { outcome: 'FAILED_REFUNDED' }, unread: { outcome: 'PROCESSING' } },
    }),
    ...{ pk: recordKey.run('rb-1'), format: RECORD_FORMAT, version: 1, stamp: '' },
  }
  const listed = await withEnds([row('read', { run: 'rb-1' }), row('unread', { run: 'rb-1' })], {
    findExecution: async () => ({ status: 'FAILED', error: 'STUCK' }),
    findHistory: async () => undefined,
    readRecord: async () => record,
  })
  expect(listed.map(stateTextOf)).toEqual(['FAILED_REFUNDED', 'STUCK'])
})

test('the filter by an end finds accepted movements whose executions ended so', async () => {
  const ids = ['paid', 'back', 'moving']
  const outcomes: Readonly<Record<string, string>> = { paid: 'COMPLETED', back: 'FAILED_REFUNDED' }
  const keyOf = (id: string) => recordKey.intent('withdraw', id)
  const records = new Map(
    ids.map((intentId) => {
      const intent = { ...withdrawal, intentId, state: 'DONE', ref: intentId } as WithdrawIntent
      return [keyOf(intentId), { ...fieldsOfIntent(intent), pk: keyOf(intentId), format: RECORD_FORMAT, stamp: '' }]
    }),
  )
  const reads = {
    readRecord: async (key: string) => {
      const record = records.get(key)
      return record && { ...record, version: 1 }
    },
    async *walkRequests() {
      for (const id of ids) yield { key: keyOf(id), at: withdrawal.createdAt, list: RequestList.Withdraw }
    },
    findExecution: async (_machine: string, name: string) => {
      const outcome = outcomes[name]
      return outcome === undefined ? undefined : { status: 'SUCCEEDED', output: JSON.stringify({ outcome }) }
    },
    findHistory: async () => undefined,
  }
  const listed = async (outcome: string) =>
    (await readNewest(reads, readFilter({ outcome }), 20, 0)).rows.map(({ id }) => id)
  expect(await listed('completed')).toEqual(['paid'])
  expect(await listed('failed-refunded')).toEqual(['back'])
  expect(await listed('done')).toEqual(ids)
})
