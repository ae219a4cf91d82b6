// Each sentence about money of docs/architecture.md stands on a fact, which the function that the page names decides.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.join(import.meta.dirname, '../..')
const PAGE = readFileSync(path.join(ROOT, 'docs/architecture.md'), 'utf8')
const [, SECTION = ''] = PAGE.split('## What a sentence about money stands on\n')
const LINES = (SECTION.split('\n## ')[0] ?? '').split('\n').filter((line) => line.startsWith('- '))

/** The text of a file, or of all files of a folder. */
function textOf(where: string): string {
  const full = path.join(ROOT, where)
  if (!statSync(full).isDirectory()) return readFileSync(full, 'utf8')
  return readdirSync(full)
    .filter((name) => name.endsWith('.ts'))
    .map((name) => readFileSync(path.join(full, name), 'utf8'))
    .join('\n')
}

test('the page has the sentences about money', () => {
  expect(LINES.length).toBeGreaterThanOrEqual(9)
})

test.each(LINES)('%s', (line) => {
  const [, says, fact, name = '', place] = /^- (.+): (.+) \(`(\w+)`(?:, `([\w/.-]+)`| there)\)$/.exec(line) ?? []
  expect({ says, fact }).toEqual({ says: expect.any(String), fact: expect.any(String) })
  const before = LINES.slice(0, LINES.indexOf(line)).findLast((each) => /`\)$/.test(each))
  const where = place ?? /, `([\w/.-]+)`\)$/.exec(before ?? '')?.[1] ?? ''
  expect(textOf(where)).toMatch(new RegExp(`\\b(?:function|const) ${name}\\b`))
})
