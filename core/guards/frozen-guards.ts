// Freezes a part of the guards in an intent when the intent is opened. The part is the policy's guards that apply to it, and
// the value of one unit of the asset that it sells or withdraws. So ARM needs no further reads, and every attempt is measured
// alike.
import { sameCode } from '../contract/fields.ts'
import type { FrozenGuards, Guards } from '../contract/guards.ts'
import { Refused } from '../errors.ts'
import { type Decimal, divide, formatDecimal, multiply, ONE_UNIT, parseDecimal } from '../money/decimal.ts'
import { hashParams } from '../params-hash.ts'
import type { PriceReads } from '../service/ports.ts'
import { needsValue } from './approval-rules.ts'
import {
  type Bounded,
  boundsOf,
  type GuardSet,
  globalGuards,
  narrowGuards,
  policyGuardSets,
} from './effective-guards.ts'
import type { PolicyTerms, PolicyTermsSource } from './policy-terms.ts'

type Prices = Pick<PriceReads, 'findPrice'>

export interface GuardSettings {
  /** The deployment's guards. */
  readonly everywhere: Guards
  readonly policies: PolicyTermsSource
}

/** Hash of the deployment's guards: an approved run moves nothing under other guards. SHA-256, hex. */
export function hashGuards(everywhere: Guards): string {
  return hashParams(everywhere)
}

export function guardSets(everywhere: Guards, policy: FrozenGuards['policy'] | PolicyTerms): readonly GuardSet[] {
  if (policy === undefined) return [globalGuards(everywhere)]
  const { name, was, guards, valuationAsset = everywhere.valuationAsset } = policy
  return [globalGuards(everywhere), ...policyGuardSets(name, was, { valuationAsset, guards })]
}

/**
 * `undefined` where there is nothing to freeze. A movement never passes a bound that cannot be checked.
 * @throws Refused where a bound is in values and no market has a price.
 * @throws Transient, Defect
 */
export async function freezeGuards(
  movement: Bounded,
  everywhere: Guards,
  policy: PolicyTerms | undefined,
  prices: Prices,
): Promise<FrozenGuards | undefined> {
  const unitValues = await findUnitValues(movement, guardSets(everywhere, policy), policy?.hubs ?? [], prices)
  const frozen: FrozenGuards = {
    ...(policy && { policy: narrowTerms(policy, movement) }),
    ...(unitValues && { unitValues }),
  }
  return Object.keys(frozen).length === 0 ? undefined : frozen
}

function narrowTerms(
  { name, was, guards, valuationAsset, guardsHash }: PolicyTerms,
  movement: Bounded,
): FrozenGuards['policy'] & {} {
  return {
    name,
    ...(was !== undefined && { was }),
    ...(valuationAsset !== undefined && { valuationAsset }),
    ...(guardsHash !== undefined && { guardsHash }),
    guards: narrowGuards(guards, movement),
  }
}

async function findUnitValues(
  movement: Bounded,
  sets: readonly GuardSet[],
  hubs: readonly string[],
  prices: Prices,
): Promise<Record<string, string> | undefined> {
  const { assetSymbol } = movement
  const found = new Map<string, string>()
  const approvals = sets
    .filter((set) => needsValue(set, movement))
    .map(({ root, valuationAsset }) => ({ field: `${root}.approval`, valuationAsset }))
  for (const { field, valuationAsset } of [...sets.flatMap((set) => boundsOf(set, movement)), ...approvals]) {
    if (valuationAsset === undefined || found.has(valuationAsset)) continue
    const unitValue = await findUnitValue(assetSymbol, valuationAsset, hubs, prices)
    if (unitValue === undefined)
      throw new Refused(`${field} cannot be checked: no market tells what ${assetSymbol} is worth in ${valuationAsset}`)
    found.set(valuationAsset, formatDecimal(unitValue))
  }
  return found.size === 0 ? undefined : Object.fromEntries(found)
}

/** Tried after the policy's hubs, where no market is direct. */
const USUAL_HUBS = ['USD', 'USDC', 'EUR']
/** Maximum hubs of a policy that are tried: each takes up to four reads of prices. */
const MOST_HUBS = 10

/**
 * Value of one settled unit of an asset in another, by the dearer side of indicative prices: the cost of buying it back.
 * Rounded up. So a guard never underrates a movement, and plans use the same side. `undefined` where no market has a price,
 * either direct or through one hub.
 * @throws Transient, Refused, Defect, like the read itself
 */
export async function findUnitValue(
  assetSymbol: string,
  valuationAsset: string,
  hubs: readonly string[],
  prices: Prices,
): Promise<Decimal | undefined> {
  const direct = await findRate(assetSymbol, valuationAsset, prices)
  if (direct !== undefined) return direct
  for (const hub of hubsBetween(assetSymbol, valuationAsset, hubs)) {
    const first = await findRate(assetSymbol, hub, prices)
    const second = first === undefined ? undefined : await findRate(hub, valuationAsset, prices)
    if (first !== undefined && second !== undefined) return multiply(first, second, 'up')
  }
  return undefined
}

/** Units of `into` that one unit of `from` costs: to buy with, or received for a sale. */
async function findRate(from: string, into: string, prices: Prices): Promise<Decimal | undefined> {
  if (sameCode(from, into)) return ONE_UNIT
  const bought = await prices.findPrice(from, into, 'BUY')
  if (bought !== undefined) return parseDecimal(bought, 'rate')
  const sold = await prices.findPrice(into, from, 'SELL')
  return sold === undefined ? undefined : divide(ONE_UNIT, parseDecimal(sold, 'rate'), 'up')
}

function hubsBetween(from: string, into: string, named: readonly string[]): string[] {
  const hubs: string[] = []
  for (const hub of [...named.slice(0, MOST_HUBS), ...USUAL_HUBS]) {
    if (![from, into, ...hubs].some((known) => sameCode(known, hub))) hubs.push(hub)
  }
  return hubs
}
