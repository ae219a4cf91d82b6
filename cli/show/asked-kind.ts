// The kinds of what was asked for, as `--kind` of `list`, `show` and `explain` names them. Pure.
import { nearestHint } from '../../core/treasury/nearest-name.ts'
import { usageError } from '../terminal/command-error.ts'

export const AskedKind = { Convert: 'convert', Withdraw: 'withdraw', Run: 'run' } as const
export type AskedKind = (typeof AskedKind)[keyof typeof AskedKind]

/** People also name a kind by what became of it. */
const WORDS: ReadonlyMap<string, AskedKind> = new Map([
  ['convert', AskedKind.Convert],
  ['conversion', AskedKind.Convert],
  ['order', AskedKind.Convert],
  ['withdraw', AskedKind.Withdraw],
  ['withdrawal', AskedKind.Withdraw],
  ['run', AskedKind.Run],
])

/** @throws CommandError (exit 2) for another word */
export function readKind(text: string | undefined): AskedKind | undefined {
  if (text === undefined) return undefined
  const kind = WORDS.get(text.toLowerCase())
  if (kind !== undefined) return kind
  const hint = nearestHint(text, [...WORDS.keys()])
  throw usageError('usage', `--kind: expected convert, withdraw or run; got another${hint}`, 'correct --kind')
}
