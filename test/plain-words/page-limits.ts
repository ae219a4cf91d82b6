// How long the pages may be that everybody reads.
import type { Finding } from './rules.ts'

interface Limit {
  readonly file: string
  readonly most: number
  readonly unit: string
  readonly count: (content: string) => number
}

const LIMITS: readonly Limit[] = [
  {
    file: 'docs/glossary.md',
    most: 60,
    unit: 'terms',
    // The title of the table is a row as well, and so is the line below it.
    count: (content) => content.split('\n').filter((line) => line.startsWith('|')).length - 2,
  },
]

export function findPageFaults(read: (file: string) => string): readonly Finding[] {
  return LIMITS.flatMap(({ file, most, unit, count }) => {
    const counted = count(read(file))
    return counted <= most ? [] : [{ file, line: 1, rule: `at most ${most} ${unit}`, words: `${counted}` }]
  })
}
