// Names each outcome and state in words. People read the name, and filter and write scripts by the code. Pure.
import { ConvertEnd, ConvertStep, WithdrawEnd, WithdrawStep } from './outcomes.ts'
import { IntentState } from './records.ts'
import { RunEnd } from './runs.ts'

type Step = (typeof ConvertStep)[keyof typeof ConvertStep] | (typeof WithdrawStep)[keyof typeof WithdrawStep]
/** The states of a request whose execution started, and that has no record in the journal. */
export const NOT_BEGUN = 'NOT_BEGUN'
export const NO_RECORD = 'NO_RECORD'
/** The state of an accepted withdrawal that the service calls failed, and whose refund is not proven. */
export const REFUND_DUE = 'REFUND_DUE'

type Listed = typeof NOT_BEGUN | typeof NO_RECORD | typeof REFUND_DUE
type Code = RunEnd | ConvertEnd | WithdrawEnd | Step | IntentState | 'RUNNING' | Listed

const NAMES: Readonly<Record<Code, string>> = {
  RUNNING: 'under way',
  [NOT_BEGUN]: 'not begun, nothing was sent',
  [NO_RECORD]: 'in doubt, its record is missing',
  [REFUND_DUE]: 'failed, not refunded',
  [RunEnd.Settled]: 'settled',
  [RunEnd.PartlySettled]: 'partly settled',
  [RunEnd.NothingMoved]: 'nothing moved',
  [RunEnd.NothingToDo]: 'nothing to do',
  [RunEnd.OffTarget]: 'off target',
  [RunEnd.Shadowed]: 'only planned',
  [RunEnd.Guarded]: 'refused by a guard',
  [RunEnd.Halted]: 'halted',
  [RunEnd.AlreadyRunning]: 'another run was under way',
  [RunEnd.AwaitingApproval]: 'waits for approval',
  [RunEnd.Disapproved]: 'rejected by a person',
  [RunEnd.ApprovalVoid]: 'approval no longer held',
  [RunEnd.Failed]: 'failed',
  [RunEnd.OwnFault]: 'stopped by a fault of ours',
  [RunEnd.NeedsAttention]: 'needs a person',
  [ConvertEnd.Filled]: 'filled',
  [ConvertEnd.PriceRefused]: 'price refused',
  [ConvertEnd.ExpiredOut]: 'time ran out',
  [ConvertEnd.Rejected]: 'declined',
  [ConvertEnd.Stuck]: 'stuck at the service',
  [WithdrawEnd.Completed]: 'completed',
  [WithdrawEnd.Exhausted]: 'time ran out',
  [WithdrawEnd.FailedRefunded]: 'failed, and refunded',
  [ConvertStep.Quoted]: 'quoted',
  [ConvertStep.QuoteExpired]: 'needs a new quote',
  [WithdrawStep.Checked]: 'checked',
  [ConvertStep.Recorded]: 'recorded',
  [ConvertStep.Held]: 'held back',
  [ConvertStep.Uncertain]: 'sent, not certain yet',
  [ConvertStep.Processing]: 'on its way',
  [WithdrawStep.Again]: 'tries again',
  [IntentState.Ready]: 'nothing has been sent',
  [IntentState.Armed]: 'sent, not proven yet',
  [IntentState.Done]: 'accepted by the service',
  [IntentState.Escalated]: 'in doubt',
}

/** The outcome of a leg for people: a withdrawal that failed without a proven refund is not on its way. */
export function shownOutcome({
  outcome,
  withdrawal,
}: {
  readonly outcome: string
  readonly withdrawal?: { readonly isRefundDue?: true | undefined } | undefined
}): string {
  return outcome === WithdrawStep.Processing && withdrawal?.isRefundDue === true ? REFUND_DUE : outcome
}

/** Undefined for a code that this version does not know. */
export function outcomeName(code: string): string | undefined {
  const known: Readonly<Record<string, string>> = NAMES
  return Object.hasOwn(known, code) ? known[code] : undefined
}

/** The name of a known code, and any other code as it is. */
export function outcomeText(code: string): string {
  return outcomeName(code) ?? code
}

/** Whether the name spells the code, so that a page shows only one of them. */
export function isSpelled(name: string, code: string): boolean {
  return name === code.toLowerCase().replaceAll('_', ' ')
}
