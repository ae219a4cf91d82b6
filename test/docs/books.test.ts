// The page on the books names every column of the table of movements, in its order, and every state of a row.
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { MOVEMENT_COLUMNS, RowState } from '../../operations/movements/export/movement-row.ts'

const page = readFileSync('docs/books.md', 'utf8')

/** Names in code letters in the first cells of the table with this title. */
function firstCells(title: string): string[] {
  const table = page.slice(page.indexOf(`| ${title} |`)).split('\n\n')[0] ?? ''
  const cells = table.split('\n').map((line) => line.split('|')[1] ?? '')
  return cells.flatMap((cell) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name ?? ''))
}

test('the page names every column in its order', () => {
  expect(firstCells('column')).toEqual([...MOVEMENT_COLUMNS])
})

test('the page names every state that only a row has', () => {
  expect(firstCells('state')).toEqual(expect.arrayContaining(Object.values(RowState)))
})
