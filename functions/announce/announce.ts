// Announce: publishes on the bus how an execution ended, as a versioned event, and that a policy halted itself, where a run
// ended with that; and that a movement waits for people, when its machine says so. Of an end it reads what AWS reports, and nothing else: the journal stays the proof, and an end whose report
// cannot be read is announced as such. An event is trimmed to what EventBridge takes; what became of the money always stays
// in it.
import { APPROVAL_AWAITED, EVENT_VERSION, ResultEvent, resultDetail, SwitchEvent } from '../../core/contract/events.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { BREAKER, RunEnd, runSummary } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import {
  AnnounceOutcome,
  type ApprovalAwaited,
  askedForMovement,
  askedForRun,
  type ExecutionEnded,
  legOfRun,
  runOfPolicy,
} from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'

/** What an execution was given and how it ended; null where there is none. */
export type ExecutionData = Pick<ExecutionEnded['detail'], 'input' | 'output' | 'error' | 'cause'>

/** One event, as it goes on the bus. */
export interface Announcement {
  readonly detailType: ResultEvent | typeof SwitchEvent.Halted | typeof APPROVAL_AWAITED
  readonly detail: unknown
  /** Milliseconds since the epoch. */
  readonly timeMs: number
  readonly executionArn: string
}

export interface AnnouncePorts {
  /** Names of the machines, by ARN. */
  readonly machines: ReadonlyMap<string, StateMachine>
  /** For what EventBridge leaves out of an event. @throws Transient, Defect */
  describe(executionArn: string): Promise<ExecutionData>
  /** @throws Transient, Defect */
  publish(event: Announcement): Promise<void>
}

/** @throws Refused for an execution of a machine that is not ours, Transient, Defect */
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
    // The policy of a conversion is a guard's matter; that of a run is what the event is about.
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

/** Of a movement that waits for people. The same wait, told again, is the same event. @throws Transient, Defect */
export async function announceWait(
  { awaits: { kind, execution, executionArn, enteredAt, request, said } }: ApprovalAwaited,
  { publish }: Pick<AnnouncePorts, 'publish'>,
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

/** The halt that a run ended with, where its policy's breaker tripped. Told again with the run's end, it has the same time. */
function haltedBy(result: object): object | undefined {
  const { policy, runId, tripped } = runSummary.safeParse(result).data ?? {}
  if (tripped === undefined) return undefined
  return { version: EVENT_VERSION, scope: policy, ...tripped, by: BREAKER, isBreaker: true, runId }
}

/** EventBridge leaves out data that is large, and older regions the error and its cause. */
function isWhole({ status, input, output, cause }: ExecutionEnded['detail']): boolean {
  if (typeof input !== 'string') return false
  if (status === 'SUCCEEDED') return typeof output === 'string'
  return status !== 'FAILED' || typeof cause === 'string'
}

interface Asked {
  /** The requester's id, where an event asked. */
  readonly id: string | undefined
  /** Where the input names one: the policy that the result names comes before it. */
  readonly policy: string | undefined
}

/** What an execution's own input says of who asked for it: read loosely, as anyone may start an execution. */
function readRequest(request: unknown): Asked {
  const id = askedForMovement.safeParse(request).data?.requestId ?? askedForRun.safeParse(request).data?.trigger.id
  return { id, policy: runOfPolicy.safeParse(request).data?.policy }
}

/** A machine's report: its output, or the cause of the Fail state that an alarming end is. */
function readResult(
  detailType: ResultEvent,
  { status }: ExecutionEnded['detail'],
  { output, cause }: ExecutionData,
): object | undefined {
  const text = status === 'SUCCEEDED' ? output : status === 'FAILED' ? cause : undefined
  return resultDetail[detailType].shape.result.safeParse(parseObject(text)).data
}

/** The object that `text` is in JSON; undefined where it is none. */
function parseObject(text: string | null | undefined): object | undefined {
  try {
    const json: unknown = JSON.parse(text ?? '')
    return json !== null && typeof json === 'object' && !Array.isArray(json) ? json : undefined
  } catch {
    return undefined
  }
}

/** One sentence for an end without a report: a time-out, a stop, a fault of Step Functions itself. */
function whyOf({ status }: ExecutionEnded['detail'], { error }: ExecutionData): string {
  return `the execution ended ${status}${error ? ` (${error.slice(0, 200)})` : ''} without a report; the journal says what is proven`
}

const EVENT_OF: Readonly<Record<StateMachine, ResultEvent>> = {
  [StateMachine.Convert]: ResultEvent.Conversion,
  [StateMachine.Withdraw]: ResultEvent.Withdrawal,
  [StateMachine.Rebalance]: ResultEvent.Run,
  [StateMachine.Sweep]: ResultEvent.Run,
}

/** The result where an end left no report. The three kinds of ends share the name of this one. */
function withoutReport(detailType: ResultEvent, name: string, why: string): object {
  const outcome = RunEnd.NeedsAttention
  const id = intentIdOf(name)
  return detailType === ResultEvent.Run ? { outcome, runId: id, legs: [], why } : { outcome, intentId: id, why }
}

/** PutEvents takes 256 KiB with everything around the detail; the rest is for that. */
export const MOST_DETAIL_BYTES = 240_000

/** Lists of a result that the journal and the service have, by their names. `legs` is not optional, and is emptied. */
const LISTS = ['fills', 'candidates', 'legs'] as const

/** Leaves lists out of an event that is too large, and notes it in `why`. */
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
