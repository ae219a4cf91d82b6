// How policies spell assets, against the service's settled codes. Planners go by settled codes alone: an asset under
// another name would be missing from their totals, and so it is told before there is a plan. Pure.
import type { Guards } from '../../contract/guards.ts'
import type { Policy } from '../../contract/policies.ts'
import { referencesOf } from '../../treasury/policy-references.ts'
import type { AssetReading } from '../ports.ts'

/** Places whose codes are matched in any spelling. */
const MATCHED = /^(guards\.|valuationAsset$)/

/** An equity has two spellings, and the service takes any case; what it does not know stays as it is. */
export function spelling(
  assets: readonly Pick<AssetReading, 'assetSymbol' | 'rebasedSymbol'>[],
): (code: string) => string {
  // Settled codes last: where one asset's ticker is another's code, the code counts.
  const spelled = new Map([
    ...assets.map(({ rebasedSymbol, assetSymbol }) => [rebasedSymbol.toLowerCase(), assetSymbol] as const),
    ...assets.map(({ assetSymbol }) => [assetSymbol.toLowerCase(), assetSymbol] as const),
  ])
  return (code) => spelled.get(code.toLowerCase()) ?? code
}

/** Each place in the policy that names an asset by another spelling, with what to write there. Guards may name any. */
export function misspelled(policy: Policy, guards: Guards, settled: (code: string) => string): string[] {
  return referencesOf(policy, guards)
    .assets.filter(({ at, code }) => !MATCHED.test(at) && settled(code) !== code)
    .map(({ at, code }) => `${at}: expected the settled code, ${settled(code)}; got ${code}`)
}
