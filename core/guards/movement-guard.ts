// The guard runs before every ARM. It decides whether a movement may be sent, by the deployment's present guards and the
// policy's frozen guards. It reserves the movement's part of each day's budget. It sends nothing.

import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import { sameCode } from '../contract/fields.ts'
import type { FrozenGuards, Guards } from '../contract/guards.ts'
import { GuardCode } from '../contract/outcomes.ts'
import { IntentKind, intentName } from '../contract/records.ts'
import type { Budgets } from '../journal/budgets.ts'
import type { Floor, Floors } from '../journal/floors.ts'
import type { Refusal } from '../journal/moves.ts'
import type { Span } from '../journal/sending-days.ts'
import { type Decimal, formatDecimal, multiply, parseDecimal } from '../money/decimal.ts'
import type { FloorReads } from '../service/ports.ts'
import {
  type ApprovableMovement,
  findUnapprovedMovement,
  type MovementApprovals,
  touchedRules,
} from './approval-rules.ts'
import { boundsOf, type EffectiveBound, type GuardSet } from './effective-guards.ts'
import { guardSets, hashGuards } from './frozen-guards.ts'
import { findQuiet } from './quiet-hours.ts'

export interface GuardedMovement extends Omit<ApprovableMovement, 'unitValues'> {
  /** The most that leaves, in settled units of the asset that is sold or withdrawn, fee included. */
  readonly amount: Decimal
  readonly guards: FrozenGuards | undefined
  /** The amount that must stay of the asset that is sold or withdrawn; absent: no floor. */
  readonly floor?: Floor | undefined
}

/** A guard's refusal. `isForNow`: the guard may allow the movement once other movements have ended, so the movement waits. */
export type GuardRefusal = Refusal & { readonly isForNow?: true }

export interface MovementGuard {
  /** Whether a rule asks for people's approval. Pure. */
  asksPeople(movement: GuardedMovement): boolean
  /**
   * One sentence where any moment from `fromMs` to `toMs` (epoch ms, service time) is in quiet hours. `fromMs`: the earliest
   * that it may be now. `toMs`: the latest that the service could accept the request. Pure.
   */
  findQuiet(guards: FrozenGuards | undefined, fromMs: number, toMs: number): string | undefined
  /** Checks only people's approval: the same refusal that `admit` would return. @throws Transient, Defect */
  findUnapproved(movement: GuardedMovement): Promise<GuardRefusal | undefined>
  /**
   * Checks every bound, compares the balance with the floor, and reserves the movement's part of each day's budget. A second
   * call changes nothing. `span`: the time in which the movement could happen. `undefined` when it may be sent. Else the
   * refusal of a guard: then nothing of this attempt may be sent.
   * @throws Transient, Defect, KeyFault
   */
  admit(movement: GuardedMovement, span: Span, service: FloorReads): Promise<GuardRefusal | undefined>
}

const REOPEN = 'it came into force after this intent was opened; ask for the movement anew'

export function createMovementGuard(
  everywhere: Guards,
  budgets: Pick<Budgets, 'reserve'>,
  floors: Floors,
  approvals: MovementApprovals,
): MovementGuard {
  const setsOf = ({ guards }: GuardedMovement) => guardSets(everywhere, guards?.policy)
  const valued = (movement: GuardedMovement) => ({ ...movement, unitValues: movement.guards?.unitValues })
  const findUnapproved = (movement: GuardedMovement, sets = setsOf(movement)) =>
    findUnapprovedMovement(sets, valued(movement), movement.amount, approvals)

  return {
    asksPeople(movement) {
      const rules = touchedRules(setsOf(movement), valued(movement), movement.amount)
      return 'why' in rules || rules.length > 0
    },

    findUnapproved: (movement) => findUnapproved(movement),

    findQuiet(guards, fromMs, toMs) {
      for (const { root, guards: own } of guardSets(everywhere, guards?.policy)) {
        const quiet = findQuiet(own.quietHours ?? [], fromMs, toMs)
        if (quiet === undefined) continue
        const until = quiet.untilMs === undefined ? 'without an end' : `until ${new Date(quiet.untilMs).toISOString()}`
        return `nothing is sent in the quiet hours of ${root}.quietHours, ${until}`
      }
      return undefined
    },

    async admit(movement, span, service) {
      const { policy } = movement.guards ?? {}
      if (policy?.guardsHash !== undefined && policy.guardsHash !== hashGuards(everywhere)) {
        return { why: 'the guards have changed since the plan was approved', guardedBy: GuardCode.Approval }
      }
      const sets = guardSets(everywhere, policy)
      for (const set of sets) {
        const why = findDisallowed(set, movement)
        if (why !== undefined) return { why, guardedBy: GuardCode.Allowed }
      }
      const bounds = sets.flatMap((set) => boundsOf(set, movement))
      // Checks without a write come first: a movement that is refused anyway takes no room from others.
      for (const bound of bounds) {
        const refusal = findExcess(bound, movement)
        if (refusal !== undefined) return refusal
      }
      const unapproved = await findUnapproved(movement, sets)
      if (unapproved !== undefined) return unapproved
      const { amount, floor } = movement
      const short = floor && (await floors.hold(nameOf(movement), amount, floor, service))
      if (short) return short
      // In parallel, because a quote lives for five seconds. Where one budget refuses, the end of the intent frees the others.
      const refusals = await mapBounded(leastOfEach(bounds), READS_AT_ONCE, (bound) =>
        reserve(bound, movement, span, budgets),
      )
      return refusals.find((refusal) => refusal !== undefined)
    },
  }
}

