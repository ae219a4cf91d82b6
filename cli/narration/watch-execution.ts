// Turns the events of one intent's executions into progress. It ignores the events of all others.
import { intentIdOf } from '../../core/contract/fields.ts'
import type { Progress } from '../terminal/progress.ts'
import { describeEntered, describeEvent, type Narration, type WatchedEvent } from './event-lines.ts'

/** Gets every event of every execution, and reports those that it watches. */
export type Watcher = (executionArn: string, event: WatchedEvent) => void

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

/** The intent, or the run, whose execution this is. */
export function intentOf(executionArn: string): string {
  return intentIdOf(nameOf(executionArn))
}

export function nameOf(executionArn: string): string {
  return executionArn.slice(executionArn.lastIndexOf(':') + 1)
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
