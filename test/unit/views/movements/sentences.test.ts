// The sentences of whole intents, from fixed records: the sends, the answers, the end of the doubt, and the certified
// result.
import { expect, test } from 'vitest'
import type { Intent } from '../../../../core/journal/intent.ts'
import type { Fact } from '../../../../operations/movements/facts.ts'
import { type KnownOfIntent, timelineOf } from '../../../../operations/movements/timeline.ts'
import { sentenceOf } from '../../../../views/movements/sentences.ts'
import type { SentenceContext } from '../../../../views/movements/telling.ts'
import {
  conversion,
  ended,
  LOST,
  left,
  orderSent,
  quoted,
  timing,
  withdrawal,
  withdrawalSent,
} from '../../operations/movements/sample-intents.ts'

function tellingOf({ intentId, kind, state }: Intent): SentenceContext {
  const isConversion = kind === 'convert'
  return {
    ...{ intentId, day: '2026-01-01', isOpen: state === 'ARMED' },
    noun: isConversion ? 'conversion' : 'withdrawal',
    movement: isConversion ? 'order' : 'withdrawal',
  }
}

const told = (intent: Intent, more: Partial<KnownOfIntent> = {}) =>
  timelineOf({ intent, histories: [], timing, ...more }).map((fact) => sentenceOf(fact, tellingOf(intent)))

const ASKED = 'A conversion was asked for: buy 0.1 BTC with USDC. Nothing is sent for it from 00:15:00 on.'
const QUOTED =
  'The service quoted 0.1 for 5000 in BTC-USDC, at a rate of 50000, as order order-1. It was good until 00:00:05.'
const SENT =
  'Sluice wrote down that it was about to send the order, signed with the key svc_test_0123456789ab and the nonce nonce-1. It then sent it, once. The signature was good until 00:00:30.'
const FENCE =
  'Until 00:01:20 a missing order proves nothing: a copy of the request could be accepted until 00:00:05, may have been processed without an answer for 15 s more, and what was accepted may take 60 s to show.'

test('a conversion whose answer was lost, and whose order was found', () => {
  const done: Intent = { ...conversion, state: 'DONE', ref: 'order-1', attempt: { ...orderSent, said: LOST } }
  const filled = { outcome: 'FILLED', intentId: 'cv-1', orderId: 'order-1', market: 'BTC-USDC', rate: '50000' }
  const report = { ...filled, baseAmount: '0.1', quoteAmount: '5000', fills: [] }
  const histories = [ended([quoted(0, 1, 'order-1'), left(16, 'Order', report)])]
  expect(told(done, { histories, claimedBy: 'cv-1' })).toEqual([
    ...[ASKED, QUOTED, SENT],
    'No answer came within 15 s.',
    'Sluice looked at the service and found it: order order-1. It is tied to this intent, and to no other.',
    'The order is filled: 0.1 for 5000 in BTC-USDC, at a rate of 50000. The money is in the account.',
  ])
})

test('a conversion that was certified to have moved nothing, after its fence', () => {
  const why = '1 attempts moved nothing; the last: no answer from the service within 15 s'
  const zero = { ...conversion, state: 'EXHAUSTED', outcome: 'EXPIRED_OUT', why } as const
  const uncertain = { outcome: 'UNCERTAIN', intentId: 'cv-1', orderId: 'order-1', attempts: 1, until: '', why: '' }
  const histories = [
    ended(
      [
        quoted(0, 1, 'order-1'),
        left(16, 'Order', uncertain),
        left(81, 'Order', { outcome: 'EXPIRED_OUT', intentId: 'cv-1', attempts: 1, why }),
      ],
      'FAILED',
      'EXPIRED_OUT',
    ),
  ]
  expect(told({ ...zero, attempt: { ...orderSent, said: LOST } }, { histories })).toEqual([
    ...[ASKED, QUOTED, SENT],
    'No answer came within 15 s.',
    `Whether money moved was not certain. ${FENCE}`,
    'After that, Sluice asked the service for the order by its id, and the service had no such order. No copy of the request can be accepted any more, so nothing moved. It ended: time ran out. Why: 1 attempts moved nothing; the last: no answer from the service within 15 s. The money is where it was.',
  ])
})

test('without a kept execution, the record alone describes its last attempt', () => {
  const armed: Intent = { ...conversion, state: 'ARMED', attempt: { ...orderSent, said: LOST } }
  expect(told(armed)).toEqual([
    ...[ASKED, QUOTED, SENT],
    'No answer came within 15 s.',
    `Whether money moved is not certain. ${FENCE}`,
    'It is not certain whether money moved. That can be certain at 00:01:20 at the earliest, unless it is found before. No execution of it is under way: the same command again continues it.',
  ])
  const done: Intent = { ...conversion, state: 'DONE', ref: 'order-1', attempt: orderSent }
  expect(told(done, { claimedBy: 'cv-1' }).at(-1)).toBe(
    "It is proven, by the service's answer or by a later check: order order-1. It is tied to this intent, and to no other.",
  )
})

