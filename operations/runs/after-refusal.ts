// What comes next after a run that was refused: another id, because this one has ended, and the list of what the input
// could have named. Pure.
import { type ConnectionFlags, commandWith } from '../words/command-line.ts'

/** Which query lists what a field of the input may name. */
const LISTS: readonly (readonly [named: RegExp, query: string])[] = [
  [/\binput\.(baseAsset|quoteAsset|amountAsset|assetSymbol)\b/, 'assets'],
  [/\binput\.(contactId|contactReference)\b/, 'contacts'],
  [/\bPOST \/v2\/quotes: .*\(baseAsset: /, 'markets'],
]

/** `why`: of the result. `again`: the command that shows this result again. */
export function nextAfterRefusal(why: string | undefined, again: string, flags: ConnectionFlags): string[] {
  const query = LISTS.find(([named]) => named.test(why ?? ''))?.[1]
  // The queries ask a service with keys of their own, and know no --aws.
  const { aws, ...where } = flags
  return [
    'what is asked for anew, corrected, needs another --id: this one has ended for good, and moved nothing',
    ...(query === undefined || aws === true
      ? []
      : [`${commandWith(`service ${query}`, where)}   # what the input may name`]),
    `${again}   # this result again`,
  ]
}
