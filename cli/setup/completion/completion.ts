// `sluice setup completion`: prints the script for a shell, and answers that script. It only reads treasury.json: it
// asks no service and takes no lock, because a person waits for it with a finger on the key.

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
    throw usageError('usage', `shell: expected one of ${expected}; got another`, `${INVOCATION} setup completion bash`)
  }
  const script = SCRIPTS[shell]
  output.data(output.json ? printableJson({ shell, script }) : script)
}

/** One suggestion a line: the word, a tab, and what it means. A last line says where files may stand too. */
export function complete(words: readonly string[], program: Command, { stdout, variables }: CommandContext): void {
  const { suggestions, orFile } = suggestionsFor(words, program, () => policiesIn(words, variables))
  for (const { word, what } of suggestions) stdout.write(`${word}\t${what}\n`)
  if (orFile) stdout.write(`${FILES}\n`)
}
