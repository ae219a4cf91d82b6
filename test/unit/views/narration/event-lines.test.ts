// Each state of a run is one line for a person, with the service's answer where it matters.
import { expect, test } from 'vitest'
import type { ConvertRequest } from '../../../../core/contract/convert.ts'
import type { WithdrawRequest } from '../../../../core/contract/withdraw.ts'
import { askText, sendText } from '../../../../operations/words/request-words.ts'
import { convertNarration } from '../../../../views/narration/convert-lines.ts'
import * as lines from '../../../../views/narration/event-lines.ts'
import { withdrawNarration } from '../../../../views/narration/withdraw-lines.ts'

const request: ConvertRequest = {
  baseAsset: 'BTC',
  quoteAsset: 'USDC',
  side: 'BUY',
  amountAsset: 'BTC',
  amount: '0.25',
}
type WatchedEvent = import('../../../../place/executions/execution-history.ts').WatchedEvent
const describeEntered = (event: WatchedEvent, asked: ConvertRequest) =>
  lines.describeEntered(event, asked, convertNarration)
const describeEvent = (event: WatchedEvent, asked: ConvertRequest) =>
  lines.describeEvent(event, asked, convertNarration)
const exited = (name: string, output: unknown): WatchedEvent => ({
  type: 'TaskStateExited',
  stateExitedEventDetails: { name, output: JSON.stringify(output) },
})
const entered = (name: string, input: unknown): WatchedEvent => ({
  type: 'TaskStateEntered',
  stateEnteredEventDetails: { name, input: JSON.stringify(input) },
})

test.each<[Partial<ConvertRequest>, string]>([
  [{}, 'buy 0.25 BTC with USDC'],
  [{ side: 'SELL' }, 'sell 0.25 BTC for USDC'],
  [{ amountAsset: 'usdc', amount: '1000' }, 'buy BTC with 1000 USDC'],
  [{ amountAsset: 'USDC', amount: '1000', side: 'SELL' }, 'sell BTC for 1000 USDC'],
])('%j is requested as "%s"', (change, text) => {
  expect(askText({ ...request, ...change })).toBe(text)
})

test('a quote is shown with its amounts, rate and order', () => {
  const quote = {
    orderId: 'order-1',
    market: 'BTC-USDC',
    rate: '64000',
    baseAmount: '0.25',
    quoteAmount: '16000',
    expiresAt: null,
  }
  expect(describeEvent(exited('Quote', { outcome: 'QUOTED', quote }), request)).toEqual({
    label: 'Quote',
    text: '0.25 BTC for 16000 USDC at 64000, order order-1',
    tone: 'plain',
  })
})

test("an uncertain order is shown with the service's answer and the time of its certification", () => {
  const why = 'the service answered 503 maintenance; before 2026-11-20T10:00:00.000Z it is not certain whether it moved'
  expect(describeEvent(exited('Order', { outcome: 'UNCERTAIN', why, waitSeconds: 71 }), request)).toEqual({
    label: 'Order',
    text: `the service is in maintenance, and this run waits until it ends; nothing is lost: not certain: ${why}`,
    tone: 'wait',
  })
  expect(describeEntered(entered('WaitForFence', { waitSeconds: 71 }), request)?.text).toBe(
    'waiting 71 s until it is certain whether money moved',
  )
})

test.each([
  [
    'Order',
    { outcome: 'FILLED', baseAmount: '0.25', quoteAmount: '16000', rate: '64000' },
    'filled 0.25 BTC for 16000 USDC at 64000',
    'good',
  ],
  [
    'Order',
    { outcome: 'QUOTE_EXPIRED', attempts: 2, why: 'the quote was too old to send' },
    'nothing moved: the quote was too old to send; attempt 2 asks for another quote',
    'wait',
  ],
  [
    'PollOrder',
    { outcome: 'PROCESSING', why: 'the order is new', waitSeconds: 5 },
    'accepted, still moving: the order is new; next check in 5 s',
    'wait',
  ],
  [
    'Order',
    { outcome: 'HELD', why: 'sending is halted by ada', waitSeconds: 15 },
    'waits its turn: sending is halted by ada',
    'wait',
  ],
  ['Order', { outcome: 'PRICE_REFUSED', why: 'too dear' }, 'PRICE_REFUSED: too dear', 'bad'],
  ['Quote', { outcome: 'RECORDED' }, 'the journal has this id already: continuing from there', 'plain'],
  [
    'Quote',
    { outcome: 'RECORDED', refused: { isFirstUse: true, isUnsent: true } },
    'this id is used for the first time, and is refused before anything was sent',
    'wait',
  ],
  [
    'Quote',
    { outcome: 'RECORDED', refused: { isFirstUse: false, isUnsent: true } },
    'refused before anything was sent',
    'wait',
  ],
  [
    'Quote',
    { outcome: 'RECORDED', refused: { isFirstUse: true, isUnsent: false } },
    'refused, after attempts that have moved nothing',
    'wait',
  ],
])('%s with %j is shown as "%s"', (state, output, text, tone) => {
  expect(describeEvent(exited(state, output), request)).toEqual({ label: state, text, tone })
})

