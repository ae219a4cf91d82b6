// Says of each send whose effect is not known yet when it will be known. Its execution is under way, so it needs nobody:
// the execution finds the movement, or certifies after the fence that nothing moved. Pure.

import { type IntentKind, IntentState } from '../../core/contract/records.ts'
import { LISTENING_SECONDS, type Timing } from '../../core/contract/timing.ts'
import { fenceOf, runOf } from '../../core/journal/entering.ts'
import { attemptOf, type Intent, isOpened } from '../../core/journal/intent.ts'
import { requestText } from '../words/request-words.ts'

export interface Doubt {
  readonly intentId: string
  readonly kind: IntentKind
  readonly asked: string
  readonly run?: string
  /** ISO-8601, service time: the signature. */
  readonly since: string
  /** ISO-8601, service time: the fence. From then on it can be known whether it moved. */
  readonly until: string
  /** Whether that time is over, and it is not known yet. */
  readonly isOverdue: boolean
  /** The answer of the service, where one came. */
  readonly said?: string
}

/** `inNeed`: ids of the intents that need a person. A send whose answer may still come is no doubt. */
export function doubtsOf(
  intents: readonly Intent[],
  inNeed: ReadonlySet<string>,
  { nowMs, timing }: { readonly nowMs: number; readonly timing: Timing },
): readonly Doubt[] {
  return intents.flatMap((intent) => {
    if (intent.state !== IntentState.Armed || !isOpened(intent) || inNeed.has(intent.intentId)) return []
    const { iat, said } = attemptOf(intent)
    if (said === undefined && nowMs < (iat + LISTENING_SECONDS) * 1000) return []
    const untilMs = fenceOf(intent, timing)
    const run = runOf(intent)
    return [
      {
        ...{ intentId: intent.intentId, kind: intent.kind, asked: requestText(intent) },
        ...(run !== undefined && { run }),
        ...{ since: isoOf(iat * 1000), until: isoOf(untilMs), isOverdue: nowMs > untilMs },
        ...(said !== undefined && { said: said.text }),
      },
    ]
  })
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString()
}
