// Says what a person has to know to decide. For an intent that stopped: what is in doubt, since when, and what happens
// next. For balances left by runs: which policy uses them. Pure.

import { executionEndText } from '../../core/contract/code-names.ts'
import { outcomeText } from '../../core/contract/outcome-names.ts'
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import type { Policy } from '../../core/contract/policies.ts'
import { IntentKind, IntentState, ownerOf } from '../../core/contract/records.ts'
import type { Timing } from '../../core/contract/timing.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import { fenceOf } from '../../core/journal/entering.ts'
import { attemptOf, type Intent, isOpened, type OpenIntent } from '../../core/journal/intent.ts'
import { parseDecimal } from '../../core/money/decimal.ts'
import { carriesOn } from '../../core/policies/kinds.ts'
import type { PolicyRecord } from '../../core/runs/record/policy-record.ts'
import { type AbandonedBalance, abandonedByItself, abandonedOf } from '../../core/runs/settle/abandoned-balances.ts'
import type { KnownExecution } from '../../place/executions/executions.ts'
import { requestText } from '../words/request-words.ts'
import { type WeighedCandidate, weighCandidates } from './weigh-candidates.ts'

export interface Candidate {
  readonly id: string
  /**
   * The other fields depend on the kind: amounts, times, hash and bank reference of a withdrawal; terms of an order.
   */
  readonly [field: string]: unknown
}

export interface Attention {
  readonly intentId: string
  readonly kind: IntentKind
  readonly state: IntentState
  /** The request. */
  readonly params: unknown
  /** The request in words, with the frozen payee. */
  readonly asked: string
  /** Number of the latest attempt. */
  readonly attempt: number
  readonly nonce?: string
  /** A movement of this attempt lies between these times, in service time. */
  readonly window?: { readonly since: string; readonly until: string }
  readonly candidates: readonly Candidate[]
  /** The same with what speaks for and against each. */
  readonly weighed: readonly WeighedCandidate[]
  readonly why: string
  readonly next: string
  /** The service calls the withdrawal failed, and its refund is not proven. */
  readonly isRefundDue?: true
}

/** Ends that a run has seen of an accepted movement. Nothing changes them, whatever its own execution could not read. */
const SEEN_ENDS: ReadonlySet<string> = new Set([
  ...[WithdrawEnd.Completed, WithdrawEnd.FailedRefunded],
  ...[ConvertEnd.Filled, ConvertEnd.Failed],
])

/** Whether the run has seen the end of its leg. */
export function isSeen(leg: { readonly outcome: string } | undefined): boolean {
  return leg !== undefined && SEEN_ENDS.has(leg.outcome)
}

/**
 * The facts for a person; undefined where the intent needs nobody. `last`: the last execution that entered it. `leg`: the result
 * that its run recorded.
 */
export function findAttention(
  intent: Intent,
  last: KnownExecution | undefined,
  timing: Timing,
  leg?: { readonly outcome: string },
): Attention | undefined {
  const found = intent.state === IntentState.Done && isSeen(leg) ? undefined : verdictOn(intent, last)
  if (found === undefined) return undefined
  const { intentId, kind, state, params, attemptNumber, attempt } = intent
  // A proven movement is looked for no more.
  const window = attempt && isOpened(intent) && state !== IntentState.Done ? windowOf(intent, timing) : undefined
  return {
    intentId,
    kind,
    state,
    params,
    asked: requestText(intent),
    attempt: attemptNumber,
    ...(attempt && { nonce: attempt.nonce }),
    ...(window && { window }),
    candidates: candidatesOf(intent),
    weighed: weighCandidates(intent, window?.until),
    ...found,
  }
}

/**
 * A request that is not in the journal, because a fault of ours came before its first record. It cannot have moved
 * anything.
 */
export interface Unopened {
  readonly intentId: string
  readonly kind: IntentKind
  readonly why: string
  readonly next: string
}

const MOST_CAUSE = 300

export function unopenedOf(intentId: string, kind: IntentKind, last: KnownExecution): Unopened {
  return {
    intentId,
    kind,
    why: `not begun: its last execution ${endOf(last)}${last.cause === undefined ? '' : `: ${causeOf(last.cause)}`}`,
    next: 'entering it again begins it, at the prices and balances of that time; asked for under another id, it may move twice',
  }
}

/** The reason in the report with which it failed. */
function causeOf(cause: string): string {
  const { why } = reportIn(cause)
  return (typeof why === 'string' ? why : cause).slice(0, MOST_CAUSE)
}

/** Empty where the cause is a sentence already. */
function reportIn(cause: string): { readonly why?: unknown; readonly isRefundDue?: unknown } {
  try {
    const report: unknown = JSON.parse(cause)
    return report !== null && typeof report === 'object' ? report : {}
  } catch {
    return {}
  }
}

