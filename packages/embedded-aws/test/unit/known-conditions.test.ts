// For every set of values, a remembered condition equals the result of dynalite's own parser.
import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { type ConditionParser, remembering } from '../../dynamodb/known-conditions.ts'

const own: ConditionParser = createRequire(import.meta.url)('dynalite/db/conditionParser')
const names = { '#state': 'state', '#unused': 'other' }

function contextOf(values: Readonly<Record<string, object>>) {
  const unused = (all: object) => Object.fromEntries(Object.keys(all).map((name) => [name, true]))
  const compare = (_operator: string, { N: left }: { N?: string }, { N: right }: { N?: string }) =>
    Number(left) > Number(right)
  return {
    attrNames: names,
    attrVals: values,
    unusedAttrNames: unused(names),
    unusedAttrVals: unused(values),
    isReserved: (name: string) => name === 'size',
    compare,
  }
}

/**
 * The parsed condition and the names and values left unused, or the error. After an error the unused names do not
 * matter.
 */
function parsed(parser: ConditionParser, condition: string, values: Readonly<Record<string, object>>) {
  const context = contextOf(values)
  try {
    const expression = parser.parse(condition, { context })
    if (typeof expression === 'string') return expression
    return JSON.stringify([expression, context.unusedAttrNames, context.unusedAttrVals])
  } catch (error) {
    return String(error)
  }
}

const CONDITIONS = [
  'attribute_not_exists(pk)',
  '#state = :a AND (attribute_exists(v) OR NOT v < :b)',
  'begins_with(#state, :a) and size(v) >= :b',
  'pk IN (:a, :b) OR a.b[1].c = :a',
  'v BETWEEN :a AND :b',
  'attribute_type(v, :a)',
  'size = :a',
  'contains(:a',
  'v = :missing',
]
const VALUES = [
  { ':a': { S: 'one' }, ':b': { N: '1' } },
  { ':a': { S: 'two' }, ':b': { N: '2' }, ':c': { BOOL: true } },
  { ':a': { N: '3' }, ':b': { N: '2' } },
  { ':a': { N: '1' }, ':b': { N: '2' } },
  { ':a': { S: 'N' }, ':b': { SS: ['x'] } },
  { ':a': { M: { constructor: { S: 'x' } } }, ':b': { NULL: true } },
]

describe('a remembered condition', () => {
  it.each(CONDITIONS)('equals the parser’s result for every value: %s', (condition) => {
    const parser = remembering(own)
    for (const values of [...VALUES, ...VALUES]) {
      expect(parsed(parser, condition, values)).toBe(parsed(own, condition, values))
    }
  })

  it('is not parsed again with other values of the same types', () => {
    let times = 0
    const parser = remembering({
      parse(condition, options) {
        times += 1
        return own.parse(condition, options)
      },
    })
    for (const text of ['one', 'two', 'three']) parsed(parser, '#state = :a', { ':a': { S: text } })
    expect(times).toBe(1)
  })

  it('is returned as a new object each time, so that a caller can change it', () => {
    const parser = remembering(own)
    const parse = () => parser.parse('#state = :a', { context: contextOf({ ':a': { S: 'x' } }) })
    const first = parse() as { expression: { type: string } }
    first.expression.type = 'changed'
    expect(parse()).toMatchObject({ expression: { type: '=' } })
  })

  it('marks the names that it uses, independent of earlier expressions', () => {
    const parser = remembering(own)
    const before = contextOf({ ':a': { S: 'x' } })
    before.unusedAttrNames = { '#unused': true }
    parser.parse('#state = :a', { context: before })
    const after = contextOf({ ':a': { S: 'y' } })
    parser.parse('#state = :a', { context: after })
    expect(Object.keys(after.unusedAttrNames)).toEqual(['#unused'])
  })
})
