// Prints a new draft of a key: its secret, version and prefix. It must not print the key itself.

import type { Draft, DraftFlags } from '../../operations/keys/draft.ts'
import { nextCommand } from '../../operations/keys/key-failure.ts'
import type { CommandContext } from '../terminal/context.ts'

/** Prints to standard error. `what`: words for the draft, such as "new bearer secret". `first`: the next command before `verify`. */
export function reportDraft(
  draft: Draft,
  { what, first }: { readonly what: string; readonly first: string },
  flags: DraftFlags,
  output: CommandContext['output'],
): void {
  output.note(`${what}: ${draft.secretName} has it as AWSPENDING, version ${draft.versionId}, key ${draft.prefix}`)
  output.next([first, nextCommand('verify', flags)])
}
