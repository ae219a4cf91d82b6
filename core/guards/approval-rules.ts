// Says which movements wait for a person by `guards.approval`, of the deployment and of a policy. Reads nothing but people's
// decisions, through the given reads. Which decisions count is in core/runs/approval/decisions-on-movement.ts.
import type { MovementApproval } from '../contract/guards.ts'
import { GuardCode } from '../contract/outcomes.ts'
import type { IntentKind } from '../contract/records.ts'
import type { Refusal } from '../journal/moves.ts'
import { type Decimal, formatDecimal, greatest, multiply, parseDecimal } from '../money/decimal.ts'
import { type Bounded, type GuardSet, ofAsset } from './effective-guards.ts'

export interface ApprovableMovement extends Bounded {
  readonly intentId: string
  /** Hash of the movement's terms (core/journal/terms.ts): people's decisions cover exactly these terms. */
  readonly termsHash: string
  /** The run that has the movement as a leg. */
  readonly run?: string | undefined
  /** Settled units: the most that the movement's terms let it sell or withdraw; undefined where they set no bound. */
  readonly most: Decimal | undefined
  /** By valuation asset: value of one settled unit of the asset that is sold or withdrawn. */
  readonly unitValues: Readonly<Record<string, string>> | undefined
}

export interface TouchedRule {
  /** The rule's place in treasury.json. */
  readonly field: string
  readonly rule: Pick<MovementApproval, 'twoAbove' | 'approvers' | 'requesterMayApprove'>
  /** Highest value of the movement, in `valuationAsset`. */
  readonly value: string
  readonly valuationAsset: string
}

export interface MovementDecisions {
  readonly decision?: 'approved' | 'rejected'
  /** One sentence for a rejected movement: who rejected it, and why. */
  readonly why?: string
  /** How many more people must approve; zero once it is decided. */
  readonly missing: number
}

export interface MovementApprovals {
  /** Finds people's decisions on the movement, or on the plan that has it as a leg. @throws Transient, Defect */
  find(
    movement: ApprovableMovement & { readonly kind: IntentKind },
    rules: readonly TouchedRule[],
  ): Promise<MovementDecisions>
}

/** Whether a rule compares values that must be known for this movement. */
export function needsValue({ guards: { approval } }: GuardSet, { contactId }: Bounded): boolean {
  if (approval === undefined) return false
  const { above, contacts = {}, twoAbove } = approval
  return (
    above !== undefined || twoAbove !== undefined || (contactId !== undefined && Object.hasOwn(contacts, contactId))
  )
}

const REOPEN = 'it came into force after this intent was opened; ask for the movement anew'

/**
 * Returns the rules that ask for people's approval. `amount`: settled units that the movement sells or withdraws now, perhaps
 * more than its terms say. Returns a refusal where the movement's value is not known. Returns a refusal also where its terms
 * set no bound, because nobody could approve it.
 */
export function touchedRules(
  sets: readonly GuardSet[],
  movement: ApprovableMovement,
  amount: Decimal,
): readonly TouchedRule[] | Refusal {
  // A fee that has risen since the terms were settled may lift the movement above a rule.
  const given = greatest(movement.most ?? amount, amount)
  const touched: TouchedRule[] = []
  for (const set of sets) {
    const { approval } = set.guards
    if (approval === undefined) continue
    const { root, valuationAsset } = set
    const unitValue = movement.unitValues?.[valuationAsset]
    const field = `${root}.approval`
    if (needsValue(set, movement) && unitValue === undefined)
      return { why: `${field} is in ${valuationAsset}: ${REOPEN}`, guardedBy: GuardCode.Approval }
    const value = unitValue === undefined ? undefined : multiply(given, parseDecimal(unitValue, 'unitValue'), 'up')
    if (!isAbove(approval, movement, given, value)) continue
    if (movement.most === undefined) {
      const why = `${field} asks for a person, who must know how much it spends at most: ask for it with an amount of what it spends, or with most`
      return { why, guardedBy: GuardCode.Approval }
    }
    const { twoAbove, approvers, requesterMayApprove } = approval
    touched.push({
      ...{ field, valuationAsset, value: value === undefined ? '0' : formatDecimal(value) },
      rule: {
        ...(twoAbove !== undefined && { twoAbove }),
        ...(approvers && { approvers }),
        ...(requesterMayApprove !== undefined && { requesterMayApprove }),
      },
    })
  }
  return touched
}

function isAbove(
  { above, assets = {}, contacts = {} }: MovementApproval,
  movement: ApprovableMovement,
  given: Decimal,
  value: Decimal | undefined,
): boolean {
  const isMore = (bound: string | undefined) =>
    bound !== undefined && value !== undefined && value > parseDecimal(bound, 'approval')
  const { contactId } = movement
  const contactBound = contactId !== undefined && Object.hasOwn(contacts, contactId) ? contacts[contactId] : undefined
  return (
    isMore(above) ||
    isMore(contactBound) ||
    ofAsset(assets, movement).some(([, units]) => given > parseDecimal(units, 'approval.assets'))
  )
}

/** Why the movement waits or is refused; undefined where people approved it, or no rule asks them. @throws Transient, Defect */
export async function findUnapprovedMovement(
  sets: readonly GuardSet[],
  movement: ApprovableMovement,
  amount: Decimal,
  approvals: MovementApprovals,
): Promise<(Refusal & { readonly isForNow?: true }) | undefined> {
  // Without a rule for the movement nothing is read.
  const rules = touchedRules(sets, movement, amount)
  if ('why' in rules) return rules
  const [first] = rules
  if (first === undefined) return undefined
  const { decision, why, missing } = await approvals.find(movement, rules)
  if (decision === 'approved') return undefined
  if (decision === 'rejected') return { why: why ?? 'a person said no', guardedBy: GuardCode.Approval }
  const people = missing === 1 ? 'a person' : `${missing} people`
  return {
    why: `${first.field} waits for ${people} to approve it`,
    ...{ guardedBy: GuardCode.Approval, isForNow: true },
  }
}
