// Shows a case that waits for a person, and a halt in force: as a row for --csv and --columns, and as a block of named
// facts. Counts what needs a person, for every list that says whether anybody is needed. Pure.

import type { FirstResume } from '../core/journal/halts.ts'
import type { HaltFacts, Needs } from '../operations/cases/find-needs.ts'
import type { Column } from '../operations/words/column.ts'
import { scopeText } from '../operations/words/halt-words.ts'
import type { Spell } from '../place/next-step.ts'
import { recordLines } from './text/table.ts'

/** One row for every kind of case, for --csv and --columns. */
export interface WaitingRow {
  readonly waits: string
  readonly kind: string
  readonly state: string
  readonly asked: string
  readonly why: string
  readonly next: string
}

export const columns: readonly Column<WaitingRow>[] = [
  { title: 'waits', text: ({ waits }) => waits },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'state', text: ({ state }) => state },
  { title: 'asked', text: ({ asked }) => asked, isDetail: true },
  { title: 'why', text: ({ why }) => why, isDetail: true },
  { title: 'next', text: ({ next }) => next, isDetail: true },
]

/** Such as `  why        no execution of it is known`. */
export function fieldLines(name: string, text: string, width: number): string[] {
  const column = { title: name.padEnd('candidate'.length), text: () => text }
  return recordLines([column], undefined, width - INDENT.length).map((line) => `${INDENT}${line}`)
}

const INDENT = '  '

export function haltRow({ scope, by, because, at, breaker, firstWord, resume }: HaltFacts, spell: Spell): WaitingRow {
  const also = firstWord === undefined ? '' : `; ${firstWord.by} resumes it: ${missingText(firstWord)}`
  const why = `by ${by} since ${at}: ${because}${also}`
  return { waits: scopeText(scope), kind: 'halt', state: stateOf(breaker), asked: '', why, next: spell(resume) }
}

export function haltLines(
  { scope, by, because, at, breaker, firstWord, look, resume }: HaltFacts,
  width: number,
  spell: Spell,
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
    ...(breaker && look !== undefined ? field('first', spell({ ...look, why: 'what went wrong' })) : []),
    ...field('next', spell({ ...resume, why: 'when sending may continue' })),
  ]
}

/** After the first of two people has resumed. */
export function missingText({ until }: FirstResume): string {
  return `another person must resume it too, before ${until}`
}

function stateOf(breaker: boolean): string {
  return breaker ? 'breaker tripped: halted' : 'halted'
}

/** A doubt does not count: it becomes known by itself. */
export function countNeeds(needs: Omit<Needs, 'doubts' | 'onTheWay' | 'other' | 'cutOff'>): number {
  const { found, stalled, inNeed, unopened, unbegun, approvals, movements, halts, left, unreadable } = needs
  const stopped = [found, stalled, inNeed, unopened, unbegun, halts, left.stranded, unreadable]
  return [...stopped, approvals, movements].reduce((sum, list) => sum + list.length, 0)
}
