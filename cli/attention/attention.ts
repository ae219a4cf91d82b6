// What a person has to know of an intent that halted: what is in doubt, since when, among what, and
// what would happen next. Pure; undefined for an intent that needs nobody.
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import { orderFenceMs, withdrawalFenceMs } from '../../core/journal/fence.ts'
import { attemptOf, type Intent, isOpened, type OpenIntent } from '../../core/journal/intent.ts'
import type { KnownExecution } from './journal-place.ts'

export interface Candidate {
  readonly id: string
  /** The rest as the kind has it: amounts, times, hash and bank reference of a withdrawal; terms of an order. */
  readonly [field: string]: unknown
}

export interface Attention {
  readonly intentId: string
  readonly kind: IntentKind
  readonly state: IntentState
  /** What was asked for. */
  readonly params: unknown
  /** Of the latest attempt. */
  readonly attempt: number
  readonly nonce?: string
  /** A movement of this attempt lies between these, in service time. */
  readonly window?: { readonly since: string; readonly until: string }
  readonly candidates: readonly Candidate[]
  readonly why: string
  readonly next: string
}

/** `last`: the execution that entered it last; absent where none is known. */
export function findAttention(intent: Intent, last: KnownExecution | undefined, timing: Timing): Attention | undefined {
  const found = verdictOn(intent, last)
  if (found === undefined) return undefined
  const { intentId, kind, state, params, attemptNumber, attempt } = intent
  return {
    ...{ intentId, kind, state, params, attempt: attemptNumber },
    ...(attempt && isOpened(intent) && { nonce: attempt.nonce, window: windowOf(intent, timing) }),
    candidates: candidatesOf(intent),
    ...found,
  }
}

/** Whether the execution that entered it last decides: for states that say enough it is not asked. */
export function asksExecution({ state }: Intent): boolean {
  return state === IntentState.Armed || state === IntentState.Done
}

function verdictOn(intent: Intent, last: KnownExecution | undefined): Pick<Attention, 'why' | 'next'> | undefined {
  const { state, kind, why, resolution } = intent
  switch (state) {
    case IntentState.Escalated: {
      const closed = kind === IntentKind.Withdraw ? '; other withdrawals of the asset wait until then' : ''
      const chosen =
        resolution && `${resolution.by} has chosen movement ${resolution.movementId}: resolve it again, to finish`
      return { why: why ?? 'no reason was recorded', next: chosen ?? `nothing, until a person resolves it${closed}` }
    }
    case IntentState.Armed: {
      if (last?.status === 'RUNNING') return undefined
      const ended = last === undefined ? 'no execution of it is known' : `its last execution ended ${endOf(last)}`
      return {
        why: `sent, and not settled: ${ended}`,
        next: 'entering it again looks for the movement, and past the window certifies that there is none or makes the next attempt',
      }
    }
    case IntentState.Done:
      if (last?.error !== ConvertEnd.Stuck) return undefined
      return {
        why: `movement ${intent.ref} exists and did not come to its end`,
        next: 'entering it again looks once more; nothing is in doubt, and nothing is sent',
      }
    default:
      return undefined
  }
}

function endOf({ status, error }: KnownExecution): string {
  return error === undefined ? status : `${status} with ${error}`
}

function windowOf(intent: OpenIntent, timing: Timing): { since: string; until: string } {
  if (intent.kind === IntentKind.Withdraw) {
    const attempt = attemptOf(intent)
    return { since: attempt.since, until: iso(withdrawalFenceMs(attempt, timing)) }
  }
  const attempt = attemptOf(intent)
  return { since: iso(attempt.iat * 1000), until: iso(orderFenceMs(attempt, timing)) }
}

function candidatesOf(intent: Intent): readonly Candidate[] {
  if (intent.kind === IntentKind.Withdraw) return Array.isArray(intent.evidence) ? intent.evidence : []
  const { attempt } = intent
  return attempt === undefined ? [] : [{ id: attempt.orderId, ...attempt.terms }]
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
