// An intent keeps its attempt and answer through each change, and an ended one cannot send.
import { describe, expect, test } from 'vitest'
import { IntentState, recordKey } from '../../../core/contract/records.ts'
import { type Intent, isTerminal, type OpenConversion } from '../../../core/journal/intent.ts'
import { fieldsOfIntent, intentOfRecord } from '../../../core/journal/intent-record.ts'
import {
  answeredMove,
  doneMove,
  escalateMove,
  type Move,
  nextAttemptMove,
  zeroMove,
} from '../../../core/journal/moves.ts'
import { armed, attemptAt, CONVERSION } from '../../helpers/intents.ts'

const READY: OpenConversion = {
  ...CONVERSION,
  intentId: 'intent-1',
  paramsHash: 'ab'.repeat(32),
  createdAt: '2026-01-01T00:00:00Z',
  notAfter: '2026-01-01T00:15:00Z',
  state: IntentState.Ready,
  version: 1,
  attemptNumber: 1,
}
const HEARD_MS = Date.parse('2026-01-01T00:00:15Z')
const SAID = { code: 'no_answer', business: false, text: 'no answer' }
/** With the attempt that was armed last, as in every state after the first ARM. */
const inState = (state: IntentState): OpenConversion => ({ ...READY, attempt: attemptAt('order-1'), state })
const states = Object.values(IntentState)

describe.each<[string, (intent: Intent) => Move, readonly IntentState[]]>([
  ['arm', (intent) => armed(intent, 'order-2'), ['READY']],
  ['hear', (intent) => answeredMove(intent, SAID, HEARD_MS), ['ARMED']],
  ['done', (intent) => doneMove(intent, 'order-1'), ['ARMED']],
  ['escalate', (intent) => escalateMove(intent, 'NEEDS_ATTENTION', 'why'), ['ARMED']],
  ['next attempt', nextAttemptMove, ['READY', 'ARMED']],
  ['reject', (intent) => zeroMove(intent, 'REJECTED', 'REJECTED', 'no'), ['READY', 'ARMED']],
  ['exhaust', (intent) => zeroMove(intent, 'EXHAUSTED', 'EXPIRED_OUT', 'late'), ['READY', 'ARMED']],
])('the move "%s"', (_, move, from) => {
  test.each(states.map((state) => [state, from.includes(state) ? 'is made' : 'is a bug, and throws']))(
    'from %s %s',
    (state) => {
      if (from.includes(state)) expect(move(inState(state))).not.toHaveProperty('version')
      else expect(() => move(inState(state))).toThrow(TypeError)
    },
  )
})

test('exactly an intent that may still send is not terminal', () => {
  expect(states.filter((state) => !isTerminal(state))).toEqual(['READY', 'ARMED'])
})

test('an answer is added to its attempt, and the attempt keeps its other fields', () => {
  const intent = inState('ARMED')
  const answered = { ...SAID, status: 503 }
  expect(answeredMove(intent, answered, HEARD_MS)).toEqual({
    attempt: { ...intent.attempt, said: answered, listenedUntil: '2026-01-01T00:00:15.000Z' },
  })
  // How long it waited for an answer that never arrived, only this machine's clock could say.
  expect(answeredMove(intent, SAID, HEARD_MS)).toEqual({ attempt: { ...intent.attempt, said: SAID } })
})

test('a new attempt starts without the last attempt’s answer', () => {
  const { attempt } = { ...inState('ARMED'), ...answeredMove(inState('ARMED'), SAID, HEARD_MS) }
  const answered = { ...inState('ARMED'), attempt } as OpenConversion
  const again = { ...answered, ...nextAttemptMove(answered) } as OpenConversion
  expect(again).toMatchObject({ state: 'READY', attemptNumber: 2 })
  expect({ ...again, ...armed(again, 'order-2') }.attempt).not.toHaveProperty('said')
})

test('a move that needs an attempt fails with that reason without an attempt', () => {
  expect(() => answeredMove({ ...READY, state: 'ARMED' }, SAID, HEARD_MS)).toThrow(
    'intent intent-1 has no armed attempt',
  )
})

test('an intent is read from its record unchanged, without the fields of the store', () => {
  const fields = fieldsOfIntent(inState('ARMED'))
  expect(fields).toMatchObject({ listed: 'OPEN', version: 1 })
  const pk = recordKey.intent('convert', 'intent-1')
  expect(intentOfRecord({ ...fields, pk, version: 1, format: 1, stamp: 'stamp-1' })).toEqual(inState('ARMED'))
})
