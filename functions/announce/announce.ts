// Announce: publishes versioned events on the bus: how an execution ended, that a policy halted itself at the end of a
// run, and that a movement waits for people. About an end it reads only what AWS reports: the journal stays the proof.
// An end with an unreadable report is announced as such. A large event is trimmed to EventBridge's limit, but always
// keeps what became of the money.

import { APPROVAL_AWAITED, EVENT_VERSION, ResultEvent, resultDetail, SwitchEvent } from '../../core/contract/events.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { findJson } from '../../core/contract/find-json.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { BREAKER, RunEnd, runSummary } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import {
  AnnounceOutcome,
  type ApprovalAwaited,
  type ExecutionEnded,
  legOfRun,
  movementRequester,
  runOfPolicy,
  runRequester,
} from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'

/** Input and end of an execution; null where it has none. */
export type ExecutionData = Pick<ExecutionEnded['detail'], 'input' | 'output' | 'error' | 'cause'>

export interface Announcement {
  readonly detailType: ResultEvent | typeof SwitchEvent.Halted | typeof APPROVAL_AWAITED
  readonly detail: unknown
  /** Milliseconds since the epoch. */
  readonly timeMs: number
  readonly executionArn: string
}

interface AnnouncePorts {
  /** Names of the machines, by ARN. */
  readonly machines: ReadonlyMap<string, StateMachine>
  /** Reads what EventBridge left out of an event. @throws Transient, OwnFault, Defect */
  describe(executionArn: string): Promise<ExecutionData>
  /** @throws Transient, OwnFault, Defect */
  publish(event: Announcement): Promise<void>
}

/** @throws Refused for an execution of a machine outside this deployment, Transient, OwnFault, Defect */
export async function announce(
  { detail }: ExecutionEnded,
  ports: AnnouncePorts,
): Promise<{ outcome: string; execution: string }> {
  const machine = ports.machines.get(detail.stateMachineArn)
  if (machine === undefined)
    throw new Refused('detail.stateMachineArn: expected one of the machines of this deployment')
  const data = isWhole(detail) ? detail : await ports.describe(detail.executionArn)
  const detailType = EVENT_OF[machine]
  const { id, policy } = readRequest(parseObject(data.input))
  const result = readResult(detailType, detail, data) ?? withoutReport(detailType, detail.name, whyOf(detail, data))
  const whole = {
    version: EVENT_VERSION,
    ...(id !== undefined && { id }),
    execution: detail.name,
    endedAt: new Date(detail.stopDate).toISOString(),
    // A run's event is about its policy. In a conversion the policy only selects guards.
    result: { ...(detailType === ResultEvent.Run && policy !== undefined && { policy }), ...result },
  }
  await ports.publish({
    detailType,
    detail: trimDetail(whole),
    timeMs: detail.stopDate,
    executionArn: detail.executionArn,
  })
  const halted = haltedBy(result)
  if (halted !== undefined) {
    const detailType = SwitchEvent.Halted
    await ports.publish({ detailType, detail: halted, timeMs: detail.stopDate, executionArn: detail.executionArn })
  }
  return { outcome: AnnounceOutcome.Told, execution: detail.name }
}

/**
 * Announces that a movement waits for people. A repetition for the same wait gives the same event.
 * @throws Transient, OwnFault, Defect
 */
export async function announceWait(
  { awaits: { kind, execution, executionArn, enteredAt, request, said } }: ApprovalAwaited,
  { publish }: AnnouncePorts,
): Promise<{ outcome: string; execution: string }> {
  const { id, policy } = readRequest(request)
  const { run } = legOfRun.safeParse(request).data ?? {}
  const { intentId, awaited, until, why } = said
  const detail = {
    version: EVENT_VERSION,
    ...(id !== undefined && { id }),
    ...{ execution, kind: kind === IntentKind.Convert ? 'conversion' : 'withdrawal', intentId },
    ...(policy !== undefined && { policy }),
    ...(run !== undefined && { run }),
    ...{ terms: awaited, at: enteredAt, until, why },
  }
  await publish({ detailType: APPROVAL_AWAITED, detail, timeMs: Date.parse(enteredAt), executionArn })
  return { outcome: AnnounceOutcome.Told, execution }
}

