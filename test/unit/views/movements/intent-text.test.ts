// Tests the first line of a request on a terminal: what is known of its movement.
import { expect, test } from 'vitest'
import { IntentState } from '../../../../core/contract/records.ts'
import type { LoadedIntent } from '../../../../operations/movements/load-intent.ts'
import { intentLines } from '../../../../views/movements/intent-text.ts'
import { withdrawal } from '../../operations/movements/sample-intents.ts'

function withEnd(outcome: string, more: object = {}): LoadedIntent {
  const intent = { ...withdrawal, state: IntentState.Done, ref: 'w-1' } as LoadedIntent['intent']
  const settled = { fact: 'settled', outcome, movement: 'withdrawal', movementId: 'w-1', ...more } as const
  return { intent, histories: [], facts: [settled], attention: undefined }
}

test.each([
  ['COMPLETED', {}, 'DONE  it moved, exactly once'],
  ['FAILED_REFUNDED', {}, 'FAILED_REFUNDED  it moved exactly once, failed, and came back'],
  [
    'FAILED_REFUNDED',
    { isByBalance: true },
    'FAILED_REFUNDED  it moved exactly once, and failed; only the balance shows that it came back',
  ],
  ['PROCESSING', {}, 'DONE  the service accepted it, exactly once'],
  ['STUCK', {}, 'DONE  the service accepted it, exactly once'],
  ['STUCK', { isRefundDue: true }, 'REFUND_DUE  the service accepted it, calls it failed, and shows no refund'],
])('a withdrawal that ended %s %j begins with: %s', (outcome, more, line) => {
  expect(intentLines(withEnd(outcome, more))[0]).toBe(line)
})
