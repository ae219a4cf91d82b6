// The page on the books names every column of the table of movements, in its order, and every state of a row.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MOVEMENT_COLUMNS, RowState } from '../../operations/movements/export/movement-row.ts'

const page = readFileSync('docs/books.md', 'utf8')

/** Names in code letters before the colons of the list below this line. */
function namesBelow(title: string): string[] {
  const [, list = ''] = page.slice(page.indexOf(`\n${title}\n`)).split('\n\n')
  const heads = list.split('\n').map((line) => line.split(/:| \(/)[0] ?? '')
  return heads.flatMap((head) => [...head.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''))
}

test('the page names every column in its order', () => {
  expect(namesBelow('Each column, with its source:')).toEqual([...MOVEMENT_COLUMNS])
})

test('the page names every state that only a row has', () => {
  expect(namesBelow('A `state` is one of:')).toEqual(expect.arrayContaining(Object.values(RowState)))
})
