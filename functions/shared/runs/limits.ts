// What the deployment's guards and the policy's leave for a plan: the least of all that apply. Budgets are read
// and not taken: what a leg takes of them is decided right before it is sent.
import { sameCode } from '../../contract/fields.ts'
import type { Bound } from '../../contract/guards.ts'
import type { Policy } from '../../contract/policies.ts'
import { budgetSymbol, contactScope, type GuardSet, globalGuards } from '../guarding/effective-guards.ts'
import type { Budgets } from '../journal/budgets.ts'
import { type Decimal, parseDecimal } from '../money/decimal.ts'
import type { PlanLimits } from '../planning/snapshot.ts'
import type { RunPorts } from './ports.ts'

export interface LimitsOf {
  /** In which the plan tells values: a bound in another is left to the check before each ARM. */
  readonly valuationAsset: string
  /** YYYY-MM-DD, UTC. */
  readonly day: string
  /** The settled code of an asset, however it is spelled. */
  readonly settled: (code: string) => string
  /** Ids of all markets. */
  readonly markets: readonly string[]
}

/** The deployment's guards, and the policy's own. */
export function guardSetsOf(name: string, policy: Policy, { treasury }: Pick<RunPorts, 'treasury'>): GuardSet[] {
  const valuationAsset = policy.valuationAsset ?? treasury.guards.valuationAsset
  return [
    globalGuards(treasury.guards),
    { root: `policies.${name}.guards`, scope: name, valuationAsset, guards: policy.guards },
  ]
}

/** @throws Transient */
export async function readLimits(
  sets: readonly GuardSet[],
  limits: LimitsOf,
  budgets: Pick<Budgets, 'left'>,
): Promise<PlanLimits> {
  const left = async (scope: string, assetSymbol: string, daily: string | undefined) =>
    daily === undefined
      ? undefined
      : budgets.left({ scope, day: limits.day, assetSymbol }, parseDecimal(daily, 'guards.daily'))
  const read = async ({ largest, daily }: Bound, scope: string, symbol: string): Promise<Figures> => ({
    largest: largest === undefined ? undefined : parseDecimal(largest, 'guards.largest'),
    leftToday: await left(scope, symbol, daily),
  })

  const total: Figures = {}
  const assets = new Map<string, Figures>()
  const contacts = new Map<string, Figures>()
  const outflow = new Map<string, Figures>()
  for (const { scope, valuationAsset, guards } of sets) {
    const value = budgetSymbol.value(valuationAsset)
    const isComparable = limits.settled(valuationAsset) === limits.valuationAsset
    if (isComparable && guards.total) tighten(total, await read(guards.total, scope, value))
    for (const [code, bound] of Object.entries(guards.assets ?? {})) {
      const asset = limits.settled(code)
      tightenIn(assets, asset, await read(bound, scope, budgetSymbol.asset(asset)))
    }
    for (const [id, bound] of Object.entries(isComparable ? (guards.contacts ?? {}) : {})) {
      tightenIn(contacts, id, await read(bound, contactScope(scope, id), value))
    }
    for (const [code, daily] of Object.entries(guards.dailyOutflow ?? {})) {
      const asset = limits.settled(code)
      tightenIn(outflow, asset, await read({ daily }, scope, asset))
    }
  }
  return { ...valueLimits(total), ...allowances(sets, limits.markets), ...mapsOf(assets, contacts, outflow) }
}

interface Figures {
  largest?: Decimal | undefined
  leftToday?: Decimal | undefined
}

function tighten(figures: Figures, more: Figures): void {
  figures.largest = least(figures.largest, more.largest)
  figures.leftToday = least(figures.leftToday, more.leftToday)
}

function tightenIn(figures: Map<string, Figures>, key: string, more: Figures): void {
  const known = figures.get(key) ?? {}
  tighten(known, more)
  figures.set(key, known)
}

function least<Figure extends bigint | number>(
  left: Figure | undefined,
  right: Figure | undefined,
): Figure | undefined {
  if (left === undefined || right === undefined) return left ?? right
  return left < right ? left : right
}

function valueLimits({ largest, leftToday }: Figures) {
  return {
    ...(largest !== undefined && { largestValue: largest }),
    ...(leftToday !== undefined && { leftTodayValue: leftToday }),
  }
}

function mapsOf(
  assets: ReadonlyMap<string, Figures>,
  contacts: ReadonlyMap<string, Figures>,
  outflow: ReadonlyMap<string, Figures>,
): Pick<PlanLimits, 'assets' | 'contacts' | 'outflow'> {
  const amounts = ({ largest, leftToday }: Figures) => ({
    ...(largest !== undefined && { largest }),
    ...(leftToday !== undefined && { leftToday }),
  })
  return {
    assets: new Map([...assets].map(([code, figures]) => [code, amounts(figures)])),
    contacts: new Map([...contacts].map(([id, figures]) => [id, valueLimits(figures)])),
    outflow: new Map(
      [...outflow].flatMap(([code, { leftToday }]) => (leftToday === undefined ? [] : [[code, leftToday]])),
    ),
  }
}

/** Allowed is what every list allows that there is. */
function allowances(
  sets: readonly GuardSet[],
  markets: readonly string[],
): Pick<PlanLimits, 'allowedMarkets' | 'allowedContacts' | 'worstSlippageBps'> {
  let allowedMarkets: ReadonlySet<string> | undefined
  let allowedContacts: ReadonlySet<string> | undefined
  let worstSlippageBps: number | undefined
  for (const { guards } of sets) {
    const named = guards.allowedMarkets
    // As the check before each ARM matches them: whatever the case.
    const allowed = named && markets.filter((id) => named.some((each) => sameCode(each, id)))
    allowedMarkets = both(allowedMarkets, allowed)
    allowedContacts = both(allowedContacts, guards.allowedContacts)
    worstSlippageBps = least(worstSlippageBps, guards.worstSlippageBps)
  }
  return {
    ...(allowedMarkets && { allowedMarkets }),
    ...(allowedContacts && { allowedContacts }),
    ...(worstSlippageBps !== undefined && { worstSlippageBps }),
  }
}

function both(known: ReadonlySet<string> | undefined, list: readonly string[] | undefined) {
  if (list === undefined) return known
  return new Set(list.filter((each) => known?.has(each) ?? true))
}
