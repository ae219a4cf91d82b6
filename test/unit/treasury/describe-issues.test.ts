// A mistake in a file is named by its field with the expected value, and no secret is quoted.
import { describe, expect, test } from 'vitest'
import type * as z from 'zod/mini'
import { convertRequest } from '../../../core/contract/convert.ts'
import { runRequest } from '../../../core/contract/runs.ts'
import { treasury } from '../../../core/contract/treasury.ts'
import { checkInput } from '../../../core/treasury/describe-issues.ts'

const request = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'BTC', amount: '0.5' }

function findingsOf(changes: Record<string, unknown>): readonly string[] {
  return wrongWith(convertRequest, { ...request, ...changes }, 'input')
}

function wrongWith(schema: z.ZodMiniType, input: unknown, root: string): readonly string[] {
  const checked = checkInput(schema, input, root)
  return 'findings' in checked ? checked.findings : []
}

test('input without a mistake has no findings', () => {
  expect(findingsOf({})).toEqual([])
})

test.each([
  ['a number', 5, 'got a number'],
  ['an exponent', '1e9', 'got "1e9"'],
  ['nothing', undefined, 'it is missing'],
  ['an empty text', '', 'got an empty text'],
])('an amount that is %s is answered with the definition of an amount', (_what, amount, found) => {
  expect(findingsOf({ amount })).toEqual([
    `input: amount: expected a plain decimal string such as "12.5" (at most 30 digits before the point and 18 after, no sign, no exponent); ${found}`,
  ])
})

test('a value outside a fixed set is answered with the set', () => {
  expect(findingsOf({ side: 'buy' })).toEqual(['input: side: expected BUY or SELL, of the base asset; got "buy"'])
})

test('a rule between two fields names the field at fault and its value', () => {
  expect(findingsOf({ amountAsset: 'ETH' })).toEqual([
    'input: amountAsset: expected one of the two legs: the baseAsset or the quoteAsset; got "ETH"',
  ])
})

test('the finding of an unknown key suggests the nearest known key', () => {
  expect(findingsOf({ worstrate: '1' })).toEqual(['input: worstrate: unknown key; did you mean "worstRate"?'])
})

test('the finding of an unknown key that resembles no known key lists the known keys', () => {
  expect(findingsOf({ colour: 'red' })[0]).toMatch(
    /^input: colour: unknown key; remove it \(known here: baseAsset, .*\)$/,
  )
})

test('input that is no object gives one finding', () => {
  expect(wrongWith(convertRequest, 'BTC', 'input')).toEqual(['input: the whole: expected an object; got "BTC"'])
})

describe('possible secrets are not quoted', () => {
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

describe('a mistake within a policy is reported like one at the top', () => {
  const service = { url: 'https://a.example', stage: 'test' }
  const rule = { assets: ['BTC'], contactId: 'c-1' }

  function findingsOfPolicy(policy: unknown): readonly string[] {
    return wrongWith(treasury, { service, policies: { nightly: policy } }, 'treasury.json')
  }

  test.each([
    [{ kind: 'sweep', rulez: [], rules: [rule] }, 'policies.nightly.rulez: unknown key; did you mean "rules"?'],
    [
      { kind: 'sweep', rules: [{ ...rule, feeMod: 'add' }] },
      'policies.nightly.rules[0].feeMod: unknown key; did you mean "feeMode"?',
    ],
    [
      { kind: 'sweep', rules: [rule, { ...rule, keep: { targt: '1' } }] },
      'policies.nightly.rules[1].keep.targt: unknown key; did you mean "target"?',
    ],
    [
      { kind: 'sweep', rules: [rule], guards: { assets: { BTC: { daly: '1' } } } },
      'policies.nightly.guards.assets.BTC.daly: unknown key; did you mean "daily"?',
    ],
    [{ kind: 'rebalance', weights: {}, bnd: {} }, 'policies.nightly.bnd: unknown key; did you mean "band"?'],
  ])('%j', (policy, fault) => {
    expect(findingsOfPolicy(policy)).toEqual([`treasury.json: ${fault}`])
  })

  test('an unknown kind is answered with the kinds, and with the nearest', () => {
    expect(findingsOfPolicy({ kind: 'sweeep', rules: [rule] })).toEqual([
      'treasury.json: policies.nightly.kind: expected rebalance or fund or convert-on-arrival or sweep or convert-and-withdraw or payouts; got "sweeep"; did you mean "sweep"?',
    ])
    expect(findingsOfPolicy({ rules: [rule] })[0]).toMatch(/kind: expected rebalance or .*; it is missing$/)
  })

  test('a field of the wrong type is answered with its own expectation', () => {
    expect(findingsOfPolicy({ kind: 'rebalance', weights: { BTC: 0.5, USD: '0.5' } })).toEqual([
      'treasury.json: policies.nightly.weights.BTC: expected a plain decimal string such as "12.5" (at most 30 digits before the point and 18 after, no sign, no exponent); got a number',
    ])
  })

  test.each([
    ['My Sweep', 'at most 48 lower-case letters, digits and dashes'],
    // Rules of the file would not hold for its runs: the steps would take it for a policy of a request.
    ['inline-1a2b3c4d', 'another beginning than "inline-", which policies in requests have'],
  ])('the impossible name %s is answered with the definition of a name', (name, expected) => {
    const input = { service, policies: { [name]: { kind: 'sweep', rules: [rule] } } }
    expect(wrongWith(treasury, input, 'treasury.json')).toEqual([
      expect.stringContaining(`treasury.json: policies.${name}: expected a name as follows: ${expected}; got `),
    ])
  })
})

describe('a policy in the input of a run, which may be a name or a policy', () => {
  test.each([
    [{ kind: 'sweep', rulez: [], rules: [] }, 'policy.rules: expected at least 1 entries; got a list'],
    [{ kind: 'sweep' }, 'policy.rules: expected a list; it is missing'],
    ['My Sweep', 'policy: expected at most 48 lower-case letters, digits and dashes; got "My Sweep"'],
    [5, 'policy: expected a text or an object; got 5'],
  ])('%j', (policy, fault) => {
    expect(wrongWith(runRequest, { policy }, 'input')).toContain(`input: ${fault}`)
  })
})
