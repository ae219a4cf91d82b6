// Whether a command ends because its key is at fault, and what it says then. State machines wait for the right key as
// long as an intent lives. A person at a terminal can give it at once, and is asked for it instead. Pure.
import { machineOf } from '../../core/contract/deployed-names.ts'
import { ErrorName } from '../../core/contract/errors.ts'
import { ConvertStep, WithdrawStep } from '../../core/contract/outcomes.ts'
import { ConvertState, StateMachine, WithdrawState } from '../../core/contract/states.ts'
import { keyRefusals } from '../../core/service/classify.ts'
import { failureIn, reportOf, type WatchedEvent } from '../narration/event-lines.ts'
import { remedyFor } from '../target/service/service-failure.ts'
import { CommandError } from '../terminal/command-error.ts'
import { ExitCode } from '../terminal/exit-code.ts'

const REFUSED = `the service answered( \\d{3})? (?<code>${[...keyRefusals].join('|')})\\b`
/** Matches a send that was refused because of its key. It moved nothing, and the intent waits for another key. */
const WAITS_FOR_KEY = new RegExp(`^\\S+ \\S+: ${REFUSED}`)
/** Matches a read that proves nothing, because of the key (core/journal/own-key.ts). */
const PROVES_NOTHING = new RegExp(`\\bGET \\S+: ${REFUSED}|\\bsent with the key \\S+; the key in use is `)
/** Only these state machines wait for a key. Those that plan and settle end by themselves. */
const MOVING: readonly (StateMachine | undefined)[] = [StateMachine.Convert, StateMachine.Withdraw]
/**
 * The steps that send. Choices and Waits pass their output on, perhaps to a later command with another key, so they do
 * not count.
 */
const SENDING: readonly string[] = [ConvertState.Order, WithdrawState.Withdraw]

/** An event as the API of Step Functions tells it: with its date, in ISO-8601. */
type Dated = WatchedEvent & { readonly timestamp?: unknown }

/** Whether an event is history to a command that began at `sinceMs`: what it tells may be put right by now. */
export function isBefore({ timestamp }: Dated, sinceMs: number): boolean {
  return typeof timestamp === 'string' && Date.parse(timestamp) < sinceMs
}

/**
 * What is wrong with the key, where an event shows that the movement will wait for another key. Undefined elsewhere.
 */
export function keyFaultIn(executionArn: string, event: WatchedEvent): string | undefined {
  if (!MOVING.includes(machineOf(executionArn))) return undefined
  const failure = failureIn(event)
  if (failure !== undefined) return failure.error === ErrorName.KeyFault ? failure.message : undefined
  const { outcome, why, keyAtFault: isOfKey } = reportOf(event)
  if (!SENDING.includes(event.stateExitedEventDetails?.name ?? '') || typeof why !== 'string') return undefined
  const isHeld = outcome === ConvertStep.Held || outcome === WithdrawStep.Held
  const isUncertain = outcome === ConvertStep.Uncertain || outcome === WithdrawStep.Uncertain
  return (isHeld && (isOfKey === true || WAITS_FOR_KEY.test(why))) || (isUncertain && PROVES_NOTHING.test(why))
    ? why
    : undefined
}

/**
 * `again`: the command that continues the run. Whether something was sent is found in the journal by
 * embedded/what-moved.ts.
 */
export function keyAtFault(text: string, again: string): CommandError {
  const code = new RegExp(REFUSED).exec(text)?.groups?.code
  const remedy = code === undefined ? 'put the right key in its place' : remedyFor(code)
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'key_at_fault',
    message: `the key is at fault: ${text}; nothing has moved`,
    next: `${remedy}; nothing is lost: within its time the same line goes on, with a key that may: ${again}`,
  })
}
