// Says what to do after a refused run: use another id, because this one has ended, and list what the input may name.
// Pure.
import { type Advice, advice, option, type Step } from '../../place/next-step.ts'

/** The query that lists what a field of the input may name. */
const LISTS: readonly (readonly [named: RegExp, query: string])[] = [
  [/\binput\.(baseAsset|quoteAsset|amountAsset|assetSymbol)\b/, 'assets'],
  [/\binput\.(contactId|contactReference)\b/, 'contacts'],
  [/\bPOST \/v2\/quotes: .*\(baseAsset: /, 'markets'],
]

/** `why`: the reason in the result. `again`: shows this result again. */
export function nextAfterRefusal(why: string | undefined, again: Step): Advice[] {
  const query = LISTS.find(([named]) => named.test(why ?? ''))?.[1]
  return [
    advice`a corrected request needs another ${option('id')}: this one has ended for good, and moved nothing`,
    ...(query === undefined ? [] : [{ do: 'query', query, why: 'what the input may name' } as const]),
    { ...again, why: 'this result again' },
  ]
}
