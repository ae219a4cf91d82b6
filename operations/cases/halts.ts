// The halts in force, as attention shows them: who halted what, why and since when, and how it goes on. A breaker that
// tripped is a halt of its policy, by the breaker. Pure.
import type { Treasury } from '../../core/contract/treasury.ts'
import { EVERYTHING, type FirstWord, type Halt } from '../../core/journal/halts.ts'
import { type ConnectionFlags, commandIn } from '../words/command-line.ts'
import { isBreaker, resumeCommand } from '../words/halt-words.ts'

/** What `--json` prints of a halt. */
export interface HaltFacts extends Halt {
  /** The policy halted itself. */
  readonly breaker: boolean
  /** The word of the first of two people to resume it: another person is missing. */
  readonly firstWord?: FirstWord
  /** What to do first. */
  readonly look?: string
  /** The command that lets sending go on. */
  readonly resume: string
}

export function haltFacts(
  halt: Halt,
  firstWord: FirstWord | undefined,
  { policies }: Treasury,
  flags: ConnectionFlags,
): HaltFacts {
  const { scope } = halt
  // A policy that was renamed is halted under its old name too, and resumed by its new one.
  const renamed = Object.entries(policies).find(([, { was }]) => was === scope)?.[0]
  const policy = renamed ?? scope
  return {
    ...halt,
    breaker: isBreaker(halt),
    ...(firstWord && { firstWord }),
    ...(scope !== EVERYTHING && { look: commandIn(`runs list --policy ${scope}`, flags) }),
    resume: resumeCommand(policy, flags),
  }
}
