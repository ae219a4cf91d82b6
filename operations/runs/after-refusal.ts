// Says what to do after a refused run: use another id, because this one has ended, and list what the input may name.
// Pure.
import { type ConnectionFlags, commandWith } from '../../place/words/command-line.ts'

/** The query that lists what a field of the input may name. */
const LISTS: readonly (readonly [named: RegExp, query: string])[] = [
  [/\binput\.(baseAsset|quoteAsset|amountAsset|assetSymbol)\b/, 'assets'],
  [/\binput\.(contactId|contactReference)\b/, 'contacts'],
  [/\bPOST \/v2\/quotes: .*\(baseAsset: /, 'markets'],
]

/** `why`: the reason in the result. `again`: the command that shows this result again. */
export function nextAfterRefusal(why: string | undefined, again: string, flags: ConnectionFlags): string[] {
  const query = LISTS.find(([named]) => named.test(why ?? ''))?.[1]
  // The queries ask a service with their own keys, and do not take --aws.
  const { aws, ...where } = flags
  return [
    'a corrected request needs another --id: this one has ended for good, and moved nothing',
    ...(query === undefined || aws === true
      ? []
      : [`${commandWith(`service ${query}`, where)}   # what the input may name`]),
    `${again}   # this result again`,
  ]
}
