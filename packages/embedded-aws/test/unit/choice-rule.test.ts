// A Choice compares values as Amazon States Language defines it, and stops at the first rule that decides.
import { describe, expect, test } from 'vitest'
import { Fields } from '../../fields.ts'
import { parseTest } from '../../states/choice-rule.ts'
import type { Json } from '../../states/json.ts'

function matches(rule: object, data: Json): boolean {
  const fields = new Fields(rule, 'rule')
  const test = parseTest(fields)
  fields.close()
  return test({ data, context: { Execution: { Name: 'run-1' } } })
}

const rule = (operator: string, value: unknown) => ({ Variable: '$.v', [operator]: value })
const EARLY = '2026-01-31T09:00:00Z'
const LATE = '2026-01-31T10:00:00+00:30'

describe('comparison', () => {
  test.each<[string, unknown, Json, boolean]>([
    ['StringEquals', 'a', 'a', true],
    ['StringEquals', 'a', 'A', false],
    ['StringEquals', '1', 1, false],
    ['StringLessThan', 'b', 'a', true],
    ['StringLessThan', 'a', 'a', false],
    ['StringLessThanEquals', 'a', 'a', true],
    ['StringGreaterThan', 'a', 'b', true],
    ['StringGreaterThanEquals', 'a', 'a', true],
    ['NumericEquals', 1, 1, true],
    ['NumericEquals', 1, 1.0, true],
    ['NumericEquals', 1, '1', false],
    ['NumericLessThan', 2, 1, true],
    ['NumericLessThanEquals', 1, 1, true],
    ['NumericGreaterThan', 1, 1, false],
    ['NumericGreaterThanEquals', 1, 2, true],
    ['BooleanEquals', true, true, true],
    ['BooleanEquals', true, false, false],
    ['BooleanEquals', true, 'true', false],
    ['TimestampEquals', '2026-01-31T10:00:00+01:00', EARLY, true],
    ['TimestampLessThan', LATE, EARLY, true],
    ['TimestampLessThanEquals', EARLY, EARLY, true],
    ['TimestampGreaterThan', '2026-01-31T09:00:00.000000001Z', '2026-01-31T09:00:00.000000002Z', true],
    ['TimestampGreaterThanEquals', EARLY, '2026-01-31', false],
    ['StringMatches', 'log-*.txt', 'log-2026.txt', true],
    ['StringMatches', 'log-*.txt', 'log-2026.csv', false],
    ['StringMatches', 'a.c', 'abc', false],
    ['StringMatches', 'a\\*c', 'a*c', true],
    ['StringMatches', 'a\\*c', 'abc', false],
    ['StringMatches', '*', 'line\nline', true],
    ['StringMatches', '*', 5, false],
    ['IsNull', true, null, true],
    ['IsNull', false, null, false],
    ['IsString', true, 'x', true],
    ['IsNumeric', true, '1', false],
    ['IsNumeric', false, '1', true],
    ['IsBoolean', true, false, true],
    ['IsTimestamp', true, EARLY, true],
    ['IsTimestamp', true, '2026-01-31 09:00:00Z', false],
    ['IsTimestamp', false, 'x', true],
    ['IsPresent', true, null, true],
    ['IsPresent', false, null, false],
  ])('%s %j of %j is %s', (operator, value, variable, answer) => {
    expect(matches(rule(operator, value), { v: variable })).toBe(answer)
  })

  test('IsPresent answers for a path without a value', () => {
    expect(matches(rule('IsPresent', true), {})).toBe(false)
    expect(matches(rule('IsPresent', false), {})).toBe(true)
  })

  test('a Path variant compares with another field', () => {
    expect(matches(rule('NumericLessThanPath', '$.w'), { v: 1, w: 2 })).toBe(true)
    expect(matches(rule('StringEqualsPath', '$$.Execution.Name'), { v: 'run-1' })).toBe(true)
    expect(matches(rule('BooleanEqualsPath', '$.w'), { v: true, w: 'true' })).toBe(false)
  })

  test.each([rule('StringEquals', 'a'), rule('IsNull', true), { Variable: '$.w', StringEqualsPath: '$.v' }])(
    '%j fails with States.Runtime for a path without a value',
    (rule) => {
      expect(() => matches(rule, { w: 'x' })).toThrow(expect.objectContaining({ error: 'States.Runtime' }))
    },
  )
})

test('And, Or and Not combine rules, and And stops at the first rule that fails', () => {
  const isText = rule('IsString', true)
  const isA = rule('StringEquals', 'a')
  const nowhere = { Variable: '$.nowhere', StringEquals: 'x' }
  expect(matches({ And: [isText, isA] }, { v: 'a' })).toBe(true)
  expect(matches({ And: [{ Not: isText }, nowhere] }, { v: 'a' })).toBe(false)
  expect(matches({ Or: [isA, nowhere] }, { v: 'a' })).toBe(true)
  expect(matches({ Not: { Or: [isA, { And: [isText] }] } }, { v: 1 })).toBe(true)
})

test.each<[string, object]>([
  ['has no operator', { Variable: '$.v' }],
  ['has two operators', { Variable: '$.v', IsNull: true, IsString: true }],
  ['has an unknown operator', rule('StringContains', 'a')],
  ['compares with a value of another type', rule('NumericEquals', '1')],
  ['compares with an invalid timestamp', rule('TimestampEquals', '2026-01-31')],
  ['has a type test without a boolean', rule('IsNull', 'yes')],
  ['has no variable', { StringEquals: 'a' }],
  ['has a path with a wildcard', { Variable: '$.v[*]', IsNull: true }],
  ['escapes another character', rule('StringMatches', 'a\\b')],
  ['has an empty And', { And: [] }],
  ['has a Next inside', { Not: { ...rule('IsNull', true), Next: 'Elsewhere' } }],
])('a rule that %s is refused', (_name, rule) => {
  expect(() => matches(rule, { v: 'a' })).toThrow(expect.objectContaining({ name: 'Refusal' }))
})
