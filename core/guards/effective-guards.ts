// Selects the bounds of the deployment's and a policy's guards that apply to one movement. Pure. It compares asset codes as the
// service does: in either spelling of an equity, in any case.
import { sameCode } from '../contract/fields.ts'
import type { Bound, Guards, MovementApproval, PolicyGuards } from '../contract/guards.ts'
import { IntentKind } from '../contract/records.ts'
import { EVERYTHING } from '../journal/halts.ts'

/** The guards of one part of treasury.json: the deployment's, or a policy's. */
export interface GuardSet {
  /** Path of the guards in treasury.json: `guards`, or `policies.weekly.guards`. */
  readonly root: string
  /** Owner of the budgets: a policy's name, or `*` for everything. */
  readonly scope: string
  readonly valuationAsset: string
  readonly guards: PolicyGuards & Partial<Pick<Guards, 'dailyOutflow'>>
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

/**
 * Returns the guards of a renamed policy twice, once with the budgets of each name, so that its use under both names counts.
 */
export function policyGuardSets(
  name: string,
  was: string | undefined,
  set: Pick<GuardSet, 'valuationAsset' | 'guards'>,
): GuardSet[] {
  const scopes = was === undefined ? [name] : [was, name]
  return scopes.map((scope) => ({ root: `policies.${name}.guards`, scope, ...set }))
}

export function globalGuards(guards: Guards): GuardSet {
  return { root: 'guards', scope: EVERYTHING, valuationAsset: guards.valuationAsset, guards }
}

/** The bounds of one set that apply to the movement, each with a largest or a daily figure. */
export function boundsOf(set: GuardSet, movement: Bounded): EffectiveBound[] {
  const { root, scope, valuationAsset } = set
  const { total, assets = {}, contacts = {}, dailyOutflow = {} } = set.guards
  const { kind, assetSymbol, contactId } = movement
  const isRolling = set.guards.dailyWindow === 'rolling'
  const value = { valuationAsset, symbol: budgetSymbol.value(valuationAsset), isRolling }
  const bounds: EffectiveBound[] = []
  if (total) bounds.push({ field: `${root}.total`, bound: total, scope, ...value })
  const symbol = budgetSymbol.asset(assetSymbol)
  for (const [code, bound] of ofAsset(assets, movement)) {
    bounds.push({ field: `${root}.assets.${code}`, bound, scope, symbol, isRolling })
  }
  if (kind !== IntentKind.Withdraw) return bounds
  for (const [id, bound] of contactId === undefined ? [] : Object.entries(contacts)) {
    if (id !== contactId) continue
    bounds.push({ field: `${root}.contacts.${id}`, bound, scope: contactScope(scope, id), ...value })
  }
  for (const [code, daily] of ofAsset(dailyOutflow, movement)) {
    bounds.push({ field: `${root}.dailyOutflow.${code}`, bound: { daily }, scope, symbol: assetSymbol, isRolling })
  }
  return bounds
}

/** The part of a set's guards that applies to one movement: small enough to be frozen in its intent. */
export function narrowGuards(guards: PolicyGuards, movement: Bounded): PolicyGuards {
  const { total, assets, contacts, allowedContacts, allowedMarkets, worstSlippageBps, quietHours } = guards
  const { dailyWindow, approval } = guards
  const { contactId, market } = movement
  return {
    ...(total && { total }),
    ...(assets && { assets: Object.fromEntries(ofAsset(assets, movement)) }),
    ...(contacts && { contacts: Object.fromEntries(Object.entries(contacts).filter(([id]) => id === contactId)) }),
    ...(allowedContacts && { allowedContacts: allowedContacts.filter((id) => id === contactId) }),
    ...(allowedMarkets && {
      allowedMarkets: allowedMarkets.filter((id) => market !== undefined && sameCode(id, market)),
    }),
    ...(worstSlippageBps !== undefined && { worstSlippageBps }),
    ...(quietHours && { quietHours }),
    ...(dailyWindow && { dailyWindow }),
    ...(approval && { approval: narrowApproval(approval, movement) }),
  }
}

function narrowApproval(approval: MovementApproval, movement: Bounded): MovementApproval {
  const { assets, contacts } = approval
  return {
    ...approval,
    ...(assets && { assets: Object.fromEntries(ofAsset(assets, movement)) }),
    ...(contacts && {
      contacts: Object.fromEntries(Object.entries(contacts).filter(([id]) => id === movement.contactId)),
    }),
  }
}

/** The entries for any spelling of the asset's code: two spellings are two bounds. */
export function ofAsset<Entry>(
  byCode: Readonly<Record<string, Entry>>,
  { assetSymbol, rebasedSymbol }: Bounded,
): [string, Entry][] {
  const names = [assetSymbol, rebasedSymbol].filter((name) => name !== undefined)
  return Object.entries(byCode).filter(([code]) => names.some((name) => sameCode(code, name)))
}
