// Tells what a draft of a key is, and what comes next.

import type { Draft, DraftFlags } from '../../operations/keys/draft.ts'
import { nextCommand } from '../../operations/keys/key-failure.ts'
import type { CommandContext } from '../terminal/context.ts'

/** Says on standard error what a draft is, and what comes next. */
export function reportDraft(
  draft: Draft,
  { what, first }: { readonly what: string; readonly first: string },
  flags: DraftFlags,
  output: CommandContext['output'],
): void {
  output.note(`${what}: ${draft.secretName} has it as AWSPENDING, version ${draft.versionId}, key ${draft.prefix}`)
  output.next([first, nextCommand('verify', flags)])
}
