// The judge of movements calls a promise kept only if the witness booked exactly what the journal says.
import { expect, test } from 'vitest'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import { type Evidence, type JudgedIntent, judge, judgeRun, type OracleMovement } from './judge.ts'

const row: OracleMovement = { kind: 'withdrawal', id: 'row', nonce: 'n', contactId: 'c', amount: '99', total: '100' }
const done: JudgedIntent = {
  ...{
    intentId: 'one',
    kind: IntentKind.Withdraw,
    state: IntentState.Done,
    ref: 'row',
    attempt: { nonce: 'n' },
    params: {},
  },
  frozen: { contactId: 'c', amount: '100', feeMode: 'deduct' },
}
const order: OracleMovement = { kind: 'order', id: 'order', nonce: 'n', side: 'BUY', baseAmount: '1', quoteAmount: '2' }
const filled: JudgedIntent = {
  ...{ ...done, kind: IntentKind.Convert, ref: 'order', params: { side: 'BUY' }, frozen: { amount: '1' } },
  attempt: { nonce: 'n', terms: { baseAmount: '1', quoteAmount: '2' } },
}

const evidence = (change: Partial<Evidence>): Evidence => ({
  ...{ movements: [row], intents: [done], claims: new Map([['withdrawal row', 'one']]), ledgerViolations: [] },
  ...change,
})

test('a DONE intent with exactly its own movement keeps the promise', () => {
  expect(judge(evidence({}))).toEqual([])
  expect(judge(evidence({ movements: [order], intents: [filled], claims: new Map([['order order', 'one']]) }))).toEqual(
    [],
  )
})

test('a certified zero without a movement keeps the promise', () => {
  const intents = [{ ...done, state: IntentState.Exhausted, ref: undefined as never }]
  expect(judge(evidence({ movements: [], intents }))).toEqual([])
})

test.each<[string, Partial<Evidence>, string]>([
  ['a movement without a claim', { claims: new Map() }, 'no intent of the run claims it'],
  ['a claim of an intent that is done by another', { intents: [{ ...done, ref: 'other' }] }, 'DONE by other'],
  ['a movement of a certified zero', { intents: [{ ...done, state: IntentState.Rejected }] }, 'REJECTED, and moved'],
  ['an intent that is done by nothing', { movements: [] }, 'did not move'],
  [
    'an intent that ends nowhere',
    { movements: [], intents: [{ ...done, state: IntentState.Armed }] },
    'not come to an end',
  ],
  [
    'an intent that a person must decide',
    { movements: [], intents: [{ ...done, state: IntentState.Escalated }] },
    'ESCALATED',
  ],
  [
    'another request than the one that was armed',
    { movements: [{ ...row, nonce: 'm' }] },
    'the nonce of what moved is m',
  ],
  ['another contact', { movements: [{ ...row, contactId: 'd' }] }, 'the contactId of what moved is d'],
  ['another total', { movements: [{ ...row, total: '101' }] }, 'the total of what moved is 101, not 100'],
  ['books that do not balance', { ledgerViolations: ['USDC'] }, 'the ledger does not sum to zero'],
])('%s breaks the promise', (_, change, what) => {
  expect(judge(evidence(change)).join('\n')).toContain(what)
})

test('an order and a withdrawal with one id, each of its own intent, keep the promise', () => {
  const movements = [{ ...order, id: 'row' }, row]
  const intents = [{ ...filled, intentId: 'two', ref: 'row' }, done]
  const claims = new Map([
    ['order row', 'two'],
    ['withdrawal row', 'one'],
  ])
  expect(judge(evidence({ movements, intents, claims }))).toEqual([])
  const swapped = new Map([
    ['order row', 'one'],
    ['withdrawal row', 'two'],
  ])
  expect(judge(evidence({ movements, intents, claims: swapped })).join('\n')).toContain('order row is claimed by one')
})

test('two movements of one intent break the promise', () => {
  const movements = [row, { ...row, id: 'row-2' }]
  const claims = new Map([
    ['withdrawal row', 'one'],
    ['withdrawal row-2', 'one'],
  ])
  expect(judge(evidence({ movements, claims })).join('\n')).toContain('intent one moved 2 times')
})

const leg = { intentId: 'one', outcome: 'COMPLETED', withdrawal: { withdrawalId: 'row' } }
const settled = { runId: 'run', outcome: 'SETTLED', tiesOut: true, legs: [leg] }

test('a run that reports what each of its legs moved keeps the promise', () => {
  expect(judgeRun(settled, [done])).toEqual([])
  expect(judgeRun({ ...settled, outcome: 'NOTHING_TO_DO', legs: [], tiesOut: undefined }, [])).toEqual([])
})

test.each<[string, object, string]>([
  ['a run in doubt', { outcome: 'NEEDS_ATTENTION' }, 'run run did not come to an end'],
  ['a run that nobody settled', { outcome: 'RUNNING' }, 'run run did not come to an end'],
  ['a report that does not tie out', { tiesOut: false }, 'run run is SETTLED, and does not tie out'],
  ['a leg without a movement', { legs: [{ intentId: 'one' }] }, 'does not tell that one moved by row'],
])('%s breaks the promise', (_, change, what) => {
  expect(judgeRun({ ...settled, ...change }, [done]).join('\n')).toContain(what)
})
