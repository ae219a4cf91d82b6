// How policies spell assets, against the service's settled codes. Planners go by settled codes alone: an asset under
// another name would be missing from their totals, and so it is told before there is a plan. Pure.
import type { Guards } from '../../contract/guards.ts'
import { referencesOf } from '../../contract/policy-references.ts'
import type { AssetReading } from './ports.ts'
import type { RunRecord } from './run-record.ts'

const MOST_TOLD = 5
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

/**
 * Each place where the run's policy names an asset by another spelling, with what to write there; undefined where
 * none does. Guards may: their codes are matched in any spelling.
 */
export function misspelledText(
  { policy, request, asPlanned }: Pick<RunRecord, 'policy' | 'request' | 'asPlanned'>,
  guards: Guards,
  settled: (code: string) => string,
): string | undefined {
  const root = typeof request.policy === 'string' ? `policies.${policy}` : 'input.policy'
  const misspelled = referencesOf(asPlanned, guards)
    .assets.filter(({ at, code }) => !MATCHED.test(at) && settled(code) !== code)
    .map(({ at, code }) => `${root}.${at}: expected the settled code, ${settled(code)}; got ${code}`)
  const { length } = misspelled
  if (length === 0) return undefined
  const more = length > MOST_TOLD ? [`and ${length - MOST_TOLD} more`] : []
  return [...misspelled.slice(0, MOST_TOLD), ...more].join('; ')
}
