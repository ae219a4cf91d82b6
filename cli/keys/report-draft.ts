// Tells what a draft of a key is, and what comes next.
import type { CommandContext } from '../terminal/context.ts'
import { nextCommand } from './key-failure.ts'
import type { DraftFlags, Draft } from './draft.ts'

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
