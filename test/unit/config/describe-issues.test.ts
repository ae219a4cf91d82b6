import { describe, expect, test } from 'vitest'
import { convertRequest } from '../../../functions/contract/convert.ts'
import { describeIssues } from '../../../infra/describe-issues.ts'

const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.5' }

function findingsOf(changes: Record<string, unknown>): string[] {
  const parsed = convertRequest.safeParse({ ...request, ...changes }, { reportInput: true })
  return parsed.success ? [] : describeIssues(parsed.error, 'input', convertRequest)
}

test('input without a mistake has no findings', () => {
  expect(findingsOf({})).toEqual([])
})

test.each([
  ['a number', 5, 'got a number'],
  ['an exponent', '1e9', 'got "1e9"'],
  ['nothing', undefined, 'it is missing'],
  ['an empty text', '', 'got an empty text'],
])('an amount that is %s is answered with what an amount is', (_what, amount, found) => {
  expect(findingsOf({ amount })).toEqual([
    `input: amount: expected a plain decimal string such as "12.5" (at most 30 digits before the point and 18 after, no sign, no exponent); ${found}`,
  ])
})

test('a value outside a fixed set is answered with the set', () => {
  expect(findingsOf({ side: 'buy' })).toEqual(['input: side: expected BUY or SELL, of the base asset; got "buy"'])
})

test('a rule between two fields names the field at fault and what it holds', () => {
  expect(findingsOf({ amountAsset: 'ETH' })).toEqual([
    'input: amountAsset: expected one of the two legs: the baseAsset or the quoteAsset; got "ETH"',
  ])
})

test('an unknown key is answered with the nearest known one', () => {
  expect(findingsOf({ worstrate: '1' })).toEqual(['input: worstrate: unknown key; did you mean "worstRate"?'])
})

test('an unknown key near to none is answered with the known ones', () => {
  expect(findingsOf({ colour: 'red' })[0]).toMatch(
    /^input: colour: unknown key; remove it \(known here: baseAsset, .*\)$/,
  )
})

test('input that is no object at all is one finding', () => {
  const parsed = convertRequest.safeParse('BTC', { reportInput: true })
  expect(parsed.success ? [] : describeIssues(parsed.error, 'input', convertRequest)).toEqual([
    'input: the whole: expected an object; got "BTC"',
  ])
})

describe('what may be a secret is not quoted', () => {
  test.each([
    ['a service key', 'svc_live_0123456789abcdefABCDEF0123456789'],
    ['a short password', 'hunter2000'],
    ['a key block', '-----BEGIN PRIVATE KEY-----'],
    ['a token', 'eyJhbGciOiJFZERTQSJ9.e30.c2ln'],
  ])('%s in the wrong field', (_what, value) => {
    const [finding] = findingsOf({ amount: value })
    expect(finding).not.toContain(value)
    expect(finding).toContain(`got a text of ${value.length} characters`)
  })

  test('the value of an unknown key', () => {
    expect(findingsOf({ apiKey: 'swordfish' }).join()).not.toContain('swordfish')
  })
})
