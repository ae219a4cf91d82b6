// The halts in force, as attention shows them: who halted what, why and since when, and how it goes on. A breaker that
// tripped is a halt of its policy, by the breaker. Pure.
import type { Treasury } from '../../core/contract/treasury.ts'
import { EVERYTHING, type FirstWord, type Halt } from '../../core/journal/halts.ts'
import { isBreaker, resumeCommand, scopeText } from '../halt/halt-words.ts'
import { commandIn, type TargetFlags } from '../terminal/command-line.ts'
import { fieldLines, type WaitingRow } from './waiting.ts'

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
  flags: TargetFlags,
): HaltFacts {
  const { scope } = halt
  // A policy that was renamed is halted under its old name too, and resumed by its new one.
  const renamed = Object.entries(policies).find(([, { was }]) => was === scope)?.[0]
  const policy = renamed ?? scope
  return {
    ...halt,
    breaker: isBreaker(halt),
    ...(firstWord && { firstWord }),
    ...(scope !== EVERYTHING && { look: commandIn(`runs --policy ${scope}`, flags) }),
    resume: resumeCommand(policy, flags),
  }
}

export function haltRow({ scope, by, because, at, breaker, firstWord, resume }: HaltFacts): WaitingRow {
  const also = firstWord === undefined ? '' : `; ${firstWord.by} resumes it: ${missingText(firstWord)}`
  const why = `by ${by} since ${at}: ${because}${also}`
  return { waits: scopeText(scope), kind: 'halt', state: stateOf(breaker), asked: '', why, next: resume }
}

export function haltLines(
  { scope, by, because, at, breaker, firstWord, look, resume }: HaltFacts,
  width: number,
): string[] {
  const field = (name: string, text: string) => fieldLines(name, text, width)
  return [
    `${scopeText(scope)}  ${stateOf(breaker)}`,
    ...field('by', by),
    ...field('since', at),
    ...field('why', because),
    ...(firstWord === undefined
      ? []
      : [
          ...field('resumes', `${firstWord.by} at ${firstWord.at}: ${firstWord.because}`),
          ...field('missing', missingText(firstWord)),
        ]),
    ...(breaker && look !== undefined ? field('first', `${look}   # what went wrong`) : []),
    ...field('next', `${resume}   # when sending may go on`),
  ]
}

/** After the word of the first of two people. */
export function missingText({ until }: FirstWord): string {
  return `another person must resume it too, before ${until}`
}

function stateOf(breaker: boolean): string {
  return breaker ? 'breaker tripped: halted' : 'halted'
}
