// The links, files, npm scripts and commands of `sluice` in the docs exist.
import { existsSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commandNamed, flagsOf } from './commands.ts'
import { anchorsOf, codeWordsOf, linksOf, type Page, pages, ROOT, repoFiles } from './pages.ts'

const folders = repoFiles.filter((file) => !file.includes('/') && statSync(path.join(ROOT, file)).isDirectory())
const names = new Set(repoFiles.map((file) => path.basename(file)))

/** The items found in all pages, each with its page. */
function itemsOf(of: (page: Page) => readonly string[]): { readonly page: Page; readonly what: string }[] {
  return pages.flatMap((page) => [...new Set(of(page))].map((what) => ({ page, what })))
}

function linesOf(wrong: readonly { readonly page: Page; readonly what: string }[]): string[] {
  return wrong.map(({ page, what }) => `${page.file}: ${what}`)
}

test('every relative link leads to a file, and to a heading in it', () => {
  const wrong = itemsOf(linksOf).filter(({ page, what }) => {
    const [file = '', anchor] = what.split('#')
    const target = file === '' ? page.file : path.posix.join(path.dirname(page.file), file)
    if (!existsSync(path.join(ROOT, target))) return true
    const headings = pages.find((one) => one.file === target)
    return anchor !== undefined && headings !== undefined && !anchorsOf(headings).includes(anchor)
  })
  expect(linesOf(wrong)).toEqual([])
})

test('every section of a page, and every decision, that the source names exists', () => {
  const sources = repoFiles.filter((file) => /^(?!test\/).*\.(ts|cjs|mjs)$/.test(file))
  const named = sources.flatMap((file) => {
    // A comment may break the line within a name.
    const text = readFileSync(path.join(ROOT, file), 'utf8').replace(/\n\s*(?:\/\/|\*)?\s*/g, ' ')
    const sections = [...text.matchAll(/\b(docs\/[\w/-]+\.md)(?:, "([^"]+)"|#([a-z][a-z0-9-]*))/g)].map(
      ([what, page = '', heading, anchor]) => ({ what, exists: hasSection(page, anchor ?? anchorOf(heading ?? '')) }),
    )
    const decisions = [...text.matchAll(/\b(?:[Dd]ecision |docs\/decisions\/)(\d+)/g)].map(([what, number = '']) => ({
      ...{ what, exists: [...names].some((name) => name.startsWith(`${number.padStart(4, '0')}-`)) },
    }))
    return [...sections, ...decisions].map((each) => ({ ...each, file }))
  })
  expect(named.length).toBeGreaterThan(50)
  expect(named.filter(({ exists }) => !exists).map(({ file, what }) => `${file}: ${what}`)).toEqual([])
})

const anchorOf = (heading: string) => anchorsOf({ file: '', text: `# ${heading}` })[0] ?? ''

function hasSection(file: string, anchor: string): boolean {
  const page = pages.find((one) => one.file === file)
  return page !== undefined && anchorsOf(page).includes(anchor)
}

test('every decision that a page names has the number of the page behind its link', () => {
  const wrong = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\[[Dd]ecision\s+(\d+)\]\(([^)]+)\)/g)]
      .filter(([, number = '', target = '']) => !path.basename(target).startsWith(number.padStart(4, '0')))
      .map(([what]) => `${file}: ${what}`),
  )
  expect(wrong).toEqual([])
})