/** The halt at the end of a run whose policy's breaker tripped. A repetition with the run's end has the same time. */
function haltedBy(result: object): object | undefined {
  const { policy, runId, tripped } = runSummary.safeParse(result).data ?? {}
  if (tripped === undefined) return undefined
  return { version: EVENT_VERSION, scope: policy, ...tripped, by: BREAKER, isBreaker: true, runId }
}

/** Whether the event is complete. EventBridge omits large data, and older regions omit the error and its cause. */
function isWhole({ status, input, output, cause }: ExecutionEnded['detail']): boolean {
  if (typeof input !== 'string') return false
  if (status === 'SUCCEEDED') return typeof output === 'string'
  return status !== 'FAILED' || typeof cause === 'string'
}

interface Asked {
  /** The requester's id, where an event requested it. */
  readonly id: string | undefined
  /** The policy in the input. The policy in the result has precedence. */
  readonly policy: string | undefined
}

/** Reads who requested an execution from its input, loosely, because anyone may start an execution. */
function readRequest(request: unknown): Asked {
  const id = movementRequester.safeParse(request).data?.requestId ?? runRequester.safeParse(request).data?.trigger.id
  return { id, policy: runOfPolicy.safeParse(request).data?.policy }
}

/** A machine's report: its output, or the cause of its Fail state. */
function readResult(
  detailType: ResultEvent,
  { status }: ExecutionEnded['detail'],
  { output, cause }: ExecutionData,
): object | undefined {
  const text = status === 'SUCCEEDED' ? output : status === 'FAILED' ? cause : undefined
  return resultDetail[detailType].shape.result.safeParse(parseObject(text)).data
}

/** Parses `text` as a JSON object; `undefined` for anything else. */
function parseObject(text: string | null | undefined): object | undefined {
  const json = findJson(text)
  return json !== null && typeof json === 'object' && !Array.isArray(json) ? json : undefined
}

/** One sentence for an end without a report: a timeout, a stop, or a fault of Step Functions itself. */
function whyOf({ status }: ExecutionEnded['detail'], { error }: ExecutionData): string {
  return `the execution ended ${status}${error ? ` (${error.slice(0, 200)})` : ''} without a report; the journal says what is proven`
}

const EVENT_OF: Readonly<Record<StateMachine, ResultEvent>> = {
  [StateMachine.Convert]: ResultEvent.Conversion,
  [StateMachine.Withdraw]: ResultEvent.Withdrawal,
  [StateMachine.Rebalance]: ResultEvent.Run,
  [StateMachine.Sweep]: ResultEvent.Run,
}

/** The result for an end without a report. All three kinds of ends have this outcome. */
function withoutReport(detailType: ResultEvent, name: string, why: string): object {
  const outcome = RunEnd.NeedsAttention
  const id = intentIdOf(name)
  return detailType === ResultEvent.Run ? { outcome, runId: id, legs: [], why } : { outcome, intentId: id, why }
}

/** Most bytes of the detail. PutEvents takes 256 KiB (262,144 bytes); the rest is for the fields around the detail. */
export const MOST_DETAIL_BYTES = 240_000

/**
 * Lists that may be dropped from a result, because the journal and the service have them. `legs` is required, so it is
 * emptied.
 */
const LISTS = ['fills', 'candidates', 'legs'] as const

/** Drops lists from an event that is too large, and notes it in `why`. */
function trimDetail<Detail extends { readonly result: Readonly<Record<string, unknown>> }>(detail: Detail): Detail {
  if (bytesOf(detail) <= MOST_DETAIL_BYTES) return detail
  const { result } = detail
  const leftOut = LISTS.filter((list) => Array.isArray(result[list]))
  const { fills: _, candidates: __, ...rest } = result
  const why = [result.why, `too large to tell whole: ${leftOut.join(' and ')} left out, as the journal has them`]
  const trimmed = {
    ...rest,
    ...('legs' in rest && { legs: [] }),
    why: why
      .filter((each) => each !== undefined)
      .join('; ')
      .slice(0, 2_000),
  }
  return { ...detail, result: trimmed }
}

function bytesOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length
}
