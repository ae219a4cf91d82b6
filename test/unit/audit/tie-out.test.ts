// In these results, `tied` of `of` movements tie out. `of` counts the movements at the service, or the DONE intents if they
// are more.
import { expect, test } from 'vitest'
import {
  type JournaledIntent,
  type MovedOrder,
  type MovedWithdrawal,
  type TieOutEvidence,
  tieOut,
} from '../../../core/audit/tie-out.ts'
import type { ConvertReport } from '../../../core/contract/convert.ts'
import type { WithdrawReport } from '../../../core/contract/withdraw.ts'

const movement = (n: number, changes: Partial<MovedOrder> = {}): MovedOrder => ({
  kind: 'order',
  id: `order-${n}`,
  market: 'BTC-USDC',
  side: 'BUY',
  baseAmount: '0.25',
  quoteAmount: '16000.5',
  nonce: `nonce-${n}`,
  ...changes,
})
const intent = (n: number, changes: Partial<JournaledIntent> = {}): JournaledIntent => ({
  intentId: `cv-${n}`,
  kind: 'order',
  state: 'DONE',
  ref: `order-${n}`,
  nonce: `nonce-${n}`,
  ...changes,
})
const result = (n: number, changes: Partial<ConvertReport> = {}): ConvertReport => ({
  outcome: 'FILLED',
  intentId: `cv-${n}`,
  orderId: `order-${n}`,
  market: 'BTC-USDC',
  side: 'BUY',
  baseAmount: '0.25',
  quoteAmount: '16000.5',
  ...changes,
})
const evidence = (changes: Partial<TieOutEvidence> = {}): TieOutEvidence => ({
  movements: [movement(1), movement(2)],
  intents: [intent(1), intent(2)],
  results: [result(1), result(2)],
  violations: [],
  ...changes,
})

test('two movements tie out if each has its own intent and a result with equal amounts', () => {
  expect(tieOut(evidence())).toEqual({ tied: 2, of: 2, findings: [] })
})

test('nothing intended and nothing moved ties out', () => {
  expect(tieOut({ movements: [], intents: [], results: [], violations: [] })).toEqual({ tied: 0, of: 0, findings: [] })
})

test('a movement with an unknown nonce ties out by its id', () => {
  const { nonce: _nonce, ...shown } = movement(2)
  expect(tieOut(evidence({ movements: [movement(1), shown] }))).toEqual({ tied: 2, of: 2, findings: [] })
})

test('an intent that is a certified zero needs no movement', () => {
  const { ref: _ref, ...rejected } = intent(3, { state: 'REJECTED' })
  expect(tieOut(evidence({ intents: [intent(1), intent(2), rejected] })).findings).toEqual([])
})

test('trailing zeros do not make amounts differ', () => {
  const results = [result(1, { baseAmount: '0.250', quoteAmount: '16000.50' }), result(2)]
  expect(tieOut(evidence({ results })).findings).toEqual([])
})

test.each<[string, Partial<TieOutEvidence>, { tied: number; of: number; finding: string }]>([
  [
    'a DONE intent without a movement',
    { movements: [movement(1)] },
    { tied: 1, of: 2, finding: 'intent cv-2 is DONE by movement order-2, and the service moved no such thing' },
  ],
  [
    'a movement without an intent',
    { movements: [movement(1), movement(2), movement(3)] },
    { tied: 2, of: 3, finding: 'order order-3 moved and belongs to no intent' },
  ],
  [
    'one order that moved twice',
    { movements: [movement(1), movement(2), movement(2)] },
    { tied: 1, of: 3, finding: 'order order-2 moved 2 times' },
  ],
  [
    'two movements for one intent',
    { movements: [movement(1), movement(2), movement(3, { nonce: 'nonce-2' })] },
    { tied: 2, of: 3, finding: 'order order-3 moved and belongs to no intent' },
  ],
  [
    'two intents for one movement',
    { intents: [intent(1), intent(2), intent(3, { ref: 'order-2' })] },
    { tied: 1, of: 3, finding: 'order order-2 is claimed by 2 intents: cv-2, cv-3' },
  ],
  [
    'an amount that differs in the last digit',
    { results: [result(1), result(2, { quoteAmount: '16000.51' })] },
    {
      tied: 1,
      of: 2,
      finding: 'order order-2: quoteAmount is 16000.5 at the service and 16000.51 in the result',
    },
  ],
  [
    'a result without its amount',
    {
      results: [result(1), { outcome: 'STUCK', intentId: 'cv-2', orderId: 'order-2', market: 'BTC-USDC', side: 'BUY' }],
    },
    { tied: 1, of: 2, finding: 'order order-2: baseAmount is 0.25 at the service and missing in the result' },
  ],
  [
    'a movement whose intent gave no result',
    { results: [result(1)] },
    { tied: 1, of: 2, finding: 'intent cv-2 moved order order-2 and gave no result' },
  ],
  [
    'a movement that came from another request than its intent sent',
    { movements: [movement(1), movement(2, { nonce: 'nonce-9' })] },
    { tied: 1, of: 2, finding: 'order order-2 was asked for by another request than intent cv-2 armed' },
  ],
  [
    'an intent still in doubt',
    { intents: [intent(1), intent(2), { intentId: 'cv-3', kind: 'order', state: 'ARMED' }] },
    { tied: 2, of: 2, finding: 'intent cv-3 is ARMED: its movement is not settled' },
  ],
  [
    'a ledger that does not balance',
    { violations: ['BTC sums to 0.1'] },
    { tied: 2, of: 2, finding: "the service's ledger: BTC sums to 0.1" },
  ],
])('%s is found', (_name, changes, { tied, of, finding }) => {
  const outcome = tieOut(evidence(changes))
  expect(outcome).toMatchObject({ tied, of })
  expect(outcome.findings).toContain(finding)
})

