// Announce: tells on the bus how an execution ended, as a versioned event. Reads what AWS says of the end,
// and nothing else: the journal stays the proof, and a result that cannot be read is told as such.
import { EVENT_VERSION, ResultEvent, resultDetail } from '../../core/contract/events.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import { StateMachine } from '../../core/contract/states.ts'
import { AnnounceOutcome, type ExecutionEnded } from '../../core/contract/triggers.ts'
import { Refused } from '../../core/errors.ts'
import { fitting } from './fitting.ts'
import { parseObject, readRequest } from './request.ts'

/** What an execution was given and how it ended; null where there is none. */
export type ExecutionData = Pick<ExecutionEnded['detail'], 'input' | 'output' | 'error' | 'cause'>

/** One event, as it goes on the bus. */
export interface Told {
  readonly detailType: ResultEvent
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
  tell(event: Told): Promise<void>
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
  const detailType = TOLD_OF[machine]
  const result = readResult(detailType, detail, data) ?? withoutWord(detailType, detail.name, whyOf(detail, data))
  const asked = readRequest(data.input)
  const told = {
    version: EVENT_VERSION,
    ...asked.id,
    execution: detail.name,
    endedAt: new Date(detail.stopDate).toISOString(),
    // The policy of a conversion is a guard's matter; that of a run is what the event is about.
    result: { ...(detailType === ResultEvent.Run ? asked.policy : {}), ...result },
  }
  const event = { detailType, detail: fitting(told), timeMs: detail.stopDate, executionArn: detail.executionArn }
  await ports.tell(event)
  return { outcome: AnnounceOutcome.Told, execution: detail.name }
}

/** EventBridge leaves out data that is large, and older regions the error and its cause. */
function isWhole({ status, input, output, cause }: ExecutionEnded['detail']): boolean {
  if (typeof input !== 'string') return false
  if (status === 'SUCCEEDED') return typeof output === 'string'
  return status !== 'FAILED' || typeof cause === 'string'
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

/** One sentence for an end without a report: a time-out, a stop, a fault of Step Functions itself. */
function whyOf({ status }: ExecutionEnded['detail'], { error }: ExecutionData): string {
  return `the execution ended ${status}${error ? ` (${error.slice(0, 200)})` : ''} without a report; the journal says what is proven`
}

const TOLD_OF: Readonly<Record<StateMachine, ResultEvent>> = {
  [StateMachine.Convert]: ResultEvent.Conversion,
  [StateMachine.Withdraw]: ResultEvent.Withdrawal,
  [StateMachine.Rebalance]: ResultEvent.Run,
  [StateMachine.Sweep]: ResultEvent.Run,
}

/** What is told where an end left no report. The three kinds of ends share the name of this one. */
function withoutWord(detailType: ResultEvent, name: string, why: string): object {
  const outcome = RunEnd.NeedsAttention
  const id = intentIdOf(name)
  return detailType === ResultEvent.Run ? { outcome, runId: id, legs: [], why } : { outcome, intentId: id, why }
}
