// How long the pages may be that everybody reads.
import type { Finding } from './rules.ts'

interface Limit {
  readonly pages: RegExp
  readonly most: number
  readonly unit: string
  readonly count: (content: string) => number
}

const wordsOf = (content: string) => content.split(/\s+/).filter((word) => word !== '').length

const LIMITS: readonly Limit[] = [
  {
    pages: /^docs\/glossary\.md$/,
    most: 60,
    unit: 'terms',
    count: (content) => content.split('\n').filter((line) => line.startsWith('- ')).length,
  },
  { pages: /^README\.md$/, most: 900, unit: 'words', count: wordsOf },
  { pages: /^docs\/performance\.md$/, most: 900, unit: 'words', count: wordsOf },
  { pages: /^docs\/decisions\/\d{4}-/, most: 180, unit: 'words', count: wordsOf },
  { pages: /^CHANGELOG\.md$/, most: 12_000, unit: 'characters', count: (content) => content.length },
]

export function findPageFaults(files: readonly string[], read: (file: string) => string): readonly Finding[] {
  return files.flatMap((file) =>
    LIMITS.filter(({ pages }) => pages.test(file)).flatMap(({ most, unit, count }) => {
      const counted = count(read(file))
      return counted <= most
        ? []
        : [{ file, line: 1, rule: `at most ${most} ${unit} on this page`, words: `${counted}` }]
    }),
  )
}
