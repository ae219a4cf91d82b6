// The judge of the kills must notice each way in which an intent is more or less than one movement, and each unexpected
// exit code.
import { expect, test } from 'vitest'
import { IntentKind, IntentState } from '../../../../core/contract/records.ts'
import { askedIntent, type BookedMovement } from './asked-intents.ts'
import { verdictOnRead, verdictOnRun } from './expected-ends.ts'
import { compare, type Records } from './judge.ts'

const SEED = 7
const asked = Array.from({ length: 20 }, (_, n) => askedIntent(SEED, n)).find(({ verb }) => verb === 'withdraw')
if (asked === undefined) throw new Error('the seed asks for no withdrawal')
const { intentId, request, id } = asked

const row: BookedMovement = { kind: 'withdrawal', id: 'row-1', ...request }
const done = { intentId, kind: IntentKind.Withdraw, state: IntentState.Done, ref: 'row-1' }
const rejected = { intentId, kind: IntentKind.Withdraw, state: IntentState.Rejected }
const moved = [{ asked, result: '{"outcome":"COMPLETED","withdrawalId":"row-1"}' }]
const zero = [{ asked, result: '{"outcome":"REJECTED"}' }]
const records = (change: Partial<Records> = {}): Records => ({
  ...{ movements: [row], intents: [done], unfinished: [], invariants: { ok: true } },
  ...change,
})

test('one movement that is equal in all three records, and a certified zero, keep the promise', () => {
  expect(compare(moved, records())).toEqual({ movements: 1, zeros: 0, violations: [] })
  expect(compare(zero, records({ movements: [], intents: [rejected] }))).toMatchObject({ zeros: 1, violations: [] })
  expect(compare(zero, records({ movements: [], intents: [] }))).toMatchObject({ zeros: 1, violations: [] })
})

const another = { ...row, id: 'row-2' }
test.each([
  [
    'two movements of one intent',
    moved,
    { movements: [row, another] },
    'in the ledger withdrawal row-1, withdrawal row-2',
  ],
  ['a movement that is not at the service', moved, { movements: [] }, 'in the ledger none'],
  ['a movement that the command did not report', zero, {}, 'told none, in the journal withdrawal row-1'],
  ['a movement that the journal calls a zero', zero, { intents: [rejected] }, 'in the journal REJECTED'],
  ['a movement under another id in the journal', moved, { intents: [{ ...done, ref: 'row-2' }] }, 'withdrawal row-2'],
  [
    'a zero that nobody has certified',
    zero,
    { movements: [], intents: [{ ...rejected, state: IntentState.Armed }] },
    'ARMED',
  ],
  ['a movement for which nobody asked', moved, { movements: [row, { ...another, amount: '1' }] }, 'nobody asked for'],
  ['an id twice at the service', moved, { movements: [row, row] }, 'the service has withdrawal row-1 twice'],
  ['an intent for which nobody asked', moved, { intents: [done, { ...rejected, intentId: 'wd-2' }] }, 'has wd-2'],
  ['an execution that is left', moved, { unfinished: ['wd-1'] }, 'execution wd-1 is not at its end'],
  ['books that do not balance', moved, { invariants: { ok: false } }, 'does not balance'],
] as const)('the judge reports %s', (_, ended, change, told) => {
  expect(compare(ended, records(change)).violations.join('\n')).toContain(told)
})

test('the n-th intent of a seed is always the same, and no two intents have equal movements', () => {
  expect(askedIntent(SEED, 3)).toEqual(askedIntent(SEED, 3))
  const all = Array.from({ length: 1_000 }, (_, n) => askedIntent(SEED, n))
  expect(new Set(all.map(({ mark }) => mark)).size).toBe(all.length)
})

const ended = (exitCode: number | null, stdout: string, stderr = '') => ({
  ...{ exitCode, stdout, stderr, signal: null, isKilled: false },
})
const failed = (exitCode: number, code: string, message: string) =>
  ended(exitCode, '', JSON.stringify({ error: { code, message, next: '' } }))
const inUse = 'state is in use by process 7'

test('the judge accepts the expected exit codes, and no others', () => {
  expect(verdictOnRun(ended(0, moved[0]?.result ?? ''))).toMatchObject({ kind: 'over' })
  expect(verdictOnRun(ended(1, zero[0]?.result ?? ''))).toMatchObject({ kind: 'over' })
  expect(verdictOnRun(failed(1, 'state_in_use', inUse))).toMatchObject({ kind: 'again', code: 'state_in_use' })
  expect(verdictOnRun(failed(3, 'in_doubt', `${inUse}\nintent ${id} was sent`))).toMatchObject({ kind: 'again' })
  for (const end of [
    ended(0, ''),
    ended(3, '{"outcome":"NEEDS_ATTENTION"}'),
    ended(1, '{"outcome":"FILLED","orderId":"1"}'),
    failed(3, 'in_doubt', 'unexpected: TypeError: undefined; a withdrawal may have been made'),
    failed(1, 'unreachable', 'the desk does not answer'),
    failed(3, 'state_in_use', inUse),
    ended(null, ''),
  ])
    expect({ end, ...verdictOnRun(end) }).toMatchObject({ kind: 'unexpected' })
  expect(verdictOnRead(['cases', 'list'], ended(3, '{}'))).toMatchObject({ kind: 'over' })
  expect(verdictOnRead(['runs', 'list'], ended(3, '{}'))).toMatchObject({ kind: 'unexpected' })
  expect(verdictOnRead(['halt'], failed(1, 'state_in_use', inUse))).toMatchObject({ kind: 'again' })
})
