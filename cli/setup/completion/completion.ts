// `sluice setup completion SHELL`: prints the script that completes commands in a shell.

import { printableJson } from '../../../core/printable.ts'
import { usageError } from '../../../place/operation-error.ts'
import { INVOCATION } from '../../../place/words/command-line.ts'
import type { CommandContext } from '../../terminal/context.ts'
import { isShell, SCRIPTS } from './scripts.ts'

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
