// Tests the first line of a request on a terminal: what is known of its movement.
import { expect, test } from 'vitest'
import { IntentState } from '../../../../core/contract/records.ts'
import type { LoadedIntent } from '../../../../operations/movements/load-intent.ts'
import { intentLines } from '../../../../views/movements/intent-text.ts'
import { withdrawal } from '../../operations/movements/sample-intents.ts'

function withEnd(outcome: string): LoadedIntent {
  const intent = { ...withdrawal, state: IntentState.Done, ref: 'w-1' } as LoadedIntent['intent']
  const settled = { fact: 'settled', outcome, movement: 'withdrawal', movementId: 'w-1' } as const
  return { intent, histories: [], facts: [settled], attention: undefined }
}

test.each([
  ['COMPLETED', 'DONE  it moved, exactly once'],
  ['FAILED_REFUNDED', 'DONE  it moved exactly once, failed, and came back'],
])('a withdrawal that ended %s begins with: %s', (outcome, line) => {
  expect(intentLines(withEnd(outcome))[0]).toBe(line)
})