test('two attempts, of which the journal keeps only the second', () => {
  const done: Intent = { ...conversion, attemptNumber: 2, state: 'DONE', ref: 'order-1', attempt: orderSent }
  const report = (outcome: string, orderId: string, attempts: number) => ({
    outcome,
    intentId: 'cv-1',
    orderId,
    attempts,
  })
  const doubt = { ...report('UNCERTAIN', 'order-0', 1), until: '2026-01-01T00:01:10.000Z', why: 'no answer' }
  const histories = [
    ended([
      quoted(0, 1, 'order-0'),
      left(1, 'Order', doubt),
      left(71, 'Order', { outcome: 'QUOTE_EXPIRED', intentId: 'cv-1', attempts: 2, why: 'no answer' }),
      quoted(72, 2, 'order-1'),
      left(73, 'Order', { ...report('PROCESSING', 'order-1', 2), why: 'the order is new' }),
    ]),
  ]
  const sentences = told(done, { histories, claimedBy: 'cv-1' })
  expect(sentences.slice(2, 5)).toEqual([
    'An attempt to send the order was written down, and sent at most once. The journal keeps no more of it.',
    'Whether money moved was not certain. Until 00:01:10 a missing order proves nothing, because a copy of the request could still be accepted.',
    'After that, Sluice asked the service for the order by its id, and the service had no such order. So this attempt moved nothing. Why it ended: no answer.',
  ])
  expect(sentences.slice(6)).toEqual([
    SENT,
    'The service accepted it: order order-1. It is tied to this intent, and to no other.',
    'The movement existed and was not settled: the order is new.',
  ])
})

test("a withdrawal that needs a person, and the person's decision", () => {
  const evidence = [{ id: 'w-1' }, { id: 'w-2' }]
  const escalated = {
    ...withdrawal,
    state: 'ESCALATED',
    why: 'new rows that match this withdrawal: 2; that are like it: 0',
    evidence,
  } as const
  const said = { code: 'internal_error', status: 500, business: false, text: 'the service failed' }
  const sentences = told({ ...escalated, attempt: { ...withdrawalSent, said } })
  expect(sentences[1]).toMatch(
    /^First, Sluice noted which withdrawals of this asset were there already: 1\. Sluice wrote/,
  )
  expect(sentences[2]).toBe(
    'The service answered with an error (500 internal_error): the service failed. An error proves nothing.',
  )
  expect(sentences.at(-1)).toBe(
    'A person must decide what it moved: new rows that match this withdrawal: 2; that are like it: 0. Candidates: w-1, w-2.',
  )
  const resolution = { by: 'ada', because: 'seen in the dashboard', at: '2026-01-02T09:00:00Z', movementId: 'w-2' }
  const done: Intent = { ...withdrawal, state: 'DONE', ref: 'w-2', attempt: withdrawalSent, resolution }
  expect(told(done, { claimedBy: 'wd-1' }).slice(-2)).toEqual([
    'ada decided that withdrawal w-2 is its movement: seen in the dashboard.',
    "It is proven, by the service's answer or by a later check: withdrawal w-2. It is tied to this intent, and to no other.",
  ])
})

test('a withdrawal that a guard refused before anything was sent', () => {
  const refused = { outcome: 'REJECTED', why: 'the budget of the day is spent', guardedBy: 'budget' } as const
  expect(told({ ...withdrawal, state: 'REJECTED', ...refused }).at(-1)).toBe(
    'Nothing was ever sent for it, so nothing moved. It ended: declined. Why: The guard "budget" refused it: the budget of the day is spent. The money is where it was.',
  )
})

test('a withdrawal on which nobody decided in time', () => {
  const undecided = { outcome: 'EXHAUSTED', why: 'its time ran out', guardedBy: 'approval' } as const
  expect(told({ ...withdrawal, state: 'EXHAUSTED', ...undecided }).at(-1)).toContain(
    'Why: Nobody decided on it in time: its time ran out.',
  )
})

