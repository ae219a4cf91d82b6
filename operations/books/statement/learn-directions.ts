// Learns from the balance history whether the entries of a type raised or lowered the balance, where the type does not say it.
// Only where exactly one way explains the change to the last digit. Pure.
import type { Direction } from '../../../core/contract/ledger-types.ts'
import { type Decimal, minus, negate, parseSignedDecimal, plus, sumOf, ZERO } from '../../../core/money/decimal.ts'
import { directionKey, type GivenDirections } from '../ledger-line.ts'
import type { AccountStatement } from './account-statement.ts'

/** By asset, and then by type. */
export type Undirecteds = ReadonlyMap<string, ReadonlyMap<string, Decimal>>

/** Maximum types of an asset. Every combination of their directions is tried. */
const MOST_TYPES = 8

export function learnDirections({
  assets,
  undirected,
}: Pick<AccountStatement, 'assets'> & { readonly undirected: Undirecteds }): GivenDirections {
  const learned = assets.flatMap(({ asset, proof }) => {
    const types = [...(undirected.get(asset) ?? [])]
    // Entries without a type may have either direction each.
    if (types.length > MOST_TYPES || types.some(([type]) => type === '')) return []
    const [opening, change, closing] = [proof.openingBalance, proof.change, proof.closingBalance].map((text) =>
      parseSignedDecimal(text, 'balance'),
    )
    const gap = minus(closing ?? ZERO, plus(opening ?? ZERO, change ?? ZERO))
    const ways = waysOf(types.length).filter(
      (way) => sumOf(types.map(([, sum], at) => (way[at] === 'in' ? sum : negate(sum)))) === gap,
    )
    const [only, ...others] = ways
    if (only === undefined || others.length > 0) return []
    return types.map(([type], at): [string, Direction] => [directionKey(asset, type), only[at] ?? 'in'])
  })
  return new Map(learned)
}

function waysOf(types: number): readonly (readonly Direction[])[] {
  if (types === 0) return [[]]
  return waysOf(types - 1).flatMap((way): Direction[][] => [
    [...way, 'in'],
    [...way, 'out'],
  ])
}
