// What is settled of guards when an intent is opened, and frozen in it: the policy's guards as far as they
// concern it, what things are called in settled codes, and what a unit of what it gives up is worth. So
// whoever is about to ARM reads nothing more, and every attempt is measured alike.
import type { FrozenGuards, Guards } from '../contract/guards.ts'
import { IntentKind } from '../contract/records.ts'
import { Refused } from '../errors.ts'
import { hashParams } from '../journal/journal.ts'
import { formatDecimal } from '../money/decimal.ts'
import type { PriceReads } from '../service/ports.ts'
import {
  type Bounded,
  boundsOf,
  type GuardSet,
  globalGuards,
  narrowGuards,
  policyGuardSets,
} from './effective-guards.ts'
import type { PolicyTerms, PolicyTermsSource } from './policy-terms.ts'
import { findUnitValue } from './unit-value.ts'

/** What an intent is opened under. */
export interface GuardSettings {
  /** Those of the deployment. */
  readonly everywhere: Guards
  readonly policies: PolicyTermsSource
}

/** Of the deployment's guards: nothing of an approved run goes under others. SHA-256, hex. */
export function hashGuards(everywhere: Guards): string {
  return hashParams(everywhere)
}

/** The deployment's guards, and on top of them those of the policy. */
export function guardSets(everywhere: Guards, policy: FrozenGuards['policy'] | PolicyTerms): readonly GuardSet[] {
  if (policy === undefined) return [globalGuards(everywhere)]
  const { name, was, guards, valuationAsset = everywhere.valuationAsset } = policy
  return [globalGuards(everywhere), ...policyGuardSets(name, was, { valuationAsset, guards })]
}

/**
 * `undefined` where there is nothing to freeze. @throws Refused where a bound is in values and no market tells
 * one: a bound that cannot be checked is not passed. @throws Transient, Defect
 */
export async function freezeGuards(
  movement: Bounded & { readonly market?: string },
  everywhere: Guards,
  policy: PolicyTerms | undefined,
  prices: Pick<PriceReads, 'findPrice'>,
): Promise<FrozenGuards | undefined> {
  const { kind, assetSymbol, rebasedSymbol, market } = movement
  const unitValues = await findUnitValues(movement, guardSets(everywhere, policy), policy?.hubs ?? [], prices)
  const frozen: FrozenGuards = {
    ...(policy && { policy: narrowTerms(policy, movement) }),
    ...(kind === IntentKind.Convert && assetSymbol !== undefined && { assetSymbol }),
    ...(kind === IntentKind.Convert && rebasedSymbol !== undefined && { rebasedSymbol }),
    ...(market !== undefined && { market }),
    ...(unitValues && { unitValues }),
  }
  return Object.keys(frozen).length === 0 ? undefined : frozen
}

function narrowTerms(
  { name, was, guards, valuationAsset, guardsHash }: PolicyTerms,
  movement: Bounded & { readonly market?: string },
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
  prices: Pick<PriceReads, 'findPrice'>,
): Promise<Record<string, string> | undefined> {
  const { assetSymbol } = movement
  const found = new Map<string, string>()
  for (const { field, valuationAsset } of sets.flatMap((set) => boundsOf(set, movement))) {
    if (valuationAsset === undefined || found.has(valuationAsset)) continue
    if (assetSymbol === undefined) throw new TypeError(`${field}: the settled code of what is given up is not known`)
    const unitValue = await findUnitValue(assetSymbol, valuationAsset, hubs, prices)
    if (unitValue === undefined)
      throw new Refused(`${field} cannot be checked: no market tells what ${assetSymbol} is worth in ${valuationAsset}`)
    found.set(valuationAsset, formatDecimal(unitValue))
  }
  return found.size === 0 ? undefined : Object.fromEntries(found)
}
