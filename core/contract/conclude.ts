// Defines the input of the state Conclude, which the Convert and Withdraw state machines have. A Catch builds it from
// the fault of a step.
import * as z from 'zod/mini'
import { isoTime } from './fields.ts'
import { IntentKind } from './records.ts'

export const concludeInput = z.object({
  /** Any name: Conclude itself decides whether it names an intent. */
  execution: z.string(),
  startedAt: isoTime,
  request: z.unknown(),
  kind: z.enum(IntentKind),
  /** The fault, in Step Functions' own format. A time-out has an empty Cause. */
  fault: z.object({ Error: z._default(z.string(), 'Unknown'), Cause: z._default(z.string(), '') }),
})
export type ConcludeInput = z.infer<typeof concludeInput>