/** Whether the last execution must be read. Other states explain themselves. */
export function asksExecution({ state }: Intent): boolean {
  return state === IntentState.Armed || state === IntentState.Done
}

function verdictOn(
  intent: Intent,
  last: KnownExecution | undefined,
): Pick<Attention, 'why' | 'next' | 'isRefundDue'> | undefined {
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
      // Who stopped an execution has a reason.
      const isLeftToPeople = last === undefined || last.status === 'ABORTED'
      const ended = last === undefined ? 'no execution of it is known' : `its last execution ${endOf(last)}`
      return {
        why: `sent, and not settled: ${ended}`,
        next: `${isLeftToPeople ? 'entering it again' : 'the machine enters it again by itself once the service answers, with growing waits. It'} looks for the movement, and past the window certifies that there is none or makes the next attempt`,
      }
    }
    case IntentState.Done:
      if (last === undefined) return undefined
      if (last.error === ConvertEnd.NeedsAttention && resolution === undefined) {
        return {
          why: `movement ${intent.ref} exists, and its last execution ${endOf(last)}: ${causeOf(last.cause ?? '')}`,
          next: 'entering it again looks once more; it has moved once, and nothing is sent',
        }
      }
      if (!isLeft(last)) return undefined
      if (reportIn(last.cause ?? '').isRefundDue === true) {
        return {
          why: `the service calls movement ${intent.ref} failed, and shows no refund: ${causeOf(last.cause ?? '')}`,
          next: 'ask the operator of the service what became of it; entering it again looks once more, and sends nothing',
          isRefundDue: true,
        }
      }
      return {
        why:
          last.error === ConvertEnd.Stuck
            ? `movement ${intent.ref} exists, and its end is not known: ${causeOf(last.cause ?? '')}`
            : `movement ${intent.ref} exists, and nobody follows it: its last execution ${endOf(last)}`,
        next: `${kind === IntentKind.Withdraw ? 'it is read again by itself, with growing waits; ' : ''}entering it again reads it now, and sends nothing`,
      }
    default:
      return undefined
  }
}

/** Whether a person or the time limit stopped it before its movement was seen to end. */
function isLeft({ status, error }: KnownExecution): boolean {
  return error === ConvertEnd.Stuck || status === 'ABORTED' || status === 'TIMED_OUT'
}

function endOf({ status, error }: KnownExecution): string {
  const end = executionEndText(status)
  return error === undefined ? end : `${end} (${outcomeText(error)})`
}

function windowOf(intent: OpenIntent, timing: Timing): { since: string; until: string } {
  const since = intent.kind === IntentKind.Withdraw ? attemptOf(intent).since : iso(attemptOf(intent).iat * 1000)
  return { since, until: iso(fenceOf(intent, timing)) }
}

function candidatesOf(intent: Intent): readonly Candidate[] {
  if (intent.kind === IntentKind.Withdraw) return Array.isArray(intent.evidence) ? intent.evidence : []
  const { attempt } = intent
  return attempt === undefined ? [] : [{ id: attempt.orderId, ...attempt.terms }]
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}

/** A balance that the next run of policy `by` uses. */
interface CarriedOn {
  readonly policy: string
  readonly asset: string
  readonly contactId?: string | undefined
  readonly amount: string
  readonly by: string
}

export interface LeftBehind {
  readonly stranded: readonly AbandonedBalance[]
  readonly carriedOn: readonly CarriedOn[]
}

/**
 * Balances that runs left in hubs, judged by the current treasury.json: balances that a policy uses, and stranded
 * balances that no policy does.
 */
export function leftBehind(records: readonly PolicyRecord[], { policies, guards }: Treasury): LeftBehind {
  const inOrder = [...records].sort((one, other) => (one.policy < other.policy ? -1 : 1))
  const all = inOrder.map((record): LeftBehind => {
    const successor = Object.entries(policies).find(
      ([name, { was }]) => name === record.policy || was === record.policy,
    )
    if (successor === undefined) return { stranded: abandonedOf(record), carriedOn: [] }
    const [by, policy] = successor
    return balancesOf(record, by, policy, policy.valuationAsset ?? guards.valuationAsset)
  })
  return { stranded: all.flatMap(({ stranded }) => stranded), carriedOn: all.flatMap(({ carriedOn }) => carriedOn) }
}

function balancesOf(
  { policy: name, residues = {} }: PolicyRecord,
  by: string,
  policy: Policy,
  asset: string,
): LeftBehind {
  const rows = Object.entries(residues)
  const amounts = new Map(rows.map(([key, amount]) => [key, parseDecimal(amount, 'residues')] as const))
  const owned = rows.filter(([key]) => carriesOn(policy, asset, key))
  return {
    stranded: abandonedByItself(name, policy, asset, amounts),
    carriedOn: owned.map(([key, amount]) => ({ policy: name, ...ownerOf(key), amount, by })),
  }
}
