// Returns facts about an intent that a step refused before any send, for texts that people read.
import type { RefusedNow } from '../contract/fields.ts'
import { IntentState } from '../contract/records.ts'
import type { Intent } from '../journal/intent.ts'

/**
 * `startedAt`: when the execution started. The execution that opens an intent writes its own start as `createdAt`.
 * Returns nothing for an intent that may have been sent by another execution.
 */
export function refusedNow(
  { createdAt, attempt, state }: Intent,
  startedAt: string,
): { readonly refused?: RefusedNow } {
  if (state !== IntentState.Rejected && state !== IntentState.Exhausted) return {}
  return { refused: { isFirstUse: createdAt === startedAt, isUnsent: attempt === undefined } }
}
