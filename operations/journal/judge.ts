// Judges the record of an intent by what its executions prove. It says what is wrong and what a rebuild writes. In
// doubt a person decides, and only an execution can certify a zero. Pure.
import { findChange } from '../../core/audit/judge-movement.ts'
import { ConvertEnd } from '../../core/contract/outcomes.ts'
import { IntentState } from '../../core/contract/records.ts'
import { type Intent, isLost, isSettled } from '../../core/journal/intent.ts'
import { hasParams } from '../../core/journal/journal.ts'
import type { Evidence, ProvenZero } from './evidence.ts'

/** Beginning of the reason in every record that a rebuild has written. */
export const REBUILT = 'rebuilt from its executions'

export const FindingKind = {
  /** The record was edited, or a version of it is missing. */
  Broken: 'BROKEN_CHAIN',
  /** The record does not match what its executions asked for: somebody has changed it. */
  Changed: 'CHANGED',
  /** The executions have an intent or a run that is missing in the journal. */
  Lost: 'LOST',
  /** Executions have seen a newer version of the record. */
  Behind: 'BEHIND',
  /** The record contradicts what its executions have proven. */
  Contradiction: 'CONTRADICTION',
  /** A movement at the service that no intent claims. */
  Unclaimed: 'UNCLAIMED',
  Unreadable: 'UNREADABLE',
  /** A file of an export was changed. */
  Export: 'BROKEN_EXPORT',
} as const
export type FindingKind = (typeof FindingKind)[keyof typeof FindingKind]

export interface Finding {
  readonly finding: FindingKind
  /** The key of a record, the name of an execution, or a movement. */
  readonly about: string
  readonly message: string
}

export type Repair =
  | { readonly write: 'done'; readonly movementId: string }
  | { readonly write: 'zero'; readonly zero: ProvenZero }
  | { readonly write: 'escalated'; readonly because: string }

export interface Judgement {
  readonly finding?: Omit<Finding, 'about'>
  readonly repair?: Repair
}

/** The service's answer about the movements that the executions name. */
export interface Shown {
  /** The movements that exist. */
  readonly movements: ReadonlySet<string>
}

export interface Judged {
  readonly evidence: Evidence
  readonly intent: Intent | undefined
  readonly shown: Shown
  /** Why its record's claim to be DONE is not proven. */
  readonly unproven?: string | undefined
  /** Why its movement is not as it was asked for. */
  readonly other?: string | undefined
  /** Why it is not what people approved, where approval was needed. */
  readonly unapproved?: string | undefined
  /** Which other withdrawal has paid the same row of a payout file. */
  readonly paidTwice?: string | undefined
  /** The table is not known to be the journal's own. Open records in it may have continued since. */
  readonly isSuspect: boolean
}

const FINE: Judgement = {}

export function judge({
  evidence,
  intent,
  shown,
  unproven,
  other,
  unapproved,
  paidTwice,
  isSuspect,
}: Judged): Judgement {
  const repair = repairOf(evidence, shown)
  if (intent === undefined) {
    if (!evidence.maySend && !evidence.wasRecorded) return FINE
    const message = `its executions ${evidence.entries.join(', ')} have used it, and it is not in the journal`
    return { finding: { finding: FindingKind.Lost, message }, repair }
  }
  const changed = changedText(intent, evidence) ?? unproven ?? unapproved
  if (changed !== undefined) return { finding: { finding: FindingKind.Changed, message: changed } }
  if (isSettled(intent.state)) return judgeSettled(intent, evidence, other ?? paidTwice)
  if (intent.state === IntentState.Escalated) {
    const isOwn = intent.why?.includes(REBUILT) === true && isLost(intent) && intent.resolution === undefined
    // A rebuild that was cut off between its two writes continues. Every other decision of a person stays unchanged.
    return isOwn && repair.write === 'done'
      ? { finding: { finding: FindingKind.Behind, message: `it is ESCALATED, and made ${repair.movementId}` }, repair }
      : FINE
  }
  const behind = behindText(intent, evidence)
  if (behind !== undefined) return { finding: { finding: FindingKind.Behind, message: behind }, repair }
  if (!isSuspect || !evidence.maySend) return FINE
  const message = `it is ${intent.state} in a table that was restored or replaced, and its executions may have sent since`
  return { finding: { finding: FindingKind.Behind, message }, repair }
}

function changedText(intent: Intent, { request }: Evidence): string | undefined {
  if (request !== undefined && !hasParams(intent, request)) return 'its params are not what its executions asked for'
  return findChange(intent)
}

function judgeSettled(intent: Intent, { movements }: Evidence, other: string | undefined): Judgement {
  const others = movements.filter((id) => id !== intent.ref)
  const because = others.length === 0 ? other : `its executions tell of ${others.join(', ')}`
  if (because === undefined) return FINE
  const message = `it is ${intent.state}${intent.ref === undefined ? '' : ` by ${intent.ref}`}, and ${because}`
  return { finding: { finding: FindingKind.Contradiction, message } }
}

/** For an intent that is READY or ARMED. */
function behindText(intent: Intent, { attempts, movements, seen, zero }: Evidence): string | undefined {
  const { state, version, attemptNumber } = intent
  if (movements.length > 0) return `it is ${state}, and its executions tell of its movement ${movements.join(', ')}`
  if (zero !== undefined) return `it is ${state}, and its executions ended ${zero.outcome}`
  if (seen !== undefined && seen.version > version) {
    return `it is at version ${version}, and the execution ${seen.execution} of ${seen.at} saw version ${seen.version}`
  }
  if (attempts > attemptNumber) return `it is at attempt ${attemptNumber}, and its executions tell of ${attempts}`
  return undefined
}

function repairOf({ movements, quoted, request, zero }: Evidence, shown: Shown): Repair {
  const there = [...new Set([...movements, ...quoted])].filter((id) => shown.movements.has(id))
  const [only, ...others] = there
  if (request === undefined && only === undefined) return escalated('its executions ask for different things')
  if (others.length > 0) return escalated(`its executions tell of several movements: ${there.join(', ')}`)
  const unshown = movements.filter((id) => id !== only)
  if (unshown.length > 0)
    return escalated(`its executions tell of ${unshown.join(', ')}, which the service does not show`)
  if (only !== undefined) return { write: 'done', movementId: only }
  if (zero !== undefined) return { write: 'zero', zero }
  return escalated('no execution of it proves what it moved')
}

function escalated(because: string): Repair {
  return { write: 'escalated', because: `whether it has moved money is not known: ${because}` }
}

/** The outcome of an intent that a person decides, of either kind. */
export const ATTENTION = ConvertEnd.NeedsAttention