test('a withdrawal of two attempts, whose second attempt was proven by its answer', () => {
  const done: Intent = { ...withdrawal, attemptNumber: 2, state: 'DONE', ref: 'w-1', attempt: withdrawalSent }
  const report = (outcome: string, attempts: number) => ({ outcome, intentId: 'wd-1', attempts })
  const histories = [
    ended([
      left(1, 'Withdraw', { ...report('UNCERTAIN', 1), until: '2026-01-01T00:02:45.000Z' }),
      left(166, 'Withdraw', { ...report('AGAIN', 2), why: 'no answer' }),
      left(168, 'Withdraw', { ...report('PROCESSING', 2), why: 'the withdrawal is pending' }),
      { did: 'failed', at: '2026-01-01T00:03:00.000Z', state: 'PollWithdrawal', error: 'Transient', message: '' },
    ]),
  ]
  expect(told(done, { histories, claimedBy: 'wd-1' }).slice(1)).toEqual([
    'An attempt to send the withdrawal was written down, and sent at most once. The journal keeps no more of it.',
    expect.stringMatching(/^Whether money moved was not certain\. Until 00:02:45 a missing withdrawal proves nothing/),
    expect.stringMatching(
      /^After that, Sluice read the list of withdrawals completely, .* So this attempt moved nothing\./,
    ),
    expect.stringMatching(/^First, Sluice noted .* It then sent it, once\./),
    'The service accepted it: withdrawal w-1. It is tied to this intent, and to no other.',
    'The movement existed and was not settled: the withdrawal is pending.',
    'The step PollWithdrawal failed (Transient). It may be entered again, because each step reads the journal first.',
  ])
})

test('if the sending step failed, nobody knows whether the answer arrived', () => {
  const done: Intent = { ...conversion, state: 'DONE', ref: 'order-1', attempt: orderSent }
  const report = { outcome: 'PROCESSING', intentId: 'cv-1', orderId: 'order-1', attempts: 1, why: 'it is NEW' }
  const failed = { did: 'failed', at: '2026-01-01T00:00:02.000Z', state: 'Order', error: 'Lambda.Unknown' } as const
  const histories = [ended([quoted(0, 1, 'order-1'), { ...failed, message: '' }, left(9, 'Order', report)])]
  const sentences = told(done, { histories, claimedBy: 'cv-1' })
  expect(sentences[2]).toBe(SENT)
  expect(sentences[4]).toMatch(/^It is proven, by the service's answer or by a later check: order order-1\./)
})

const telling = tellingOf(withdrawal)

test.each<[Fact, string]>([
  [{ fact: 'entered', execution: 'wd-1_2' }, 'The execution wd-1_2 went through its steps again.'],
  [
    { fact: 'held', why: 'sending is halted by ada' },
    'Nothing was sent yet, and nothing was in doubt: sending is halted by ada.',
  ],
  [
    {
      ...{ fact: 'checked', amount: '99', fee: '1', total: '100', assetSymbol: 'USDC' },
      ...{ networkId: 'ETH', to: 'contact c-1' },
    },
    'The checks passed. To be sent were 99 USDC, on the network ETH, to contact c-1. With a fee of 1, at most 100 USDC would leave the account.',
  ],
  [
    { fact: 'answered', answer: 'refused', status: 422, code: 'unprocessable', text: 'too much' },
    'The service refused it (422 unprocessable): too much. A refusal alone proves nothing, because a copy of the request could still be accepted.',
  ],
  [
    { fact: 'answered', answer: 'accepted unread', status: 201, code: 'cut_off', text: 'the answer was cut off' },
    'The service accepted it (201 cut_off), but its answer could not be read: the answer was cut off. So money moves, and the list must show which row it is.',
  ],
  [{ fact: 'answered', answer: 'not recorded' }, 'No answer to it was recorded.'],
  [
    { fact: 'attempt ended', why: 'it was lost', wasInDoubt: true, movement: 'withdrawal' },
    'After that, Sluice read the list of withdrawals completely, and no row could be its withdrawal. So this attempt moved nothing. Why it ended: it was lost.',
  ],
  [
    { fact: 'fault', state: 'Withdraw', error: 'Transient', message: '' },
    'The step Withdraw failed (Transient). It may be entered again, because each step reads the journal first.',
  ],
  [
    { fact: 'stopped', execution: 'wd-1', status: 'FAILED', error: 'STUCK' },
    'The execution wd-1 failed (stuck at the service).',
  ],
  [
    {
      ...{ fact: 'settled', outcome: 'COMPLETED', movement: 'withdrawal', movementId: 'w-1', assetSymbol: 'USDC' },
      ...{ amount: '99', fee: '1', total: '100', networkId: 'ETH', transactionHash: '0xab', bankReference: null },
    },
    'The withdrawal is complete: 99 USDC for a fee of 1, 100 USDC in all. It went by the network ETH. Its transaction is 0xab.',
  ],
  [
    { fact: 'open', state: 'READY', isUnderWay: true },
    'Nothing has moved, and nothing is in doubt. Its execution is still under way, and continues by itself.',
  ],
])('%j is written as a sentence', (fact, sentence) => {
  expect(sentenceOf(fact, telling)).toBe(sentence)
})
