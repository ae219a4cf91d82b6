// Turns the events of one intent's executions into progress. It ignores the events of all others.
import type { Progress } from '../../operations/progress.ts'
import { intentOf, type WatchedEvent, type Watcher } from '../../operations/runs/execution-events.ts'
import { describeEntered, describeEvent, type Narration } from './event-lines.ts'

/** The name of each execution begins with its intent's id, so its events are known from the first one on. */
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
  /** Stands before each text, and says whose event it is where several executions are watched. */
  readonly mark?: string
}

export function reportEvent<Request>(
  event: WatchedEvent,
  { request, narration, mark = '' }: Watched<Request>,
  progress: Progress,
): void {
  // The state is left, so its live line is over.
  if (event.stateExitedEventDetails !== undefined) progress.end()
  const said = describeEvent(event, request, narration)
  if (said !== undefined) progress.line({ ...said, text: `${mark}${said.text}` })
  const doing = describeEntered(event, request, narration)
  if (doing !== undefined) progress.live({ ...doing, text: `${mark}${doing.text}` })
}
