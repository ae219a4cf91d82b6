import { expect, test } from 'vitest'
import { askText, describeEntered, describeEvent, type WatchedEvent } from '../../../cli/progress/event-lines.ts'
import type { ConvertRequest } from '../../../functions/contract/convert.ts'

const request: ConvertRequest = {
  baseAsset: 'BTC',
  quoteAsset: 'USDC',
  side: 'BUY',
  amountAsset: 'BTC',
  amount: '0.25',
}
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
])('%j is asked as "%s"', (change, text) => {
  expect(askText({ ...request, ...change })).toBe(text)
})

test('a quote is told with its amounts, rate and order', () => {
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

test('an uncertain order is told with what the service answered and until when it is certified', () => {
  const why = 'the service answered 503 maintenance; certifying until 2026-11-20T10:00:00.000Z that nothing moved'
  expect(describeEvent(exited('Order', { outcome: 'UNCERTAIN', why, waitSeconds: 71 }), request)).toEqual({
    label: 'Order',
    text: `not certain: ${why}`,
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
    { outcome: 'PROCESSING', why: 'the order is NEW', waitSeconds: 5 },
    'accepted, still moving: the order is NEW; next look in 5 s',
    'wait',
  ],
  ['Order', { outcome: 'PRICE_REFUSED', why: 'too dear' }, 'PRICE_REFUSED: too dear', 'bad'],
  ['Quote', { outcome: 'RECORDED' }, 'the journal already knows this intent', 'plain'],
])('%s with %j is told as "%s"', (state, output, text, tone) => {
  expect(describeEvent(exited(state, output), request)).toEqual({ label: state, text, tone })
})

test('a function that failed is told by the error name and message alone', () => {
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
])('%j has nothing of its own to say', (event) => {
  expect(describeEvent(event, request)).toBeUndefined()
  expect(describeEntered(event, request)).toBeUndefined()
})
