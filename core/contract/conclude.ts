// The input of the state Conclude, which every state machine has. A Catch makes it from the fault of a step.
import * as z from 'zod/mini'
import { isoTime } from './fields.ts'
import { IntentKind } from './records.ts'

export const concludeInput = z.object({
  /** Whatever the execution is named: that it can name no intent is for Conclude to say. */
  execution: z.string(),
  startedAt: isoTime,
  /** The execution's own input. */
  request: z.unknown(),
  kind: z.enum(IntentKind),
  /** As Step Functions writes it; a time-out comes with an empty Cause. */
  fault: z.object({ Error: z._default(z.string(), 'Unknown'), Cause: z._default(z.string(), '') }),
})
export type ConcludeInput = z.infer<typeof concludeInput>
