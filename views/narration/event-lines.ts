// Says in one line what an event of an execution means to the person who watches it, and turns the events of one
// intent's executions into progress. This file holds what all operations share; the words of each operation are in its
// own file. It has no clock, no colour and no stream of its own.

import type { RefusedNow } from '../../core/contract/fields.ts'
import { ConvertStep } from '../../core/contract/outcomes.ts'
import { ConvertState } from '../../core/contract/states.ts'
import { failureIn, intentOf, parseObject, reportOf, type Watcher } from '../../operations/runs/execution-events.ts'
import type { Progress, ProgressLine } from '../../place/context.ts'
import type { WatchedEvent } from '../../place/executions/execution-history.ts'
import { IN_MAINTENANCE, mentionsMaintenance } from '../../place/words/maintenance.ts'

export interface Narration<Request> {
  /** The activity of a state while it lasts. `waitSeconds` is the wait in its input. */
  doing(state: string, request: Request, waitSeconds: string): string | undefined
  /** The result of a state, if it has a line. `report` is the state's output, with an outcome. */
  result(state: string, report: Readonly<Record<string, unknown>>, request: Request): Message | undefined
}
export type Message = Omit<ProgressLine, 'label'>

const CONCLUDING = 'a step failed for good: reading what the journal knows'

/** The activity of the states in which a conversion or a withdrawal waits or concludes. */
export function waitingWords(waitSeconds: string): Readonly<Record<string, string>> {
  return {
    [ConvertState.WaitForFence]: `waiting ${waitSeconds} s until it is certain whether money moved`,
    [ConvertState.WaitForTurn]: `waiting ${waitSeconds} s for its turn`,
    [ConvertState.WaitToPoll]: `waiting ${waitSeconds} s before the next check`,
    [ConvertState.Conclude]: CONCLUDING,
  }
}

interface StepReport {
  readonly outcome?: string | undefined
  readonly intentId?: string | undefined
  readonly why?: string | undefined
  readonly waitSeconds?: number | undefined
}

/** The line for an outcome that conversions and withdrawals share: it continues, waits, or ended badly. */
export function describeOutcome(report: StepReport): Message {
  switch (report.outcome) {
    case ConvertStep.Processing:
      return movingText(report)
    case ConvertStep.Uncertain:
      return { text: `not certain${because(report)}`, tone: 'wait' }
    case ConvertStep.Held:
      return { text: `waits its turn${because(report)}`, tone: 'wait' }
    case ConvertStep.AwaitingApproval: {
      const next = report.intentId === undefined ? {} : { next: { do: 'approve', id: report.intentId } as const }
      return { text: `waits its turn${because(report)}`, tone: 'wait', ...next }
    }
    default:
      return { text: `${report.outcome}${because(report)}`, tone: 'bad' }
  }
}

/** The activity of the entered state, for the live line. */
export function describeEntered<Request>(
  event: WatchedEvent,
  request: Request,
  narration: Narration<Request>,
): ProgressLine | undefined {
  const details = event.stateEnteredEventDetails
  if (details === undefined) return undefined
  const text = narration.doing(details.name, request, secondsIn(details.input))
  return text === undefined ? undefined : { label: details.name, text, tone: 'plain' }
}

/** The line for a fault, or for the result of a state. Undefined for other events. */
export function describeEvent<Request>(
  event: WatchedEvent,
  request: Request,
  narration: Narration<Request>,
): ProgressLine | undefined {
  const failure = failureIn(event)
  if (failure !== undefined) return inMaintenance({ label: 'fault', text: faultText(failure), tone: 'bad' })
  const details = event.stateExitedEventDetails
  if (details?.output === undefined) return undefined
  const report = reportOf(event)
  // A state that its Catch left has the error as output. The fault's own event reported that error.
  if (report.outcome === undefined) return undefined
  const message = narration.result(details.name, report, request)
  return message && inMaintenance({ label: details.name, ...message })
}

/** Says that the service is in maintenance, where a step fails because of it. The run is then not at fault. */
function inMaintenance(line: ProgressLine): ProgressLine {
  if (!mentionsMaintenance(line.text) || line.text.includes(IN_MAINTENANCE)) return line
  const waits = line.tone === 'wait' ? ', and this run waits until it ends' : ''
  return { ...line, text: `${IN_MAINTENANCE}${waits}; nothing is lost: ${line.text}` }
}

/** `: why`, or an empty text. */
export function because({ why }: { readonly why?: string | undefined }): string {
  return why === undefined ? '' : `: ${why}`
}

/** The line for a movement that exists and is not settled. */
function movingText(report: {
  readonly isRefundDue?: true | undefined
  readonly why?: string | undefined
  readonly waitSeconds?: number | undefined
}): Message {
  const next = report.waitSeconds === undefined ? '' : `; next check in ${report.waitSeconds} s`
  const state = report.isRefundDue === true ? 'accepted, not refunded' : 'accepted, still moving'
  return { text: `${state}${because(report)}${next}`, tone: 'wait' }
}

/**
 * The line for a step that leaves the rest to the journal. `refused` is set where the step itself refused the id, so the id
 * may be new.
 */
export function recordedText(refused: RefusedNow | undefined): Message {
  if (refused === undefined) return { text: 'the journal has this id already: continuing from there', tone: 'plain' }
  if (!refused.isUnsent) return { text: 'refused, after attempts that have moved nothing', tone: 'wait' }
  const first = refused.isFirstUse ? 'this id is used for the first time, and is ' : ''
  return { text: `${first}refused before anything was sent`, tone: 'wait' }
}

/** Maximum characters of a fault's message. */
const FAULT_LENGTH = 200

function faultText({ error, message }: { readonly error: string; readonly message: string }): string {
  return message === '' ? error : `${error}: ${message.slice(0, FAULT_LENGTH)}`
}

function secondsIn(input: string | undefined): string {
  const seconds = parseObject(input ?? '').waitSeconds
  return typeof seconds === 'number' ? String(seconds) : '?'
}

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
