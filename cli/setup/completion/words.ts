// `sluice setup completion words`: answers the script of a shell. It reads treasury.json and the kept outline of the
// commands. It asks no service and takes no lock, because a person is typing and waits for it.
import type { Variables } from '../../../place/context.ts'
import { findKept, type KnownCommands } from './kept-outline.ts'
import type { NamedKind } from './policy-names.ts'
import { FILES, suggestionsFor } from './suggestions.ts'

/** Arguments of a shell that asks. The typed words follow. */
const ASKED = ['setup', 'completion', 'words', '--']

/** Writes the answer without the definitions of the commands. @returns false where they are needed */
export async function answerKept(argv: readonly string[], write: (text: string) => void): Promise<boolean> {
  const known = ASKED.every((word, at) => argv[at] === word) ? findKept() : undefined
  if (known !== undefined) await complete(argv.slice(ASKED.length), known, { write, variables: process.env })
  return known !== undefined
}

interface Asked {
  readonly write: (text: string) => void
  readonly variables: Variables
}

/** Each suggestion is a line: the word, a tab, and its meaning. A last line says where a file name may follow too. */
export async function complete(words: readonly string[], known: KnownCommands, { variables, write }: Asked) {
  let needsPolicies = false
  const withoutPolicies = (): readonly NamedKind[] => {
    needsPolicies = true
    return []
  }
  let found = suggestionsFor(words, known, withoutPolicies)
  if (needsPolicies) {
    // Loaded only here, because most completions name no policy.
    const { policiesIn } = await import('./policy-names.ts')
    found = suggestionsFor(words, known, () => policiesIn(words, variables))
  }
  for (const { word, what } of found.suggestions) write(`${word}\t${what}\n`)
  if (found.orFile) write(`${FILES}\n`)
}
