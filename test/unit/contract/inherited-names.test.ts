// Tests names that every object of the language inherits. A policy, an asset or a contact with such a name would find a
// value that nobody put there, or be lost silently. These names are refused by name wherever a record is read.
import { describe, expect, test } from 'vitest'
import { policy } from '../../../core/contract/policies.ts'
import { runRequest } from '../../../core/contract/runs.ts'
import { withdrawRequest } from '../../../core/contract/withdraw.ts'
import { parseWith } from '../../../core/parse.ts'
import { readRequest } from '../../../core/runs/record/request.ts'
import { ConfigError, parseTreasury } from '../../../core/treasury/config.ts'

const REFUSED = /expected (a name as follows: )?another name than "[A-Za-z_]+"/
const service = '"service":{"url":"https://api.example.com","stage":"test"}'
const mix = '{"kind":"rebalance","weights":{"A":"1"}}'

function findingsOf(text: string): string {
  try {
    parseTreasury(text)
    return 'taken'
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
}

function wrongOf(input: unknown): string {
  const read = readRequest(input)
  return 'wrong' in read ? read.wrong : 'taken'
}

describe('treasury.json is refused', () => {
  test.each([
    ['a policy', `"policies":{"__proto__":${mix}}`],
    ['a policy beside another', `"policies":{"mix":${mix},"__proto__":${mix}}`],
    ['a policy, spelled by its code', `"policies":{"__\\u0070roto__":${mix}}`],
    ['a weight', '"policies":{"mix":{"kind":"rebalance","weights":{"A":"1","__proto__":"0"}}}'],
    ['a bound', '"guards":{"assets":{"__proto__":{"daily":"1"}}}'],
    ['an outflow', '"guards":{"dailyOutflow":{"__proto__":"1"}}'],
    ['a contact', '"guards":{"contacts":{"__proto__":{"daily":"1"}}}'],
  ])('if __proto__ names %s', (_what, part) => {
    expect(findingsOf(`{${service},${part}}`)).toMatch(/the key "__proto__" is no name \(line 1, column \d+\)/)
  })

  test.each([
    ['a policy', `"policies":{"constructor":${mix}}`],
    ['a weight', '"policies":{"mix":{"kind":"rebalance","weights":{"toString":"1"}}}'],
    ['an asset', '"policies":{"mix":{"kind":"fund","asset":"valueOf","atLeast":"1","from":[{"asset":"A"}]}}'],
    ['an asset of a rule', '"policies":{"mix":{"kind":"sweep","rules":[{"assets":["__proto__"],"contactId":"c"}]}}'],
    ['a contact', '"policies":{"mix":{"kind":"sweep","rules":[{"assets":["A"],"contactId":"__proto__"}]}}'],
    ['a contact that is bounded', '"guards":{"contacts":{"hasOwnProperty":{"daily":"1"}}}'],
    ['a contact that is allowed', '"guards":{"allowedContacts":["isPrototypeOf"]}'],
    ['an outflow', '"guards":{"dailyOutflow":{"constructor":"1"}}'],
  ])('if another of them names %s', (_what, part) => {
    expect(findingsOf(`{${service},${part}}`)).toMatch(REFUSED)
  })
})

describe('the input of a function is refused', () => {
  test.each<[string, unknown]>([
    ['a weight', JSON.parse('{"policy":{"kind":"rebalance","weights":{"A":"1","__proto__":"0.5"}}}')],
    ['a reserve', JSON.parse('{"policy":{"kind":"rebalance","weights":{"A":"1"},"reserve":{"__proto__":"5"}}}')],
  ])('if __proto__ is %s of a policy', (_what, input) => {
    expect(wrongOf(input)).toMatch(/^input\.policy\.\w+: the key "__proto__" is no name/)
  })

  test.each<[string, unknown]>([
    ['a policy by its name', { policy: 'constructor' }],
    ['an asset of a policy', { policy: { kind: 'rebalance', weights: { toString: '1' } } }],
  ])('if another of them is %s', (_what, input) => {
    expect(wrongOf(input)).toMatch(REFUSED)
  })

  test('if one of them is the contact of a withdrawal', () => {
    const request = { assetSymbol: 'A', amount: '1', contactId: '__proto__' }
    expect(() => parseWith(withdrawRequest, request, 'input')).toThrow(REFUSED)
  })

  test('in any surroundings, at any depth', () => {
    const nested = `${'['.repeat(5_000)}{"__proto__":1}${']'.repeat(5_000)}`
    expect(wrongOf(JSON.parse(nested))).toMatch('the key "__proto__" is no name')
  })
})

test('a name that only contains one of them is accepted', () => {
  expect(policy.safeParse({ kind: 'rebalance', weights: { constructor1: '1' } }).success).toBe(true)
  expect(runRequest.safeParse({ policy: 'constructors' }).success).toBe(true)
})
