// Turns the events of one execution into progress; events of others are passed over.
import type { ConvertRequest } from '../../functions/contract/convert.ts'
import { describeEntered, describeEvent, type WatchedEvent } from './event-lines.ts'
import type { Progress } from './progress.ts'

/** `name` is the execution's name, the last part of its ARN: known before the execution is found. */
export function watchExecution(
  name: string,
  request: ConvertRequest,
  progress: Progress,
): (executionArn: string, event: WatchedEvent) => void {
  return (executionArn, event) => {
    if (!executionArn.endsWith(`:${name}`)) return
    // What was going on in this state is over.
    if (event.stateExitedEventDetails !== undefined) progress.end()
    const said = describeEvent(event, request)
    if (said !== undefined) progress.line(said)
    const doing = describeEntered(event, request)
    if (doing !== undefined) progress.live(doing)
  }
}
