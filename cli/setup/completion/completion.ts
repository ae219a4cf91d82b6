// `sluice setup completion`: prints the script for a shell, and answers that script. It only reads treasury.json. It asks no
// service and takes no lock, because a person is typing and waits for it.

import type { Command } from 'commander'
import { printableJson } from '../../../core/printable.ts'
import { usageError } from '../../../operations/operation-error.ts'
import { INVOCATION } from '../../../operations/words/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { policiesIn } from './policy-names.ts'
import { isShell, SCRIPTS } from './scripts.ts'
import { FILES, suggestionsFor } from './suggestions.ts'

/** @throws OperationError (exit 2) for a shell that has no script */
export function printScript(shell: string, { output }: CommandContext): void {
  if (!isShell(shell)) {
    const expected = Object.keys(SCRIPTS).join(', ')
    throw usageError(
      'usage',
      `shell: expected one of ${expected}; got something else`,
      `${INVOCATION} setup completion bash`,
    )
  }
  const script = SCRIPTS[shell]
  output.data(output.json ? printableJson({ shell, script }) : script)
}

/** Each suggestion is a line: the word, a tab, and its meaning. A last line says where a file name may follow too. */
export function complete(words: readonly string[], program: Command, { stdout, variables }: CommandContext): void {
  const { suggestions, orFile } = suggestionsFor(words, program, () => policiesIn(words, variables))
  for (const { word, what } of suggestions) stdout.write(`${word}\t${what}\n`)
  if (orFile) stdout.write(`${FILES}\n`)
}
