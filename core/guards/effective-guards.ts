// Which bounds of the deployment's guards and of a policy's guards apply to one movement. Pure. Codes of assets are
// matched as the service matches them: in either spelling of an equity, whatever the case.
import { sameCode } from '../contract/fields.ts'
import type { Bound, Guards, MovementApproval, PolicyGuards } from '../contract/guards.ts'
import { IntentKind } from '../contract/records.ts'
import { EVERYTHING } from '../journal/halts.ts'

/** The guards of one part of treasury.json: of the deployment, or of a policy. */
export interface GuardSet {
  /** How its fields are called in treasury.json: `guards`, or `policies.weekly.guards`. */
  readonly root: string
  /** Whose budgets: a policy's name, or `*` for all. */
  readonly scope: string
  /** The asset in which its values are given. */
  readonly valuationAsset: string
  readonly guards: PolicyGuards & Partial<Pick<Guards, 'dailyOutflow'>>
}

/** What bounds go by. */
export interface Bounded {
  readonly kind: IntentKind
  /** Settled code of what is given up. */
  readonly assetSymbol: string
  /** Its rebased ticker, where that is another. */
  readonly rebasedSymbol?: string | undefined
  /** Of a withdrawal. */
  readonly contactId?: string | undefined
  /** Of a conversion: the id of its market, in settled spelling. */
  readonly market?: string | undefined
}

export interface EffectiveBound {
  /** In treasury.json. */
  readonly field: string
  readonly bound: Bound
  /** The asset that its figures are values in; absent: they are settled units of what is given up. */
  readonly valuationAsset?: string
  /** Of the day's budget: scope and symbol of its record. */
  readonly scope: string
  readonly symbol: string
  /** Whether a day is any 24 hours. */
  readonly isRolling: boolean
}

/** The names of budgets that count everything that movements give up: of an asset in its units, or in values. */
export const budgetSymbol = {
  /** Conversions and withdrawals; a bare code stands for withdrawals alone (`dailyOutflow`). */
  asset: (assetSymbol: string): string => `asset:${assetSymbol}`,
  value: (valuationAsset: string): string => `value:${valuationAsset}`,
} as const

/** Whose budget counts what goes to a contact: that of all, or of one policy. */
export function contactScope(scope: string, contactId: string): string {
  const contact = `contact:${encodeURIComponent(contactId)}`
  // No policy's name holds a slash, and no percent-encoded id.
  return scope === EVERYTHING ? contact : `${scope}/${contact}`
}

/** Of a policy that was renamed, what it has used up under either name counts: the same guards, with the budgets of both. */
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

/** The bounds of one set, each with a largest or a daily figure. */
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

/** The guards of a set as far as they concern one movement: small enough to be frozen in its intent. */
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

/** Every spelling of the code that is named: two of them are two bounds. */
export function ofAsset<Entry>(
  byCode: Readonly<Record<string, Entry>>,
  { assetSymbol, rebasedSymbol }: Bounded,
): [string, Entry][] {
  const names = [assetSymbol, rebasedSymbol].filter((name) => name !== undefined)
  return Object.entries(byCode).filter(([code]) => names.some((name) => sameCode(code, name)))
}
