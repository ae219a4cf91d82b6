import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readCounts } from '../../bench/scale/counts.ts'
import { drawScale, SCALE_PAGE } from '../../bench/scale/page.ts'

const page = readFileSync(SCALE_PAGE, 'utf8')

test('the tables of docs/scale.md are what `npm run docs:scale` draws', () => {
  expect(drawScale(page, readCounts())).toBe(page)
})

test('a page without a place for a table is refused, with the places', () => {
  expect(() => drawScale(page.replace('<!-- table lines -->', ''), readCounts())).toThrow(
    /has places for quotas, shares/,
  )
})
