// The guard runs before every ARM. It decides whether a movement may be sent, by the dearer of present and settled prices, and
// by guards that it finds itself. They are those of the deployed file, or of the run for a policy that came with its request.
// It reserves the movement's part of each day's budget. It sends nothing.

import { mapBounded, READS_AT_ONCE } from '../bounded.ts'
import { sameCode } from '../contract/fields.ts'
import { GuardCode } from '../contract/outcomes.ts'
import { IntentKind, intentName } from '../contract/records.ts'
import type { Budgets } from '../journal/budgets.ts'
import type { Floor, Floors } from '../journal/floors.ts'
import type { OpenIntent } from '../journal/intent.ts'
import type { Refusal } from '../journal/moves.ts'
import type { PolicyNames } from '../journal/policy-names.ts'
import type { Span } from '../journal/sending-days.ts'
import { type Decimal, formatDecimal, multiply, parseDecimal } from '../money/decimal.ts'
import type { FloorReads, PriceReads } from '../service/ports.ts'
import {
  type ApprovableMovement,
  findUnapprovedMovement,
  type MovementApprovals,
  touchedRules,
} from './approval-rules.ts'
import {
  type Bounded,
  boundsOf,
  type EffectiveBound,
  type GuardSet,
  guardSets,
  hashGuards,
} from './effective-guards.ts'
import type { GuardSettings, PolicyTerms } from './policy-terms.ts'
import { tightestSlippage } from './price-guard.ts'
import { findQuiet } from './quiet-hours.ts'
import { dearerOf, findUnitValues, type UnitValues } from './unit-values.ts'

/** The policy and the values by which a movement is judged. The step that sends has read them itself. */
export interface MovementGuards {
  readonly policy?: PolicyTerms | undefined
  /** Value of one settled unit of what is sold or withdrawn. Present where a bound is in values. */
  readonly unitValues?: UnitValues | undefined
}

export interface GuardedMovement extends Omit<ApprovableMovement, 'unitValues'> {
  /** The most that leaves, in settled units of the asset that is sold or withdrawn, fee included. */
  readonly amount: Decimal
  readonly guards: MovementGuards
  /** The values in the settled terms, which people see. */
  readonly shownValues?: UnitValues | undefined
  /** The amount that must stay of the asset that is sold or withdrawn; absent: no floor. */
  readonly floor?: Floor | undefined
}

/**
 * A guard's refusal. `isForNow`: the guard may allow the movement once other movements have ended, so the movement waits.
 * `isUnseen`: it waits for people, and the settled terms do not show it to them, because its value has risen since.
 */
export type GuardRefusal = Refusal & { readonly isForNow?: true; readonly isUnseen?: true }

export interface MovementGuard {
  /**
   * Reads the policy, and the dearer of present and settled values.
   * @throws Refused for an unknown policy or leg, or a missing price.
   * @throws Transient, KeyFault, Defect
   */
  read(intent: OpenIntent, movement: Bounded, prices: Pick<PriceReads, 'findPrice'>): Promise<MovementGuards>
  /** The tightest slippage of the request and the guards, in basis points. Pure. */
  slippageOf(asked: number | undefined, guards: MovementGuards): number | undefined
  /** Whether a rule asks for people's approval. Pure. */
  asksPeople(movement: GuardedMovement): boolean
  /**
   * One sentence where any moment from `fromMs` to `toMs` (epoch ms, service time) is in quiet hours. `fromMs`: the earliest
   * that it may be now. `toMs`: the latest that the service could accept the request. Pure.
   */
  findQuiet(guards: MovementGuards, fromMs: number, toMs: number): string | undefined
  /** Checks people's approval, after what no approval changes: the same refusal that `admit` would return. @throws Transient, Defect */
  findUnapproved(movement: GuardedMovement): Promise<GuardRefusal | undefined>
  /**
   * Checks every bound, compares the balance with the floor, and reserves the movement's part of each day's budget. A second
   * call with no larger amount changes nothing. `span`: the time in which the movement could happen. `undefined` when it may be
   * sent. Else the refusal of a guard: then nothing of this attempt may be sent.
   * @throws Transient, Defect, KeyFault
   */
  admit(movement: GuardedMovement, span: Span, service: FloorReads): Promise<GuardRefusal | undefined>
}