function nameOf({ kind, intentId }: GuardedMovement) {
  return intentName(kind, intentId)
}

function findDisallowed({ root, guards }: GuardSet, { kind, contactId, market }: GuardedMovement): string | undefined {
  const { allowedContacts, allowedMarkets } = guards
  if (kind === IntentKind.Withdraw) {
    if (allowedContacts === undefined || allowedContacts.some((id) => id === contactId)) return undefined
    return `${root}.allowedContacts does not name contact ${contactId}`
  }
  if (allowedMarkets === undefined || allowedMarkets.some((id) => market !== undefined && sameCode(id, market)))
    return undefined
  return `${root}.allowedMarkets does not name ${market}`
}

/** A refusal of a movement above the largest size, or of one whose value was not settled. */
function findExcess({ field, bound, ...measure }: EffectiveBound, movement: GuardedMovement): Refusal | undefined {
  const size = sizeOf(measure, movement)
  if (size === undefined) {
    return { why: `${field} is in ${measure.valuationAsset}: ${REOPEN}`, guardedBy: GuardCode.Allowed }
  }
  if (bound.largest === undefined || size <= parseDecimal(bound.largest, `${field}.largest`)) return undefined
  const unit = unitOf(measure, movement)
  const why = `${field}.largest is ${bound.largest} ${unit}, and this is ${formatDecimal(size)}`
  return { why, guardedBy: GuardCode.Largest }
}

/** The size that the bound measures: settled units, or their value rounded up. */
function sizeOf(
  { valuationAsset }: Pick<EffectiveBound, 'valuationAsset'>,
  { amount, guards }: GuardedMovement,
): Decimal | undefined {
  if (valuationAsset === undefined) return amount
  const unitValue = guards?.unitValues?.[valuationAsset]
  return unitValue === undefined ? undefined : multiply(amount, parseDecimal(unitValue, 'unitValue'), 'up')
}

function unitOf({ valuationAsset }: Pick<EffectiveBound, 'valuationAsset'>, { assetSymbol }: GuardedMovement): string {
  return valuationAsset ?? assetSymbol
}

/** For each record, the bound that leaves least: a second reservation in one record would find the first. */
function leastOfEach(bounds: readonly EffectiveBound[]): EffectiveBound[] {
  const least = new Map<string, EffectiveBound>()
  const dailyOf = ({ field, bound }: EffectiveBound) => parseDecimal(bound.daily, `${field}.daily`)
  for (const each of bounds) {
    if (each.bound.daily === undefined) continue
    const key = `${each.scope} ${each.symbol}`
    const known = least.get(key)
    if (known === undefined || dailyOf(each) < dailyOf(known)) least.set(key, each)
  }
  return [...least.values()]
}

async function reserve(
  { field, bound, scope, symbol, isRolling, ...measure }: EffectiveBound,
  movement: GuardedMovement,
  span: Span,
  budgets: Pick<Budgets, 'reserve'>,
): Promise<Refusal | undefined> {
  const size = sizeOf(measure, movement)
  if (size === undefined) throw new TypeError(`${field}: its value was looked at before`)
  const budget = { scope, assetSymbol: symbol, span, isRolling }
  const limit = parseDecimal(bound.daily, `${field}.daily`)
  const left = await budgets.reserve(budget, nameOf(movement), size, limit)
  if (left === undefined) return undefined
  const unit = unitOf(measure, movement)
  const most = `${bound.daily} ${unit} ${isRolling ? 'in any 24 hours' : 'a day'}`
  const why = `${field}: ${most} leaves ${formatDecimal(left)}, and this needs ${formatDecimal(size)}`
  return { why, guardedBy: GuardCode.Budget }
}
