// Returns facts about an intent that a step refused before any send. Only the texts that a person reads use them; it decides
// nothing.
import type { RefusedNow } from '../contract/fields.ts'
import { IntentState } from '../contract/records.ts'
import type { Intent } from '../journal/intent.ts'

/**
 * `startedAt`: when the execution started. The execution that opens an intent writes its own start as `createdAt`. Empty where
 * the intent is no certified zero: another execution was first, and may have sent it.
 */
export function refusedNow(
  { createdAt, attempt, state }: Pick<Intent, 'createdAt' | 'attempt' | 'state'>,
  startedAt: string,
): { readonly refused?: RefusedNow } {
  if (state !== IntentState.Rejected && state !== IntentState.Exhausted) return {}
  return { refused: { isFirstUse: createdAt === startedAt, isUnsent: attempt === undefined } }
}