test('a failed function is shown by the error name and message alone', () => {
  const cause = JSON.stringify({
    errorType: 'Transient',
    errorMessage: 'the service did not answer',
    trace: ['at secret'],
  })
  const event: WatchedEvent = { type: 'TaskFailed', taskFailedEventDetails: { error: 'Transient', cause } }
  expect(describeEvent(event, request)).toEqual({
    label: 'fault',
    text: 'Transient: the service did not answer',
    tone: 'bad',
  })
})

test.each([
  [exited('Order', { Error: 'Transient', Cause: 'told already' })],
  [exited('Order', 'not an object')],
  [exited('OrderOutcome', { outcome: 'FILLED' })],
  [exited('Filled', { outcome: 'FILLED' })],
  [{ type: 'ExecutionStarted' }],
])('%j has no line of its own', (event) => {
  expect(describeEvent(event, request)).toBeUndefined()
  expect(describeEntered(event, request)).toBeUndefined()
})

const send: WithdrawRequest = { assetSymbol: 'USDC', amount: '100', contactReference: 'exchange-usdc-eth' }

test.each<[Partial<WithdrawRequest>, string]>([
  [{}, 'send 100 USDC, fee included, to exchange-usdc-eth'],
  [{ feeMode: 'add' }, 'send 100 USDC, the fee on top, to exchange-usdc-eth'],
  [{ contactReference: undefined, contactId: 'c-1' }, 'send 100 USDC, fee included, to contact c-1'],
])('a withdrawal with %j is shown as "%s"', (change, text) => {
  expect(sendText({ ...send, ...change })).toBe(text)
})

test.each([
  ['CheckWithdrawal', { outcome: 'CHECKED' }, 'contact, network, fee, amount and balance fit', 'plain'],
  ['CheckWithdrawal', { outcome: 'RECORDED' }, 'the journal has this id already: continuing from there', 'plain'],
  [
    'CheckWithdrawal',
    { outcome: 'RECORDED', refused: { isFirstUse: true, isUnsent: true } },
    'this id is used for the first time, and is refused before anything was sent',
    'wait',
  ],
  [
    'Withdraw',
    { outcome: 'HELD', why: 'withdrawal wd-1 of USDC is not settled yet', waitSeconds: 15 },
    'waits its turn: withdrawal wd-1 of USDC is not settled yet',
    'wait',
  ],
  ['Withdraw', { outcome: 'UNCERTAIN', why: 'the answer was lost' }, 'not certain: the answer was lost', 'wait'],
  [
    'Withdraw',
    { outcome: 'AGAIN', attempts: 2, why: 'the answer was lost' },
    'nothing moved: the answer was lost; attempt 2 sends again',
    'wait',
  ],
  [
    'PollWithdrawal',
    { outcome: 'PROCESSING', why: 'the withdrawal is pending', waitSeconds: 5 },
    'accepted, still moving: the withdrawal is pending; next check in 5 s',
    'wait',
  ],
  [
    'PollWithdrawal',
    { outcome: 'PROCESSING', isRefundDue: true, why: 'the withdrawal ended as failed', waitSeconds: 5 },
    'accepted, not refunded: the withdrawal ended as failed; next check in 5 s',
    'wait',
  ],
  [
    'PollWithdrawal',
    { outcome: 'COMPLETED', amount: '98', fee: '2', total: '100', assetSymbol: 'USDC' },
    'sent 98 USDC for a fee of 2, 100 in all',
    'good',
  ],
  ['Withdraw', { outcome: 'REJECTED', why: 'no' }, 'REJECTED: no', 'bad'],
])('of a withdrawal %s with %j is shown as "%s"', (state, output, text, tone) => {
  expect(lines.describeEvent(exited(state, output), send, withdrawNarration)).toEqual({ label: state, text, tone })
})

test('a wait for another withdrawal of the asset is shown with its seconds', () => {
  const event = entered('WaitForTurn', { waitSeconds: 15 })
  expect(lines.describeEntered(event, send, withdrawNarration)?.text).toBe('waiting 15 s for its turn')
})
