// Decides whether a command ends because its key is at fault, and makes the error. State machines wait for the right
// key as long as an intent lives. A person at a terminal can supply the key at once, so the command asks for it and
// ends.

import { machineOf } from '../../core/contract/deployed-names.ts'
import { ErrorName } from '../../core/contract/errors.ts'
import { ConvertStep, WithdrawStep } from '../../core/contract/outcomes.ts'
import { ConvertState, StateMachine, WithdrawState } from '../../core/contract/states.ts'
import { HELD_WAIT } from '../../core/movements/polling.ts'
import { keyRefusals } from '../../core/service/classify.ts'
import type { WatchedEvent } from '../../place/executions/execution-history.ts'
import { advice, type Step } from '../../place/next-step.ts'
import { failedWith, type OperationError } from '../../place/operation-error.ts'
import { remedyFor } from '../../place/service/service-failure.ts'
import { failureIn, reportOf } from './execution-events.ts'

const REFUSED = `the service answered( \\d{3})? (?<code>${[...keyRefusals].join('|')})\\b`
/** Matches a send that was refused because of its key. It moved nothing, and the intent waits for another key. */
const REFUSED_SEND = new RegExp(`^POST \\S+: ${REFUSED}`)
/** Matches a read that proves nothing, because of the key (core/journal/own-key.ts). */
const PROVES_NOTHING = new RegExp(`\\bGET \\S+: ${REFUSED}|\\bsent with the key \\S+; the key in use is `)
/** Only these state machines wait for a key. Those that plan and settle end without waiting. */
const MOVING: readonly (StateMachine | undefined)[] = [StateMachine.Convert, StateMachine.Withdraw]
/**
 * The steps that send. Choices and Waits pass their output on, perhaps to a later command with another key, so they do
 * not count.
 */
const SENDING: readonly string[] = [ConvertState.Order, WithdrawState.Withdraw]
const READING: readonly string[] = [...SENDING, ConvertState.PollOrder, WithdrawState.PollWithdrawal]

/** An event as the API of Step Functions gives it, with its date in ISO-8601. */
type Dated = WatchedEvent & { readonly timestamp?: unknown }

interface KeyFaultSeen {
  readonly text: string
  /** Longest time until the movement sends again, or is read again. */
  readonly waitSeconds: number
  /** The service has accepted the movement. */
  readonly isAccepted?: true
}

/**
 * Takes each event of the command's executions once, in order. Returns the key fault for which the command has to end.
 */
type KeyFaultWatch = (executionArn: string, event: Dated) => KeyFaultSeen | undefined

/**
 * A step reports a refusal only once it is certain that nothing moved. Another command may have begun meanwhile with
 * the right key. So only a refusal of a send that this command has seen ends it; otherwise the movement sends again.
 * `sinceMs`: when the command began. Earlier events are history.
 */
export function createKeyFaultWatch(sinceMs: number): KeyFaultWatch {
  /** By execution: the report on a send right after it was made. */
  const sent = new Map<string, string>()
  return (executionArn, event) => {
    if (isBefore(event, sinceMs) || !MOVING.includes(machineOf(executionArn))) return undefined
    const failure = failureIn(event)
    if (failure?.error === ErrorName.KeyFault) return faultOf(failure.message)
    const { outcome, why, keyAtFault: isOfKey, waits, waitSeconds } = reportOf(event)
    const step = event.stateExitedEventDetails?.name ?? ''
    if (!READING.includes(step) || typeof why !== 'string') return undefined
    if (isOfKey === true && (outcome === ConvertStep.Processing || outcome === WithdrawStep.Processing))
      return { ...faultOf(why, waitSeconds), isAccepted: true }
    if (!SENDING.includes(step)) return undefined
    if (outcome === ConvertStep.Uncertain || outcome === WithdrawStep.Uncertain) {
      // Later waits repeat the text, even where the send was made before this command began.
      if (waits === 1) sent.set(executionArn, why)
      return PROVES_NOTHING.test(why) ? faultOf(why, waitSeconds) : undefined
    }
    if (outcome !== ConvertStep.Held && outcome !== WithdrawStep.Held) return undefined
    if (REFUSED_SEND.test(why))
      return sent.get(executionArn)?.startsWith(why) === true ? faultOf(why, waitSeconds) : undefined
    return isOfKey === true ? faultOf(why, waitSeconds) : undefined
  }
}

/** A failure names no wait. The state machine enters the step again within its longest wait. */
function faultOf(text: string, waitSeconds: unknown = HELD_WAIT.pollLongestWaitSeconds): KeyFaultSeen {
  return { text, waitSeconds: Number(waitSeconds) }
}

function isBefore({ timestamp }: Dated, sinceMs: number): boolean {
  return typeof timestamp === 'string' && Date.parse(timestamp) < sinceMs
}

/** `again`: the step that continues the run. The journal says whether something was sent (desk/what-moved.ts). */
export function keyAtFault({ text, waitSeconds, isAccepted }: KeyFaultSeen, again: Step): OperationError {
  const code = new RegExp(REFUSED).exec(text)?.groups?.code
  const remedy = code === undefined ? 'put the right key in its place' : remedyFor(code)
  const then = isAccepted
    ? advice`the same command reads the end of the movement, and sends nothing: ${again}`
    : advice`within its time the same command continues, and sends again within ${waitSeconds} s, with a permitted key: ${again}`
  return failedWith(
    'key_at_fault',
    `the key is at fault: ${text}; nothing has moved`,
    advice`${remedy}; nothing is lost: ${then}`,
  )
}
