// Describes the halts in force, as the list of needs shows them: who halted what, why, since when, and how to resume. A
// breaker that tripped is a halt of its policy, by the breaker. Pure.
import type { Treasury } from '../../core/contract/treasury.ts'
import { EVERYTHING, type FirstResume, type Halt } from '../../core/journal/halts.ts'
import { type ConnectionFlags, commandIn } from '../../place/words/command-line.ts'
import { isBreaker, resumeCommand } from '../words/halt-words.ts'

/** A halt in the output of `--json`. */
export interface HaltFacts extends Halt {
  readonly breaker: boolean
  /** The first of the two decisions that resume it. Another person has to decide the same. */
  readonly firstWord?: FirstResume
  /** The command to look at first. */
  readonly look?: string
  readonly resume: string
}

export function haltFacts(
  halt: Halt,
  firstWord: FirstResume | undefined,
  { policies }: Treasury,
  flags: ConnectionFlags,
): HaltFacts {
  const { scope } = halt
  // A renamed policy is also halted under its old name, and is resumed by its new one.
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
