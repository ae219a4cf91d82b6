// Finds the single movements that wait for people to approve them, and people's decision on one. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { IntentKind } from '../../core/contract/records.ts'
import type { Intent } from '../../core/journal/intent.ts'
import { isWithdrawal } from '../../core/journal/intent.ts'
import { besidePaidAs } from '../../core/movements/withdrawal/payee.ts'
import { printable } from '../../core/printable.ts'
import { createDecisionReader } from '../../core/runs/approval/decisions.ts'
import { countsAsApprover, createMovementApprovals } from '../../core/runs/approval/decisions-on-movement.ts'
import type { MovementToDecide } from '../../core/runs/approval/movement-decision.ts'
import { findMovementToDecide } from '../../core/runs/approval/movement-decision.ts'
import type { Decision } from '../../core/runs/approval/standing.ts'
import type {
  ApprovalAccess,
  ConfiguredJournal,
  RecordAccess,
  RequestAccess,
} from '../../place/journal/journal-parts.ts'
import type { GivenApprovals } from '../words/approvals-text.ts'
import { payeeText, requestName, requestText } from '../words/request-words.ts'
import { type PaidLabels, readPaidLabels } from './paid-before.ts'

/** Movements of these intents that wait for people, each with the number of approvals that are missing. Reads only. */
export async function findWaitingMovements(
  ...given: Parameters<typeof findAsked>
): Promise<readonly WaitingMovement[]> {
  return (await findAsked(...given)).map(({ waiting }) => waiting)
}

/** The same with the terms of each. */
export async function findAsked(
  intents: readonly Intent[],
  connection: ConfiguredJournal & RequestAccess & Pick<RecordAccess, 'store'> & Pick<ApprovalAccess, 'decisionKey'>,
  nowMs: number,
): Promise<readonly { readonly asked: MovementToDecide; readonly waiting: WaitingMovement }[]> {
  const { decisionKey, store, treasury } = connection
  const approvals = createMovementApprovals(store, decisionKey)
  const decisions = createDecisionReader(store, decisionKey)
  const asked = intents.flatMap((intent) => findMovementToDecide(intent, treasury) ?? [])
  const paid = await readPaidLabels(asked, connection, nowMs)
  const found = await mapBounded(asked, READS_AT_ONCE, async (each) => {
    const { movement, rules, intent } = each
    const { decision, missing } = await approvals.find(movement, rules)
    if (decision !== undefined) return []
    const { intentId, kind, termsHash } = movement
    const approvedBy = approversOf(await decisions.findOfMovement(movement), each)
    const waiting = {
      intentId,
      kind,
      termsHash,
      asked: requestText(intent),
      ...(typeof intent.params.policy === 'string' && { policy: intent.params.policy }),
      name: requestName(intent),
      since: intent.createdAt,
      expiresAt: intent.notAfter,
      isOver: nowMs >= Date.parse(intent.notAfter),
      ...{ missing, approvedBy, needed: approvedBy.length + missing },
      terms: termsLines(each, paid),
    }
    return [{ asked: each, waiting }]
  })
  return found.flat()
}

/** Those whose approval counts by the rules on this movement. */
function approversOf(words: readonly Decision[], { rules }: MovementToDecide): readonly string[] {
  return words.flatMap(({ decision, by }) => (decision === 'approved' && countsAsApprover(by, rules) ? [by] : []))
}

/** People's decision on a movement that has not acted on it yet. */
export interface DecidedMovement {
  readonly decision: 'approved' | 'rejected'
  /** Empty where they decided on the plan that has it as a leg. */
  readonly words: readonly Pick<Decision, 'decision' | 'by' | 'at' | 'because'>[]
}

/** Undefined where no rule asks people about it, or they have not decided. Reads only. */
export async function findMovementDecision(
  intent: Intent,
  { decisionKey, decisions, store, treasury }: ConfiguredJournal & ApprovalAccess & Pick<RecordAccess, 'store'>,
): Promise<DecidedMovement | undefined> {
  const asked = findMovementToDecide(intent, treasury)
  if (asked === undefined) return undefined
  const { decision } = await createMovementApprovals(store, decisionKey).find(asked.movement, asked.rules)
  if (decision === undefined) return undefined
  const words = await decisions.findOfMovement(asked)
  return { decision, words: words.filter((word) => word.decision === decision) }
}

export interface WaitingMovement extends GivenApprovals {
  readonly intentId: string
  readonly kind: IntentKind
  readonly termsHash: string
  /** The terms that a person decides on, a line each. */
  readonly terms: readonly string[]
  /** The request in words. */
  readonly asked: string
  /** Absent for a movement that belongs to no policy. */
  readonly policy?: string
  /** The same in a few words. */
  readonly name: string
  /** ISO-8601. */
  readonly since: string
  readonly expiresAt: string
  /** Whether that time is over: nobody can approve it any more, and entering it again ends it. */
  readonly isOver: boolean
  /** Number of other people who must approve it. */
  readonly missing: number
}

/** Everything that the hash covers and a person decides on, and other labels under which the payee was last paid. */
export function termsLines(
  { intent, most, assetSymbol, rules, termsHash }: MovementToDecide,
  paid: PaidLabels,
): string[] {
  const { payee, fee } = isWithdrawal(intent) ? intent.frozen : {}
  return [
    `${intent.kind === IntentKind.Convert ? 'conversion' : 'withdrawal'} ${intent.intentId}: ${requestText(intent)}`,
    `spends at most ${most} ${assetSymbol}`,
    ...rules.map(
      // The value is 0 where only rules on amounts apply: then no price was read.
      ({ field, value, valuationAsset }) =>
        `${field} asks for people${value === '0' ? '' : `; it is worth ${value} ${valuationAsset}`}`,
    ),
    ...(payee === undefined
      ? []
      : [`to ${payeeText(payee.contactId, besidePaidAs(payee, paid.get(payee.contactId)))}`]),
    ...(fee === undefined ? [] : [`fee ${fee} ${assetSymbol}`]),
    `until ${intent.notAfter}`,
    `terms ${termsHash}`,
  ].map(printable)
}
