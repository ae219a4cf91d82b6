// Which movements wait for a person by `guards.approval`, of the deployment and of a policy. Pure. What people said of one,
// and whether that is enough, core/runs/approval/movement-words.ts knows.
import type { MovementApproval } from '../contract/guards.ts'
import { GuardCode } from '../contract/outcomes.ts'
import type { IntentKind } from '../contract/records.ts'
import type { Refusal } from '../journal/moves.ts'
import { type Decimal, formatDecimal, greatest, multiply, parseDecimal } from '../money/decimal.ts'
import { type Bounded, type GuardSet, ofAsset } from './effective-guards.ts'

/** One movement, as it is held against the rules and against what people said. */
export interface ApprovableMovement extends Bounded {
  readonly intentId: string
  /** Of its terms (core/journal/terms.ts): people's words are on exactly these. */
  readonly termsHash: string
  /** The run whose leg it is. */
  readonly run?: string | undefined
  /** Settled units of what is given up at most, by its terms; undefined where these set no bound. */
  readonly most: Decimal | undefined
  /** By valuation asset: value of one settled unit of what is given up. */
  readonly unitValues: Readonly<Record<string, string>> | undefined
}

/** A rule that asks for people's words on a movement. */
export interface TouchedRule {
  /** In treasury.json. */
  readonly field: string
  readonly rule: Pick<MovementApproval, 'twoAbove' | 'approvers' | 'requesterMayApprove'>
  /** What the movement is worth at most, in `valuationAsset`. */
  readonly value: string
  readonly valuationAsset: string
}

/** Where people's words leave a movement. */
export interface MovementStanding {
  readonly decision?: 'approved' | 'rejected'
  /** One sentence where it was rejected: who said so, and why. */
  readonly why?: string
  /** How many more people must approve, while it waits. */
  readonly missing: number
}

export interface MovementApprovals {
  /** By what people said of it, or of the plan whose leg it is. @throws Transient, Defect */
  find(
    movement: ApprovableMovement & { readonly kind: IntentKind },
    rules: readonly TouchedRule[],
  ): Promise<MovementStanding>
}

/** Whether the values of a rule must be known of a movement that it may concern. */
export function needsValue({ guards: { approval } }: GuardSet, { contactId }: Bounded): boolean {
  if (approval === undefined) return false
  const { above, contacts = {}, twoAbove } = approval
  return (
    above !== undefined || twoAbove !== undefined || (contactId !== undefined && Object.hasOwn(contacts, contactId))
  )
}

const REOPEN = 'it came into force after this intent was opened; ask for the movement anew'

/**
 * The rules that ask for people's words. `amount`: settled units that it gives up now, perhaps more than its terms say. A refusal
 * where that cannot be told, or nobody could approve it, because its terms do not say how much it gives up at most.
 */
export function touchedRules(
  sets: readonly GuardSet[],
  movement: ApprovableMovement,
  amount: Decimal,
): readonly TouchedRule[] | Refusal {
  // A fee that has risen since its terms were settled may bring it above a rule.
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
      const why = `${field} asks for a person, who must know how much it gives up at most: ask for it with an amount of what it gives up, or with most`
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
  const ofContact = contactId !== undefined && Object.hasOwn(contacts, contactId) ? contacts[contactId] : undefined
  return (
    isMore(above) ||
    isMore(ofContact) ||
    ofAsset(assets, movement).some(([, units]) => given > parseDecimal(units, 'approval.assets'))
  )
}

/** Why it waits, or is refused; undefined where people have approved it, or nobody is asked. @throws Transient, Defect */
export async function findUnapprovedMovement(
  sets: readonly GuardSet[],
  movement: ApprovableMovement,
  amount: Decimal,
  approvals: MovementApprovals,
): Promise<(Refusal & { readonly isForNow?: true }) | undefined> {
  // What no rule touches costs nothing.
  const rules = touchedRules(sets, movement, amount)
  if ('why' in rules) return rules
  const [first] = rules
  if (first === undefined) return undefined
  const { decision, why, missing } = await approvals.find(movement, rules)
  if (decision === 'approved') return undefined
  const { intentId } = movement
  if (decision === 'rejected') return { why: why ?? 'a person said no', guardedBy: GuardCode.Approval }
  const people = missing === 1 ? 'a person' : `${missing} people`
  return {
    why: `${first.field} waits for ${people} to approve it: sluice approve ${intentId}`,
    ...{ guardedBy: GuardCode.Approval, isForNow: true },
  }
}
