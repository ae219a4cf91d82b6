// Tests how a list names the end of accepted movements, which only their executions have.
import { expect, test } from 'vitest'
import { withEnds } from '../../../../operations/movements/read-rows.ts'
import { RequestKind } from '../../../../operations/movements/record-kind.ts'
import { type RequestRow, stateTextOf } from '../../../../operations/movements/request-row.ts'

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
  expect((await withEnds(rows, { findExecution })).map(stateTextOf)).toEqual([
    ...['COMPLETED', 'FAILED_REFUNDED', 'COMPLETED', 'DONE', 'DONE', 'DONE', 'ARMED'],
  ])
})
