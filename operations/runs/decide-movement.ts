// Examines a person's decision on one movement that waits because of `guards.approval`. It shows the terms and their
// hash, and the decision is recorded for exactly that hash. It starts nothing, because the waiting movement reads the
// decision itself.

import type { StandingDecision } from '../../core/contract/people.ts'
import { IntentKind } from '../../core/contract/records.ts'
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
import type { Consent } from '../../place/consent.ts'
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
import { serviceOf } from '../../place/journal-connection.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { noteServiceAt } from '../../place/place.ts'
import { aloneNote } from '../words/approvals-text.ts'
import { readPaidLabels } from './paid-before.ts'
import { termsLines } from './waiting-movements.ts'

/** A person's decision on the plan of a run, or on a movement, with the reason. */
export interface Decision {
  readonly id: string
  /** The kind of the movement; absent for a run. */
  readonly kind?: IntentKind
  readonly decision: 'approved' | 'rejected'
  /** Empty on AWS, where the identity of the credentials is recorded. */
  readonly by: string
  readonly because: string
  /** Decides only if the plan, or the terms of the movement, have this hash. */
  readonly hash: string | undefined
  readonly flags: ConnectionFlags
}

/** Terms that a person may decide on now. */
export interface Examined<Recorded> {
  /** Undefined where this decision stands already. Then nobody is asked, and nothing is recorded. */
  readonly question: string | undefined
  readonly record: () => Promise<Recorded>
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

/** Shows the terms where the person has not seen them yet. It records nothing. @throws Refused */
export async function examineMovement(
  asked: Decision & { readonly kind: IntentKind },
  connection: PlacedJournal & IntentAccess & ApprovalAccess & RequestAccess & DoorAccess,
  consent: Pick<Consent, 'isGiven'>,
  context: OperationContext,
): Promise<Examined<DecidedMovement>> {
  const { kind, id: intentId, decision, by, because, flags } = asked
  const { journal, decisions, treasury, door } = connection
  const isApproval = decision === 'approved'
  if (door === undefined && isApproval) assertHoldsAtDesk(treasury)
  const ports = { journal, decisions, treasury }
  const waiting = await findAwaitingMovement(kind, intentId, ports)
  const termsHash = asked.hash ?? waiting.termsHash
  const at = new Date(context.clock.nowMs()).toISOString()
  assertDecidable(waiting, { decision, termsHash, at, ...(by !== '' && { by }) })
  const given = await decisions.findOfMovement(waiting)
  const before = door !== undefined ? undefined : findMovementBefore(given, waiting, { decision, by })
  const decided = (recorded: Recorded): DecidedMovement => ({ ...recorded, decision, intentId })
  if (before !== undefined) {
    const { missing } = decisionsOnMovement(given, waiting.rules)
    return { question: undefined, record: async () => decided({ missing, why: whyIn(given), by, before }) }
  }
  const question = `${isApproval ? 'approve' : 'reject'} terms ${termsHash} of ${kind} ${printable(intentId)}?`
  if (!consent.isGiven(question)) {
    if (isApproval) noteServiceAt(context.output, { flags, treasury }, serviceOf(flags, context.variables))
    const paid = await readPaidLabels([waiting], connection, context.clock.nowMs())
    for (const line of termsLines(waiting, paid)) context.output.note(line)
    const alone = isApproval ? aloneTermsOfMovement(waiting, given) : undefined
    const findWhy = () => decisions.findWhySecond(...asNamed(waiting), { by, at }, alone ?? NOTHING)
    if (alone !== undefined) context.output.note(await aloneNote(alone, by === '' ? undefined : findWhy))
  }
  const record = async () => {
    if (door !== undefined) {
      const answer = await door.decide({ kind, intent: intentId, termsHash, decision, because })
      if (answer.before === undefined) context.output.note(`recorded in the name of ${printable(answer.by)}`)
      const { by: named, before: stands, missing = 0, approvals } = answer
      return decided({ missing, why: whyIn(approvals), by: named, before: stands })
    }
    const said = { kind, intentId, termsHash, decision, by, because, at }
    const { missing, words, before: meanwhile } = await decideMovement(said, ports)
    return decided({ missing, why: whyIn(words), by, before: meanwhile })
  }
  return { question, record }
}

function whyIn(words: readonly { readonly secondBecause?: string | undefined }[] = []): string | undefined {
  return words.find(({ secondBecause }) => secondBecause !== undefined)?.secondBecause
}

/** The name of the movement in a person's own record. */
function asNamed({ kind, intentId, termsHash }: MovementToDecide): readonly [string, string] {
  return [`${kind}#${intentId}`, termsHash]
}

const NOTHING = { value: '0', asset: '', twoAbove: '0' }
