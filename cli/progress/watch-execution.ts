// Turns the events of one intent's executions into progress; events of others are passed over.
import { intentIdOf } from '../../functions/contract/fields.ts'
import { describeEntered, describeEvent, type Narration, type WatchedEvent } from './event-lines.ts'
import type { Progress } from './progress.ts'

/** The intent's id is part of the name of each execution that enters it: known before one is found. */
export function watchExecution<Request>(
  intentId: string,
  request: Request,
  narration: Narration<Request>,
  progress: Progress,
): (executionArn: string, event: WatchedEvent) => void {
  return (executionArn, event) => {
    if (intentIdOf(executionArn.slice(executionArn.lastIndexOf(':') + 1)) !== intentId) return
    // What was going on in this state is over.
    if (event.stateExitedEventDetails !== undefined) progress.end()
    const said = describeEvent(event, request, narration)
    if (said !== undefined) progress.line(said)
    const doing = describeEntered(event, request, narration)
    if (doing !== undefined) progress.live(doing)
  }
}
