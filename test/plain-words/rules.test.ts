// The check of plain words finds what is hard to read, and leaves plain sentences alone.
import { expect, test } from 'vitest'
import { findGlossaryFaults } from './glossary.ts'
import { findPageFaults } from './page-limits.ts'
import { passagesOf } from './passages.ts'
import { findingsIn } from './rules.ts'

const findingsOf = (file: string, content: string) => passagesOf(file, content).flatMap(findingsIn)

test.each([
  '// Of a halt. More people than this do not press it',
  '/** What an answer promised, or an error: of the answer where it is no success */',
  '// A world that there is not is refused with the names of the others.',
  '// It is told once.',
  '// To whom no intent is known.',
  '// A release of before carries it on.',
  `// ${'word '.repeat(31)}.`,
])('found: %s', (comment) => {
  expect(findingsOf('file.ts', `const before = 1\n${comment}\nconst after = 2\n`)).toMatchObject([
    { file: 'file.ts', line: 2 },
  ])
})

test.each([
  '// An older release copies this field, so it then describes an earlier version.',
  '/** Maximum waiting runs; more than one in case one crashes. */',
  '/**\n * Decodes the body.\n * @throws Refused for a failure status\n */',
  `// ${'word '.repeat(29)}end. ${'Word '.repeat(29)}end.`,
  '// biome-ignore lint/x: told by somebody else',
  '// Of course. plain-words-ignore: a quotation of the service',
  "const text = 'it was told' // is code",
])('left alone: %s', (code) => {
  expect(findingsOf('file.ts', `${code}\n`)).toEqual([])
})

test('lines of one comment are one passage, and a sentence may go over several', () => {
  expect(passagesOf('file.ts', '  // Reads the row,\n  // and closes it.\nlet x\n// Another.\n')).toEqual([
    { file: 'file.ts', line: 1, lines: 2, text: 'Reads the row, and closes it.' },
    { file: 'file.ts', line: 4, lines: 1, text: 'Another.' },
  ])
})

test('paragraphs and items of a page are passages; code, tables, titles and marked paragraphs are none', () => {
  const page = [
    '# Told',
    'First [line](told.md),',
    'second `told` line.',
    '- An item.',
    '',
    '| told | table |',
    '```',
    'told code',
    '```',
    '<!-- plain-words-ignore: a quotation -->',
    'It was told.',
    '',
    'It was told again.',
  ].join('\n')
  expect(passagesOf('page.md', page).map(({ text }) => text)).toEqual([
    'First line, second CODE line.',
    'An item.',
    'It was told again.',
  ])
  expect(findingsOf('page.md', page)).toMatchObject([{ line: 13, rule: 'write reported, shown or known' }])
})

test('a page that is longer than it may be is found, with its length', () => {
  const pages: Readonly<Record<string, string>> = {
    'docs/decisions/0001-a.md': 'word '.repeat(180),
    'docs/decisions/0002-b.md': 'word '.repeat(181),
    'docs/glossary.md': '- term\n'.repeat(61),
  }
  expect(findPageFaults(Object.keys(pages), (file) => pages[file] ?? '')).toMatchObject([
    { file: 'docs/decisions/0002-b.md', words: '181' },
    { file: 'docs/glossary.md', words: '61' },
  ])
})

test('a term of the glossary is found whose place does not exist, or does not use it', () => {
  const pages: Readonly<Record<string, string>> = {
    'docs/glossary.md': [
      '- certified zero (`core/a.ts`): A proof.',
      '- fence (`core/b.ts`): A moment.',
      '- lane (`core/journal/`): A right.',
    ].join('\n'),
    'core/a.ts': 'export function certifiedZeroOf() {}',
    'core/journal/turns.ts': '// One withdrawal at a time.',
  }
  expect(findGlossaryFaults(Object.keys(pages), (file) => pages[file] ?? '')).toMatchObject([
    { line: 2, words: 'core/b.ts' },
    { line: 3, words: 'lane: core/journal/' },
  ])
})
