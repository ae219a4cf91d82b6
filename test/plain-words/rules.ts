// Holds the rules of plain English that a machine can check. Each rule says where a passage breaks it; CONTRIBUTING.md
// says why.
import type { Passage } from './passages.ts'

export interface Finding {
  readonly file: string
  readonly line: number
  readonly rule: string
  /** The words that break it. */
  readonly words: string
}

/** A reader whose first language is not English loses a longer sentence. */
const MOST_WORDS = 30

/** Words and turns that a reader stumbles over, and what to write in their place. */
const BANNED: readonly (readonly [RegExp, string])[] = [
  [/\btold\b/i, 'write reported, shown or known'],
  [/\bto whom\b/i, 'name who it is'],
  [/\bof before\b/i, 'write earlier or former'],
  [/\bby then\b/i, 'say at which time'],
  [/\bsuch as it is\b/i, 'write unchanged'],
  [/\bthat there (is|are)( not)?\b/i, 'write existing or known'],
  [/\b(is|are|was|were) none\b/i, 'name the thing that is missing'],
  [/\bno \w+ (that|which) (is|are|does|do|has|have) (not|no)\b/i, 'say what is, without two noes'],
  [/\bnot? (\w+ )?(un|in)(known|seen|told|able)\b/i, 'say what is, without two noes'],
  [/\bcomes? to (its|their|an) end\b/i, 'write ends'],
  [/\bclaims? that (it|nothing|no|the|a)\b/i, 'write says or states: a claim is a record (glossary)'],
  [/\breconcil(es?|ed|ing|iation)\b/i, 'the glossary calls it audit'],
  [/\bcame to (its|their|an) end\b/i, 'write ended'],
]

export function findingsIn(passage: Passage): readonly Finding[] {
  const { file, line, text } = passage
  const at = (rule: string, words: string): Finding => ({ file, line, rule, words: beginningOf(words) })
  const isComment = !file.endsWith('.md')
  const beginning = /^(Of|What) /.exec(text)
  return [
    ...(isComment && beginning !== null
      ? [at(`begin with the subject or the verb, not with "${beginning[1]}"`, text)]
      : []),
    ...sentencesOf(text).flatMap((sentence) => {
      const count = sentence.split(' ').length
      return count > MOST_WORDS ? [at(`${count} words in a sentence; at most ${MOST_WORDS}`, sentence)] : []
    }),
    ...BANNED.flatMap(([banned, instead]) => {
      const found = banned.exec(text)
      return found === null ? [] : [at(instead, text.slice(Math.max(0, found.index - 20)))]
    }),
  ]
}

/** A full stop inside a number, a name or an abbreviation ends no sentence. */
export function sentencesOf(text: string): readonly string[] {
  return text.split(/(?<=[.!?:;])\s+(?=["'(A-Z])/).filter((sentence) => sentence !== '')
}

function beginningOf(text: string): string {
  return text.length <= 90 ? text : `${text.slice(0, 90)}…`
}
