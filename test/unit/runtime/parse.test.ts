// Wrong input of a function is refused by its fields, without a value.
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { convertRequest } from '../../../core/contract/convert.ts'
import { Refused } from '../../../core/errors.ts'
import { parseWith } from '../../../core/parse.ts'

const REQUEST = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.1' }

function complaintOf(schema: z.ZodMiniType, input: unknown): string {
  try {
    parseWith(schema, input, 'input')
  } catch (error) {
    expect(error).toBeInstanceOf(Refused)
    return (error as Error).message
  }
  return expect.unreachable('it was taken')
}

test('valid input comes back unchanged', () => {
  expect(parseWith(convertRequest, REQUEST, 'input')).toEqual(REQUEST)
})

test('every wrong field is named with the expected value, and no value is shown', () => {
  const wrong = { ...REQUEST, side: 'canary', amount: 'canary', maxSlippageBps: 'canary', canaryKey: 'canary' }
  expect(complaintOf(convertRequest, wrong).split('; ')).toEqual([
    'input.side: expected BUY or SELL, of the base asset',
    expect.stringMatching(/^input\.amount: expected a plain decimal string/),
    'input.maxSlippageBps: expected a whole number of basis points from 0 to 9999',
    'input: unknown canaryKey',
  ])
})

test('a wrong element of a list is named with its place', () => {
  const schema = z.object({ fills: z.array(z.object({ id: z.string() })) })
  expect(complaintOf(schema, { fills: [{ id: 'a' }, { id: 2 }] })).toBe(
    'input.fills.1.id: expected a value of type string',
  )
})

test('input without any shape is refused as a whole', () => {
  expect(complaintOf(convertRequest, null)).toBe('input: expected a value of type object')
})

test('the message stays short, however many faults there are', () => {
  const unknown = Object.fromEntries(Array.from({ length: 9_000 }, (_, at) => [`${at}-${'k'.repeat(90)}`, 1]))
  expect(complaintOf(convertRequest, { ...REQUEST, ...unknown })).toMatch(/, and 8990 more$/)
  expect(complaintOf(convertRequest, { ...REQUEST, ...unknown }).length).toBeLessThan(600)
  const list = complaintOf(z.array(z.string()), new Array(9_000).fill(1))
  expect(list).toMatch(/; and 8990 more$/)
  expect(list.length).toBeLessThan(600)
})
