// Lists the bounds of the deployment's and a policy's guards, for planners and pages, and selects those that apply to one
// movement, for the guard. Pure. It compares asset codes as the service does: in either spelling of an equity, in any case.
import { sameCode } from '../contract/fields.ts'
import type { Bound, Guards, PolicyGuards } from '../contract/guards.ts'
import { IntentKind } from '../contract/records.ts'
import { EVERYTHING } from '../journal/halts.ts'
import { hashParams } from '../params-hash.ts'
import type { PolicyTerms } from './policy-terms.ts'

/** The guards of one part of treasury.json: the deployment's, or a policy's. */
export interface GuardSet {
  /** Path of the guards in treasury.json: `guards`, or `policies.weekly.guards`. */
  readonly root: string
  /** Owner of the budgets: a policy's name, or `*` for everything. */
  readonly scope: string
  readonly valuationAsset: string
  readonly guards: PolicyGuards & Partial<Pick<Guards, 'dailyOutflow'>>
  /** For legs that nobody approved: their value in any 24 hours, above which the policy asks people. */
  readonly unasked?: { readonly field: string; readonly above: string } | undefined
}

export interface Bounded {
  readonly kind: IntentKind
  /** Settled code of the asset that is sold or withdrawn. */
  readonly assetSymbol: string
  /** Its rebased ticker, where it differs. */
  readonly rebasedSymbol?: string | undefined
  readonly contactId?: string | undefined
  /** The market of a conversion: its id in settled spelling. */
  readonly market?: string | undefined
}

export interface EffectiveBound {
  /** Path of the bound in treasury.json. */
  readonly field: string
  readonly bound: Bound
  /**
   * The asset in which the figures are values. Absent: the figures are settled units of the asset that is sold or withdrawn.
   */
  readonly valuationAsset?: string
  /** Scope and symbol of the record of the day's budget. */
  readonly scope: string
  readonly symbol: string
  /** Whether a day means any 24 hours. */
  readonly isRolling: boolean
}

/** Symbols of budgets that count everything that movements sell or withdraw: by units of an asset, or by value. */
export const budgetSymbol = {
  /** Counts conversions and withdrawals. A bare asset code as a symbol counts only withdrawals (`dailyOutflow`). */
  asset: (assetSymbol: string): string => `asset:${assetSymbol}`,
  value: (valuationAsset: string): string => `value:${valuationAsset}`,
} as const

/** Scope of the budget that counts what goes to a contact: for everything, or for one policy. */
export function contactScope(scope: string, contactId: string): string {
  const contact = `contact:${encodeURIComponent(contactId)}`
  // Neither a policy's name nor a percent-encoded id contains a slash.
  return scope === EVERYTHING ? contact : `${scope}/${contact}`
}

/** Scope of the budget that counts the legs of a policy that nobody approved. */
export function unaskedScope(policy: string): string {
  return `${policy}/unasked`
}

/**
 * Returns the guards of a renamed policy once with the budgets of each of its names, so that its use under all of them counts.
 */
export function policyGuardSets(
  name: string,
  names: readonly string[],
  set: Pick<GuardSet, 'valuationAsset' | 'guards' | 'unasked'>,
): GuardSet[] {
  return names.map((scope) => ({ root: `policies.${name}.guards`, scope, ...set }))
}

export function globalGuards(guards: Guards): GuardSet {
  return { root: 'guards', scope: EVERYTHING, valuationAsset: guards.valuationAsset, guards }
}

/**
 * The guards of the deployment, and those of the policy for which something moves. `names`: all names of the policy; only
 * its budgets need more than the present one.
 */
export function guardSets(
  everywhere: Guards,
  policy: PolicyTerms | undefined,
  names?: readonly string[],
): readonly GuardSet[] {
  if (policy === undefined) return [globalGuards(everywhere)]
  const { name, guards, valuationAsset = everywhere.valuationAsset, unaskedAbove: above } = policy
  const unasked = above === undefined ? undefined : { field: `policies.${name}.approval.above`, above }
  return [globalGuards(everywhere), ...policyGuardSets(name, names ?? [name], { valuationAsset, guards, unasked })]
}

/** Hash of the deployment's guards: an approved run moves nothing under other guards. SHA-256, hex. */
export function hashGuards(everywhere: Guards): string {
  return hashParams(everywhere)
}

/** A bound, and the movements that it counts: those of one asset, to one contact, or all. */
export interface CountedBound extends EffectiveBound {
  /** Settled code. */
  readonly asset?: string
  readonly contactId?: string
  /** Whether it counts withdrawals alone. */
  readonly isOutflow?: true
}

/**
 * All bounds of a set, each with a largest or a daily figure. `settled`: the settled code of an asset in any spelling; a bound
 * on an asset without one is left out.
 */
export function boundsIn(
  { root, scope, valuationAsset, guards, unasked }: GuardSet,
  settled: (code: string) => string | undefined,
): CountedBound[] {
  const { total, assets = {}, contacts = {}, dailyOutflow = {} } = guards
  const isRolling = guards.dailyWindow === 'rolling'
  const value = { valuationAsset, symbol: budgetSymbol.value(valuationAsset), isRolling }
  const bounds: CountedBound[] = []
  if (total) bounds.push({ field: `${root}.total`, bound: total, scope, ...value })
  if (unasked) {
    const { field, above } = unasked
    bounds.push({ field, bound: { daily: above }, scope: unaskedScope(scope), ...value, isRolling: true })
  }
  for (const [code, bound] of Object.entries(assets)) {
    const asset = settled(code)
    if (asset === undefined) continue
    bounds.push({ field: `${root}.assets.${code}`, bound, scope, symbol: budgetSymbol.asset(asset), isRolling, asset })
  }
  for (const [contactId, bound] of Object.entries(contacts)) {
    const field = `${root}.contacts.${contactId}`
    bounds.push({ field, bound, scope: contactScope(scope, contactId), ...value, contactId })
  }
  for (const [code, daily] of Object.entries(dailyOutflow)) {
    const asset = settled(code)
    if (asset === undefined) continue
    const field = `${root}.dailyOutflow.${code}`
    bounds.push({ field, bound: { daily }, scope, symbol: asset, isRolling, asset, isOutflow: true })
  }
  return bounds
}

export function boundsOf(set: GuardSet, movement: Bounded): EffectiveBound[] {
  const { kind, assetSymbol, contactId } = movement
  const settled = (code: string) => (isOfAsset(code, movement) ? assetSymbol : undefined)
  const isWithdrawal = kind === IntentKind.Withdraw
  return boundsIn(set, settled).filter((bound) => {
    if (bound.isOutflow === true) return isWithdrawal
    return bound.contactId === undefined || (isWithdrawal && bound.contactId === contactId)
  })
}

/** The entries for any spelling of the asset's code: two spellings are two bounds. */
export function ofAsset<Entry>(byCode: Readonly<Record<string, Entry>>, movement: Bounded): [string, Entry][] {
  return Object.entries(byCode).filter(([code]) => isOfAsset(code, movement))
}

function isOfAsset(code: string, { assetSymbol, rebasedSymbol }: Bounded): boolean {
  return [assetSymbol, rebasedSymbol].some((name) => name !== undefined && sameCode(code, name))
}
