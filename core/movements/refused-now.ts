// What is true of an intent that a step has refused before it was sent, for the words that a person reads. It decides
// nothing.
import type { RefusedNow } from '../contract/fields.ts'
import { IntentState } from '../contract/records.ts'
import type { Intent } from '../journal/intent.ts'

/**
 * `startedAt`: when the execution started. An intent is opened with the start of the execution that opens it. Empty where
 * the intent is at no certified zero: another execution was first, and may have sent it.
 */
export function refusedNow(
  { createdAt, attempt, state }: Pick<Intent, 'createdAt' | 'attempt' | 'state'>,
  startedAt: string,
): { readonly refused?: RefusedNow } {
  if (state !== IntentState.Rejected && state !== IntentState.Exhausted) return {}
  return { refused: { isFirstUse: createdAt === startedAt, isUnsent: attempt === undefined } }
}