test('every path of the repository in backticks exists', () => {
  const isPath = (word: string) => folders.some((folder) => word.startsWith(`${folder}/`)) && !/[<{*…]/.test(word)
  const paths = itemsOf(codeWordsOf).filter(({ what }) => isPath(what))
  expect(paths.length).toBeGreaterThan(40)
  expect(linesOf(paths.filter(({ what }) => !existsSync(path.join(ROOT, what.replace(/[.,:;]$/, '')))))).toEqual([])
})

test('every TypeScript file in backticks exists', () => {
  const named = itemsOf(codeWordsOf).filter(({ what }) => /^[\w./-]+\.ts$/.test(what))
  expect(linesOf(named.filter(({ what }) => !names.has(path.basename(what))))).toEqual([])
})

test('every decision has a number of its own and a status with its date, and is in the index', () => {
  const decisions = pages.filter(({ file }) => /^docs\/decisions\/\d{4}-/.test(file))
  const index = pages.find(({ file }) => file === 'docs/decisions/README.md')?.text
  expect(decisions.length).toBeGreaterThan(20)
  const numbers = decisions.map(({ file }) => path.basename(file).slice(0, 4))
  expect(numbers.filter((number, nth) => numbers.indexOf(number) !== nth)).toEqual([])
  for (const { file, text } of decisions) {
    const [, status] = /^# \d+\. .+\n\n(.+)\.\n/.exec(text) ?? []
    expect(status, file).toMatch(/^(Accepted|Superseded by \d+), \d{4}-\d\d-\d\d(; amended \d{4}-\d\d-\d\d)?$/)
    expect(index).toContain(`](${path.basename(file)})`)
  }
})

test('every named npm script is in package.json', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'))
  const named = itemsOf(({ text }) =>
    [...text.matchAll(/\bnpm run (?:-s )?([a-z][a-z:-]*)/g)].map(([, name = '']) => name),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(linesOf(named.filter(({ what }) => scripts[what] === undefined))).toEqual([])
})

test('git ignores every file that a page asks a person to write or to pass to a command, because some hold keys', () => {
  const ignored = readFileSync(path.join(ROOT, '.gitignore'), 'utf8').split('\n')
  const files = itemsOf(({ text }) =>
    [...text.matchAll(/(?:> |--?out |--keys |--input |--config |file:\/\/)([\w-]+\.(?:json|pem|txt))\b/g)].map(
      ([, name = '']) => name,
    ),
  )
  expect(files.map(({ what }) => what)).toEqual(expect.arrayContaining(['keys.json', 'key.json', 'key.pem']))
  expect(
    linesOf(
      files.filter(({ what }) => ![what, `/${what}`, `*${path.extname(what)}`].some((line) => ignored.includes(line))),
    ),
  ).toEqual([])
})

test('every named option belongs to its command of sluice', () => {
  // One command for each line. Text after a pipe, an `&&` or a `#` is another command.
  const commands = itemsOf(({ text }) =>
    [...text.matchAll(/(?:npx sluice |`sluice )([a-z][^`\n#|&…]*)(?=[`\n#&])/g)].map(([, words = '']) =>
      words.replace(/ -- .*/, '').trim(),
    ),
  )
  const wrong = commands.filter(({ what }) => {
    const given = what.split(/\s+/).flatMap((word) => /^--[a-z][a-z-]*/.exec(word)?.[0] ?? [])
    return commandNamed(what) !== undefined && given.some((option) => !flagsOf(what).includes(option))
  })
  expect(commands.length).toBeGreaterThan(100)
  expect(linesOf(wrong)).toEqual([])
})

test('every incident of the runbook is a drill, with its transcript', () => {
  const [, incidents = ''] = /^## Incidents\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(
    readFileSync(path.join(ROOT, 'docs/runbook.md'), 'utf8'),
  ) ?? ['', '']
  const headings = [...incidents.matchAll(/^### (.+)$/gm)].map(([, heading = '']) => heading)
  expect(headings.length).toBeGreaterThan(2)
  const drills = readFileSync(path.join(ROOT, 'docs/drills/README.md'), 'utf8')
  for (const heading of headings) {
    const file = `${heading.toLowerCase().replace(/[^a-z]+/g, '-')}.md`
    expect(drills).toContain(`(${file})`)
    expect(existsSync(path.join(ROOT, 'docs/drills', file)), file).toBe(true)
  }
})
