// Other people's text cannot flood a page: it is cut visibly, and piled marks are flat.
import { expect, test } from 'vitest'
import { bounded } from '../../../../views/html/markup.ts'

test('a text is cut between characters, and says how much is left out', () => {
  expect(bounded('a'.repeat(1_000))).toBe('a'.repeat(1_000))
  expect(bounded(`${'a'.repeat(999)}😀b`)).toBe(`${'a'.repeat(999)}… (3 characters more)`)
})

test('a pile of marks on one letter is flat, and the marks of scripts stay', () => {
  expect(bounded(`a${'\u0301'.repeat(5_000)}b`)).toBe(`a${'\u0301'.repeat(8)}…b`)
  expect(bounded('ก็่ นี้ ฐฺ้ é')).toBe('ก็่ นี้ ฐฺ้ é')
})