export function createMovementGuard(
  { everywhere, policies }: GuardSettings,
  budgets: Pick<Budgets, 'reserve'>,
  floors: Floors,
  approvals: MovementApprovals,
  namesOf: PolicyNames,
): MovementGuard {
  const setsOf = ({ policy }: MovementGuards) => guardSets(everywhere, policy)

  async function findUnapproved(movement: GuardedMovement): Promise<GuardRefusal | undefined> {
    const { guards, shownValues, amount } = movement
    // Nobody is asked about a movement that is refused whatever people say.
    const never = findNever(setsOf(guards), movement)
    if (never !== undefined) return never
    const by = (unitValues: UnitValues | undefined) =>
      findUnapprovedMovement(setsOf(guards), { ...movement, unitValues }, amount, approvals)
    const refusal = await by(guards.unitValues)
    if (!refusal?.isForNow || (await by(shownValues))?.isForNow) return refusal
    return { ...refusal, isUnseen: true, why: VALUE_UNSEEN }
  }

  return {
    async read({ params, intentId, frozen }, movement, prices) {
      const policy = await policies.find(params, intentId)
      const present = await findUnitValues(movement, guardSets(everywhere, policy), policy?.hubs ?? [], prices)
      return { policy, unitValues: present && dearerOf(present, frozen.unitValues) }
    },

    slippageOf: (asked, guards) => tightestSlippage(asked, setsOf(guards)),

    asksPeople(movement) {
      const { guards, amount } = movement
      const rules = touchedRules(setsOf(guards), { ...movement, unitValues: guards.unitValues }, amount)
      return 'why' in rules || rules.length > 0
    },

    findUnapproved,

    findQuiet(guards, fromMs, toMs) {
      for (const { root, guards: own } of setsOf(guards)) {
        const quiet = findQuiet(own.quietHours ?? [], fromMs, toMs)
        if (quiet === undefined) continue
        const until = quiet.untilMs === undefined ? 'without an end' : `until ${new Date(quiet.untilMs).toISOString()}`
        return `nothing is sent in the quiet hours of ${root}.quietHours, ${until}`
      }
      return undefined
    },

    async admit(movement, span, service) {
      const { policy } = movement.guards
      if (policy?.guardsHash !== undefined && policy.guardsHash !== hashGuards(everywhere)) {
        return { why: 'the guards have changed since the plan was approved', guardedBy: GuardCode.Approval }
      }
      // Checks without a write come first: a movement that is refused anyway takes no room from others.
      const unapproved = await findUnapproved(movement)
      if (unapproved !== undefined) return unapproved
      const { amount, floor } = movement
      const short = floor && (await floors.hold(nameOf(movement), amount, floor, service))
      if (short) return short
      const sets = guardSets(everywhere, policy, policy && (await namesOf(policy.name)))
      const bounds = sets.flatMap((set) => boundsOf(set, movement))
      // In parallel, because a quote lives for five seconds. Where one budget refuses, the end of the intent frees the others.
      const refusals = await mapBounded(leastOfEach(bounds), READS_AT_ONCE, (bound) =>
        reserve(bound, movement, span, budgets),
      )
      return refusals.find((refusal) => refusal !== undefined)
    },
  }
}

/** Nobody was asked yet, so it names nobody who decides. */
const VALUE_UNSEEN =
  'its value has risen since its terms were settled, so they are settled again before people are asked'

function nameOf({ kind, intentId }: GuardedMovement) {
  return intentName(kind, intentId)
}

/** The refusal of a movement that its market, its contact or its size rules out. */
function findNever(sets: readonly GuardSet[], movement: GuardedMovement): Refusal | undefined {
  for (const set of sets) {
    const why = findDisallowed(set, movement)
    if (why !== undefined) return { why, guardedBy: GuardCode.Allowed }
  }
  for (const bound of sets.flatMap((set) => boundsOf(set, movement))) {
    const refusal = findExcess(bound, movement)
    if (refusal !== undefined) return refusal
  }
  return undefined
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

/** A refusal of a movement above the largest size. */
function findExcess({ field, bound, ...measure }: EffectiveBound, movement: GuardedMovement): Refusal | undefined {
  const size = sizeOf(measure, movement)
  if (bound.largest === undefined || size <= parseDecimal(bound.largest, `${field}.largest`)) return undefined
  const unit = unitOf(measure, movement)
  const why = `${field}.largest is ${bound.largest} ${unit}, and this is ${formatDecimal(size)}`
  return { why, guardedBy: GuardCode.Largest }
}

/** The size that the bound measures: settled units, or their value rounded up. */
function sizeOf(
  { valuationAsset }: Pick<EffectiveBound, 'valuationAsset'>,
  { amount, guards }: GuardedMovement,
): Decimal {
  if (valuationAsset === undefined) return amount
  const unitValue = guards.unitValues?.[valuationAsset]
  return multiply(amount, parseDecimal(unitValue, 'unitValue'), 'up')
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
  const budget = { scope, assetSymbol: symbol, span, isRolling }
  const limit = parseDecimal(bound.daily, `${field}.daily`)
  const left = await budgets.reserve(budget, nameOf(movement), size, limit)
  if (left === undefined) return undefined
  const unit = unitOf(measure, movement)
  const most = `${bound.daily} ${unit} ${isRolling ? 'in any 24 hours' : 'a day'}`
  const why = `${field}: ${most} leaves ${formatDecimal(left)}, and this needs ${formatDecimal(size)}`
  return { why, guardedBy: GuardCode.Budget }
}
