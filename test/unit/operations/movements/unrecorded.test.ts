// Tests how commands show executions that have no record in the journal.
import { expect, test } from 'vitest'
import { recordKey } from '../../../../core/contract/records.ts'
import { StateMachine } from '../../../../core/contract/states.ts'
import { readFilter } from '../../../../operations/movements/list-requests.ts'
import { findUnrecorded, listUnrecorded, unrecordedExitCode } from '../../../../operations/movements/unrecorded.ts'
import type { HistoryStep } from '../../../../place/executions/execution-history.ts'
import type { EnteredExecution } from '../../../../place/executions/executions.ts'
import { ExitCode } from '../../../../place/exit-code.ts'

const AT = '2026-01-01T00:00:00.000Z'
const failed = (state: string): HistoryStep => ({
  ...{
    did: 'failed',
    at: AT,
    state,
    error: 'KeyFault',
    message: 'GET /v2/balances: the service answered 401 key_revoked',
  },
})
const EXECUTIONS: Readonly<Record<string, readonly [StateMachine, status: string, ...HistoryStep[]]>> = {
  waiting: [StateMachine.Convert, 'RUNNING', { did: 'entered', at: AT, state: 'Quote' }, failed('Quote')],
  lost: [StateMachine.Withdraw, 'FAILED', { did: 'entered', at: AT, state: 'Withdraw' }, failed('Withdraw')],
  'run-1': [StateMachine.Rebalance, 'RUNNING', failed('PlanRebalance')],
}
const connection = {
  executions: {
    async *walk() {},
    async read(machine: StateMachine, name: string): Promise<EnteredExecution | undefined> {
      const [own, status = '', ...steps] = EXECUTIONS[name] ?? []
      const input = machine === StateMachine.Rebalance ? { policy: 'core' } : {}
      return own === machine ? { name, status, startedAt: AT, input, steps } : undefined
    },
  },
  async *walkRequests() {},
  listExecutions: async (machine: StateMachine, status: string) => {
    const names = Object.entries(EXECUTIONS).flatMap(([name, [own, is]]) =>
      own === machine && (is === 'RUNNING') === (status === 'running') ? [name] : [],
    )
    return { names: machine === StateMachine.Convert ? [...names, 'recorded'] : names, isCutOff: false }
  },
  readRecord: async (key: string) =>
    key === recordKey.intent('convert', 'recorded') ? { pk: key, version: 1, stamp: '', format: 1 } : undefined,
}

test.each([
  ['waiting', { kind: 'convert', state: 'NOT_BEGUN', isUnderWay: true, why: expect.stringContaining('key_revoked') }],
  // A step that sends was entered, so its record was there and is gone.
  ['lost', { kind: 'withdraw', state: 'NO_RECORD', isUnderWay: false }],
  ['run-1', { kind: 'run', state: 'NOT_BEGUN', asked: 'run policy core' }],
])('%s is found by its id, and needs a person', async (id, told) => {
  const found = await findUnrecorded(id, undefined, connection)
  expect(found).toMatchObject({ id, ...told })
  expect(found && unrecordedExitCode(found)).toBe(ExitCode.NeedsPerson)
})

test('only an execution without a record is listed', async () => {
  const listed = async (filter: Parameters<typeof readFilter>[0]) =>
    (await listUnrecorded(readFilter(filter), connection)).map(({ id, state }) => `${id} ${state}`)
  expect(await listed({})).toEqual(['waiting NOT_BEGUN', 'lost NO_RECORD', 'run-1 NOT_BEGUN'])
  expect(await listed({ kind: 'withdraw' })).toEqual(['lost NO_RECORD'])
  expect(await listed({ outcome: 'no-record' })).toEqual(['lost NO_RECORD'])
  expect(await listed({ before: AT })).toEqual([])
})
