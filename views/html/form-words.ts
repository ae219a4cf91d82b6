// Names the options of an error as the form does that a person filled in. Pure.
import { type Part, partsOf, type Spell } from '../../place/next-step.ts'

const LABELS: ReadonlyMap<string, string> = new Map([
  ['from', 'From'],
  ['to', 'Until right before'],
  ['zone', 'Time zone'],
  ['asset', 'Asset'],
  ['since', 'Since'],
  ['before', 'Before'],
  ['policy', 'Policy'],
  ['payee', 'Payee'],
  ['person', 'Person'],
  ['outcome', 'State'],
  ['kind', 'Kind'],
  ['did', 'Did'],
])

/** `spell`: for steps, and for options without a field. */
export function inFormWords(spell: Spell): Spell {
  const labelled = (part: Part): Part => {
    const label = typeof part !== 'string' && 'option' in part ? LABELS.get(part.option) : undefined
    return label === undefined ? part : `"${label}"`
  }
  return (told) => spell(partsOf(told).map(labelled))
}
