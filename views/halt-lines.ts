// Shows the halts in force, as the list of cases shows them: as a row for --csv and --columns, and as a block of named
// facts. Pure.
import type { FirstResume } from '../core/journal/halts.ts'
import type { HaltFacts } from '../operations/cases/find-needs.ts'
import { scopeText } from '../operations/words/halt-words.ts'
import { fieldLines, type WaitingRow } from './waiting.ts'

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
    ...field('next', `${resume}   # when sending may continue`),
  ]
}

/** After the first of two people has resumed. */
export function missingText({ until }: FirstResume): string {
  return `another person must resume it too, before ${until}`
}

function stateOf(breaker: boolean): string {
  return breaker ? 'breaker tripped: halted' : 'halted'
}
