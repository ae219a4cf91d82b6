// A person finds a request by an amount, an asset or a payee, however it is typed.
import { expect, test } from 'vitest'
import { isFoundIn } from '../../../../operations/movements/request-row.ts'

test.each([
  ['83 948.51', true],
  ['83,948.51', true],
  ['83948', true],
  ['USDC', true],
  ['Subsidiary', true],
  ['', true],
  ['8 3948', false],
  ['84948', false],
])('a person who types "%s" finds a send of 83948.51 USDC: %s', (typed, isFound) => {
  expect(isFoundIn(['wd-1', 'send 83948.51 usdc', 'to subsidiary'], typed)).toBe(isFound)
})
