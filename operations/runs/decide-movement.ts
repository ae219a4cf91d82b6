// Records a person's decision on one movement that waits because of `guards.approval`. It shows the terms and their
// hash first, and records the decision for exactly that hash. It starts nothing, because the waiting movement reads the
// decision itself.

import type { StandingDecision } from '../../core/contract/people.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { Refused } from '../../core/errors.ts'
import { printable } from '../../core/printable.ts'
import { decisionsOnMovement } from '../../core/runs/approval/decisions-on-movement.ts'
import {
  aloneTermsOfMovement,
  assertDecidable,
  decideMovement,
  findAwaitingMovement,
  findMovementBefore,
  findMovementToDecide,
  type MovementToDecide,
} from '../../core/runs/approval/movement-decision.ts'
import { assertHoldsAtDesk } from '../../place/configuration.ts'
import type { Consent, WithConsent } from '../../place/consent.ts'
import type { OperationContext } from '../../place/context.ts'
import type {
  ApprovalAccess,
  ConfiguredJournal,
  DoorAccess,
  IntentAccess,
  PlacedJournal,
  RequestAccess,
  RunAccess,
} from '../../place/journal/journal-parts.ts'
import { serviceOf, withJournalConnection } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { failedWith, type OperationError } from '../../place/operation-error.ts'
import { noteServiceAt } from '../../place/place.ts'
import { aloneNote } from '../words/approvals-text.ts'
import { readPaidLabels } from './paid-before.ts'
import { termsLines } from './waiting-movements.ts'

export interface MovementDecision {
  readonly kind: IntentKind
  readonly intentId: string
  readonly decision: 'approved' | 'rejected'
  /** Empty on AWS, where the identity of the credentials is recorded. */
  readonly by: string
  readonly because: string
  /** Decides only if the terms have this hash. */
  readonly hash?: string | undefined
  readonly flags: ConnectionFlags
}

export interface DecidedMovement extends Recorded {
  readonly intentId: string
  readonly decision: 'approved' | 'rejected'
}

/**
 * The kind of the intent with this id; undefined where a run has the id, or nothing does. Where both kinds have it, the
 * one that waits.
 */
export async function findKindOf(
  id: string,
  { runJournal, journal, treasury }: ConfiguredJournal & IntentAccess & RunAccess,
): Promise<IntentKind | undefined> {
  if ((await runJournal.runs.find(id)) !== undefined) return undefined
  const kinds = Object.values(IntentKind)
  const intents = (await Promise.all(kinds.map((kind) => journal.find(id, kind)))).filter(
    (intent) => intent !== undefined,
  )
  const waits = intents.find((intent) => findMovementToDecide(intent, treasury) !== undefined)
  return (waits ?? intents[0])?.kind
}

/** @throws OperationError; and what `withConsent` throws */
export async function decideOnMovement(
  decided: MovementDecision,
  withConsent: WithConsent,
  context: OperationContext,
): Promise<DecidedMovement> {
  const { decision, flags, intentId } = decided
  const recorded = await withConsent((consent) =>
    withJournalConnection(flags, context, (connection) =>
      record(decided, connection, consent, context).catch((error: unknown) => {
        throw error instanceof Refused ? refused(error, decided) : error
      }),
    ),
  )
  return { ...recorded, decision, intentId }
}

interface Recorded {
  /** Number of other people who must approve it. */
  readonly missing: number
  /** Why a second person must approve it, where this person alone approved much. */
  readonly why: string | undefined
  /** The person, as AWS or the caller names them. */
  readonly by: string
  /** Present where nothing was recorded, because this decision stands already. */
  readonly before?: StandingDecision | undefined
}

async function record(
  decided: MovementDecision,
  connection: PlacedJournal & IntentAccess & ApprovalAccess & RequestAccess & DoorAccess,
  consent: Consent,
  context: OperationContext,
): Promise<Recorded> {
  const { kind, intentId, decision, by, because, flags } = decided
  const { journal, decisions, treasury, door } = connection
  if (door === undefined && decision === 'approved') assertHoldsAtDesk(treasury)
  const ports = { journal, decisions, treasury }
  const asked = await findAwaitingMovement(kind, intentId, ports)
  const termsHash = decided.hash ?? asked.termsHash
  const at = new Date(context.clock.nowMs()).toISOString()
  assertDecidable(asked, { decision, termsHash, at, ...(by !== '' && { by }) })
  const given = await decisions.findOfMovement(asked)
  const before = door !== undefined ? undefined : findMovementBefore(given, asked, { decision, by })
  if (before !== undefined)
    return { missing: decisionsOnMovement(given, asked.rules).missing, why: whyIn(given), by, before }
  const question = `${decision === 'approved' ? 'approve' : 'reject'} terms ${termsHash} of ${kind} ${printable(intentId)}?`
  if (!consent.isGiven(question)) {
    if (decision === 'approved') noteServiceAt(context.output, { flags, treasury }, serviceOf(flags, context.variables))
    const paid = await readPaidLabels([asked], connection, context.clock.nowMs())
    for (const line of termsLines(asked, paid)) context.output.note(line)
    const alone = decision === 'approved' ? aloneTermsOfMovement(asked, given) : undefined
    const findWhy = () => decisions.findWhySecond(...asNamed(asked), { by, at }, alone ?? NOTHING)
    if (alone !== undefined) context.output.note(await aloneNote(alone, by === '' ? undefined : findWhy))
  }
  consent.to(question)
  if (door !== undefined) {
    const answer = await door.decide({ kind, intent: intentId, termsHash, decision, because })
    if (answer.before === undefined) context.output.note(`recorded in the name of ${printable(answer.by)}`)
    return { missing: answer.missing ?? 0, why: whyIn(answer.approvals), by: answer.by, before: answer.before }
  }
  const said = { kind, intentId, termsHash, decision, by, because, at }
  const { missing, words, before: meanwhile } = await decideMovement(said, ports)
  return { missing, why: whyIn(words), by, before: meanwhile }
}

function whyIn(words: readonly { readonly secondBecause?: string | undefined }[] = []): string | undefined {
  return words.find(({ secondBecause }) => secondBecause !== undefined)?.secondBecause
}

/** The name of the movement in a person's own record. */
function asNamed({ kind, intentId, termsHash }: MovementToDecide): readonly [string, string] {
  return [`${kind}#${intentId}`, termsHash]
}

const NOTHING = { value: '0', asset: '', twoAbove: '0' }

function refused(error: Refused, { intentId }: MovementDecision): OperationError {
  const next = { do: 'show-movement', id: intentId, why: 'its current state' } as const
  const message = `${error.message}; nothing was recorded`
  return failedWith('refused', message, next, error)
}
