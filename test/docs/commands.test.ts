// Each named command exists under its nested name, in pages, hints, help, alarms and notices.

import { expect, test } from 'vitest'
import { HINTS } from '../../cli/service/hints.ts'
import { type QueryDefinition, queries } from '../../operations/service/queries.ts'
import { commandNamed, namedIn, namedInSource, nouns } from './commands.ts'
import { pages } from './pages.ts'

test.each([
  ['movements show invoice-2041 --sentences', 'movements show'],
  ['events dead-letters drop ID', 'events dead-letters drop'],
  ['runs', 'runs'],
  ['runs --watch', 'runs'],
  ['service contacts rename ID', 'service contacts rename'],
  ['service orders ID', 'service orders'],
  ['attention', undefined],
  ['runs explain', undefined],
  ['events letters list', undefined],
])('%s is the command %s', (words, expected) => {
  expect(commandNamed(words)).toBe(expected)
})

test.each([
  ['`look: sluice cases list --aws`', ['cases list']],
  [`\`\${INVOCATION} proof check FILE\``, ['proof check']],
  [`commandIn(isOne ? 'attention' : \`runs show \${runId}\`, flags)`, ['attention', 'runs show']],
  [`commands: ['cases list', \`movements show \${id}\`]`, ['cases list', 'movements show']],
  ['where sluice is on the PATH', []],
])('%s names %j', (text, expected) => {
  expect(namedIn(text)).toEqual(expected)
})

test('every command that the source names exists', () => {
  const named = namedInSource()
  expect(named.length).toBeGreaterThan(200)
  const wrong = named.filter(({ what }) => commandNamed(what) === undefined)
  expect(wrong.map(({ file, what }) => `${file}: ${what}`)).toEqual([])
})

test('the next steps and examples of a service query are commands', () => {
  const withForms = (query: QueryDefinition): QueryDefinition[] => [query, ...(query.form ? [query.form.query] : [])]
  const named = queries.flatMap(withForms).flatMap(({ name }) => [HINTS[name].example, ...HINTS[name].next])
  expect(named.filter((what) => commandNamed(what) === undefined)).toEqual([])
})

/** Checks of `setup doctor` that begin with a noun. */
const CHECKS: readonly string[] = ['journal policy']

test("every command that a page names exists, even if the program's name is left out", () => {
  const wrong = pages
    .filter(({ file }) => file !== 'CHANGELOG.md')
    .flatMap(({ file, text }) => {
      const named = [...text.matchAll(/(?:npx sluice |`sluice )([a-z][^`\n#|&…]*)/g)]
      const alone = [...text.matchAll(/`([a-z-]+ [a-z][^`\n]*)`/g)].filter(
        ([, what = '']) => nouns.includes(what.split(' ')[0] ?? '') && !CHECKS.includes(what),
      )
      return [...named, ...alone].map(([, what = '']) => ({ file, what }))
    })
    .filter(({ what }) => commandNamed(what.trim()) === undefined)
  expect(wrong.map(({ file, what }) => `${file}: ${what}`)).toEqual([])
})