const sent: MovedWithdrawal = {
  ...{ kind: 'withdrawal', id: 'wd-row', nonce: 'nonce-3', assetSymbol: 'USDC' },
  ...{ amount: '99.2', fee: '0.8', total: '100' },
}
const sentIntent: JournaledIntent = {
  ...{ intentId: 'wd-3', kind: 'withdrawal', state: 'DONE', ref: 'wd-row', nonce: 'nonce-3' },
}
const sentResult: WithdrawReport = {
  ...{ outcome: 'COMPLETED', intentId: 'wd-3', withdrawalId: 'wd-row', assetSymbol: 'USDC' },
  ...{ amount: '99.2', fee: '0.80', total: '100' },
}
const withSent = (movements: readonly MovedWithdrawal[]) =>
  tieOut({
    movements: [movement(1), ...movements],
    intents: [intent(1), sentIntent],
    results: [result(1), sentResult],
    violations: [],
  })

test('a withdrawal ties out by its amount, its fee, and their total', () => {
  expect(withSent([sent])).toEqual({ tied: 2, of: 2, findings: [] })
})

test.each([
  ['another fee', { ...sent, fee: '0.9' }, 'withdrawal wd-row: fee is 0.9 at the service and 0.80 in the result'],
  [
    'amounts of zero, because its money came back',
    { ...sent, amount: '0', fee: '0', total: '0' },
    'withdrawal wd-row: total is 0 at the service',
  ],
  [
    'another nonce',
    { ...sent, nonce: 'x' },
    'withdrawal wd-row was asked for by another request than intent wd-3 armed',
  ],
])('a withdrawal that the service shows with %s is found', (_what, booked, finding) => {
  const { tied, of, findings } = withSent([booked])
  expect({ tied, of }).toEqual({ tied: 1, of: 2 })
  expect(findings.join()).toContain(finding)
})

test('a withdrawal that was booked twice is found, and a withdrawal without an intent', () => {
  expect(withSent([sent, sent]).findings).toContain('withdrawal wd-row moved 2 times')
  expect(withSent([sent, { ...sent, id: 'other' }]).findings).toEqual([
    'withdrawal other moved and belongs to no intent',
  ])
})

test('an order and a withdrawal with the same id are two movements, each of the intent of its kind', () => {
  const same = {
    movements: [movement(1), { ...sent, id: 'order-1' }],
    intents: [intent(1), { ...sentIntent, ref: 'order-1' }],
    results: [result(1), { ...sentResult, withdrawalId: 'order-1' }],
    violations: [],
  }
  expect(tieOut(same)).toEqual({ tied: 2, of: 2, findings: [] })
  expect(tieOut({ ...same, movements: [movement(1)] }).findings).toEqual([
    'intent wd-3 is DONE by movement order-1, and the service moved no such thing',
  ])
  expect(tieOut({ ...same, intents: [intent(1)] }).findings).toEqual([
    'withdrawal order-1 moved and belongs to no intent',
  ])
})
