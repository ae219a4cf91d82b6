// Holds the glossary against the code: each term must occur at the place that its line names.
import type { Finding } from './rules.ts'

const GLOSSARY = 'docs/glossary.md'

interface Row {
  readonly term: string
  readonly places: readonly string[]
  readonly line: number
}

/** One finding for each place that does not exist, or does not contain the term as a word or inside a name. */
export function findGlossaryFaults(files: readonly string[], read: (file: string) => string): readonly Finding[] {
  if (!files.includes(GLOSSARY)) return []
  return rowsOf(read(GLOSSARY)).flatMap(({ term, places, line }) =>
    places.flatMap((place) => {
      const there = files.filter((file) => file === place || (place.endsWith('/') && file.startsWith(place)))
      if (there.length === 0) return [{ file: GLOSSARY, line, rule: 'name a place that exists', words: place }]
      const isUsed = there.some((file) => patternOf(term).test(read(file)))
      return isUsed
        ? []
        : [{ file: GLOSSARY, line, rule: `use the term at its place, or name another`, words: `${term}: ${place}` }]
    }),
  )
}

function rowsOf(glossary: string): readonly Row[] {
  return glossary.split('\n').flatMap((text, index) => {
    const [, term = '', where = ''] = /^- (.+?) \((.*?)\): /.exec(text) ?? []
    const places = [...where.matchAll(/`([^`]+)`/g)].map(([, place]) => place as string)
    return places.length === 0 ? [] : [{ term, places, line: index + 1 }]
  })
}

/** `certified zero` also matches `certifiedZero` and `certified-zero`. Of several terms in one row, the first counts. */
function patternOf(term: string): RegExp {
  const [first = ''] = term.split(',')
  const words = first
    .trim()
    .split(' ')
    .filter((word) => !['of', 'an', 'a'].includes(word))
  return new RegExp(words.map((word) => word.replace(/[^\p{L}\p{N}]/gu, '.')).join('.{0,4}?'), 'isu')
}
