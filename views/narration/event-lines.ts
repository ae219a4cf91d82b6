// Says in one line what an event of an execution means to the person who watches it. Here is what all operations have
// in common; the words of each operation are in a file of its own. Pure: it has no clock, no colour and no stream.
import type { RefusedNow } from '../../core/contract/fields.ts'
import { ConvertStep } from '../../core/contract/outcomes.ts'
import { ConvertState } from '../../core/contract/states.ts'
import type { ProgressLine } from '../../operations/progress.ts'
import { failureIn, parseObject, reportOf, type WatchedEvent } from '../../operations/runs/execution-events.ts'
import { IN_MAINTENANCE, mentionsMaintenance } from '../../operations/words/maintenance.ts'

/** The words of one operation. */
export interface Narration<Request> {
  /** What a state does while it lasts. `waitSeconds` is the wait in its input. */
  doing(state: string, request: Request, waitSeconds: string): string | undefined
  /** What came of a state, where it has something to say. `report` is its output, with an outcome. */
  result(state: string, report: Readonly<Record<string, unknown>>, request: Request): Message | undefined
}
export type Message = Omit<ProgressLine, 'label'>

/** Said by every operation's Conclude. */
export const CONCLUDING = 'a step failed for good: reading what the journal knows'

/** By its state, what a conversion and a withdrawal do while they wait or conclude. */
export function waitingWords(waitSeconds: string): Readonly<Record<string, string>> {
  return {
    [ConvertState.WaitForFence]: `waiting ${waitSeconds} s until it is certain whether money moved`,
    [ConvertState.WaitForTurn]: `waiting ${waitSeconds} s for its turn`,
    [ConvertState.WaitToPoll]: `waiting ${waitSeconds} s before the next look`,
    [ConvertState.Conclude]: CONCLUDING,
  }
}

interface Said {
  readonly outcome?: string | undefined
  readonly why?: string | undefined
  readonly waitSeconds?: number | undefined
}

/** The line for what a step of a conversion and one of a withdrawal say alike: what goes on, or ended badly. */
export function describeOutcome(report: Said): Message {
  switch (report.outcome) {
    case ConvertStep.Processing:
      return movingText(report)
    case ConvertStep.Uncertain:
      return { text: `not certain${because(report)}`, tone: 'wait' }
    case ConvertStep.Held:
    case ConvertStep.AwaitingApproval:
      return { text: `waits its turn${because(report)}`, tone: 'wait' }
    default:
      return { text: `${report.outcome}${because(report)}`, tone: 'bad' }
  }
}

/** What a state does while it lasts, for the live line. */
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

/** What came of a state that has something to say, in one line. */
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
  // A state that was left by its Catch puts out the error, and that was reported already.
  if (report.outcome === undefined) return undefined
  const message = narration.result(details.name, report, request)
  return message && inMaintenance({ label: details.name, ...message })
}

/** Adds that the service is in maintenance, where that is why a step fails. Then the run is not at fault. */
function inMaintenance(line: ProgressLine): ProgressLine {
  if (!mentionsMaintenance(line.text) || line.text.includes(IN_MAINTENANCE)) return line
  const waits = line.tone === 'wait' ? ', and this run waits for its end' : ''
  return { ...line, text: `${IN_MAINTENANCE}${waits}; nothing is lost: ${line.text}` }
}

/** `: why`, where a report says why. */
export function because({ why }: { readonly why?: string | undefined }): string {
  return why === undefined ? '' : `: ${why}`
}

/** The line for a movement that exists and is not at its end. */
export function movingText(report: {
  readonly why?: string | undefined
  readonly waitSeconds?: number | undefined
}): Message {
  const next = report.waitSeconds === undefined ? '' : `; next look in ${report.waitSeconds} s`
  return { text: `accepted, still moving${because(report)}${next}`, tone: 'wait' }
}

/**
 * The line for a step that leaves the rest to the journal. `refused`: the step has refused the id itself, so the id may
 * well be new.
 */
export function recordedText(refused: RefusedNow | undefined): Message {
  if (refused === undefined)
    return { text: 'the journal has this id already, and it goes on from there', tone: 'plain' }
  if (!refused.isUnsent) return { text: 'refused, after attempts that have moved nothing', tone: 'wait' }
  const first = refused.isFirstUse ? 'this id is used for the first time, and is ' : ''
  return { text: `${first}refused before anything was sent`, tone: 'wait' }
}

const FAULT_LENGTH = 200

function faultText({ error, message }: { readonly error: string; readonly message: string }): string {
  return message === '' ? error : `${error}: ${message.slice(0, FAULT_LENGTH)}`
}

function secondsIn(input: string | undefined): string {
  const seconds = parseObject(input ?? '').waitSeconds
  return typeof seconds === 'number' ? String(seconds) : '?'
}
