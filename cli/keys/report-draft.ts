// Prints the result of a command that made a draft of a key.

import type { Draft, DraftFlags } from '../../operations/keys/draft.ts'
import { nextCommand } from '../../operations/keys/key-failure.ts'
import type { CommandContext } from '../terminal/context.ts'

/** Prints the draft and the next commands to standard error. `what` names the draft; `first` is the first next step. */
export function reportDraft(
  draft: Draft,
  { what, first }: { readonly what: string; readonly first: string },
  flags: DraftFlags,
  output: CommandContext['output'],
): void {
  output.note(`${what}: ${draft.secretName} has it as AWSPENDING, version ${draft.versionId}, key ${draft.prefix}`)
  output.next([first, nextCommand('verify', flags)])
}
