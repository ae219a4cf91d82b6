// Turns the events of one intent's executions into progress. It ignores all other executions.

import { intentOf, type Watcher } from '../../operations/runs/execution-events.ts'
import type { WatchedEvent } from '../../place/executions/execution-history.ts'
import type { Progress } from '../../place/progress.ts'
import { describeEntered, describeEvent, type Narration } from './event-lines.ts'

/** An execution's name begins with its intent's id, so every event can be assigned. */
export function watchExecution<Request>(
  intentId: string,
  request: Request,
  narration: Narration<Request>,
  progress: Progress,
): Watcher {
  return (executionArn, event) => {
    if (intentOf(executionArn) === intentId) reportEvent(event, { request, narration }, progress)
  }
}

interface Watched<Request> {
  readonly request: Request
  readonly narration: Narration<Request>
  /** Text before each line, which names the execution where several are watched. */
  readonly mark?: string
}

export function reportEvent<Request>(
  event: WatchedEvent,
  { request, narration, mark = '' }: Watched<Request>,
  progress: Progress,
): void {
  // The state is left, so its live line ends.
  if (event.stateExitedEventDetails !== undefined) progress.end()
  const message = describeEvent(event, request, narration)
  if (message !== undefined) progress.line({ ...message, text: `${mark}${message.text}` })
  const doing = describeEntered(event, request, narration)
  if (doing !== undefined) progress.live({ ...doing, text: `${mark}${doing.text}` })
}
