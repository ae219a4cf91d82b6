// A rule of EventBridge takes an event exactly where its pattern matches, and an unsupported pattern is refused.
import { describe, expect, test } from 'vitest'
import { parsePattern } from '../../events/event-pattern.ts'

const EVENT = {
  source: 'sluice',
  'detail-type': 'Deposit',
  resources: ['a', 'b'],
  detail: {
    asset: 'EURX',
    amount: '10',
    count: 3,
    nested: { yes: true, none: null },
    items: [{ k: 1 }, { k: 2, l: 1 }],
  },
}

describe('a pattern', () => {
  test.each<[string, object, boolean]>([
    ['equal to one of the values', { source: ['other', 'sluice'] }, true],
    ['not equal to any of the values', { source: ['other'] }, false],
    ['of all its fields', { source: ['sluice'], 'detail-type': ['Other'] }, false],
    ['of a nested field', { detail: { nested: { yes: [true] } } }, true],
    ['of null', { detail: { nested: { none: [null] } } }, true],
    ['of a number', { detail: { count: [3] } }, true],
    ['of a number as text', { detail: { count: ['3'] } }, false],
    ['of one value of a list', { resources: ['b'] }, true],
    ['of one object of a list', { detail: { items: { k: [2], l: [1] } } }, true],
    ['of two objects of a list', { detail: { items: { k: [1], l: [1] } } }, false],
    ['of a missing field', { detail: { missing: ['x'] } }, false],
    ['by prefix', { detail: { asset: [{ prefix: 'EU' }] } }, true],
    ['by another prefix', { detail: { asset: [{ prefix: 'US' }] } }, false],
    ['by suffix', { detail: { asset: [{ suffix: 'RX' }] } }, true],
    ['without case', { detail: { asset: [{ 'equals-ignore-case': 'eurx' }] } }, true],
    ['that a field exists', { detail: { asset: [{ exists: true }] } }, true],
    ['that a field does not exist', { detail: { missing: [{ exists: false }] } }, true],
    ['that an inner object exists, which is not a leaf', { detail: { nested: [{ exists: true }] } }, false],
    ['anything but a value', { detail: { asset: [{ 'anything-but': 'USDX' }] } }, true],
    [
      'anything but values, with a match among them',
      { detail: { asset: [{ 'anything-but': ['USDX', 'EURX'] }] } },
      false,
    ],
    ['anything but a prefix', { detail: { asset: [{ 'anything-but': { prefix: 'EU' } }] } }, false],
    ['anything but, for a missing field', { detail: { missing: [{ 'anything-but': 'x' }] } }, false],
    ['one operator or another', { detail: { asset: [{ prefix: 'US' }, 'EURX'] } }, true],
  ])('%s: %#', (_name, pattern, isMatch) => {
    expect(parsePattern(pattern, 'P')(EVENT)).toBe(isMatch)
  })

  test.each<[unknown, string]>([
    [{}, 'P: an empty pattern'],
    [{ a: [] }, 'P.a: an empty list'],
    [{ a: 'x' }, 'P.a: a pattern is an object'],
    [{ a: [{ numeric: ['>', 1] }] }, 'P.a[0]: the operator numeric is not supported'],
    [{ a: [{ wildcard: '*' }] }, 'P.a[0]: the operator wildcard is not supported'],
    [{ a: [{ prefix: 'x', suffix: 'y' }] }, 'P.a[0]: has more than one operator'],
    [{ a: [{ prefix: 1 }] }, 'P.a[0]: prefix takes a string'],
    [{ a: [{ 'anything-but': [] }] }, 'P.a[0]: anything-but takes'],
    [{ $or: [{ a: ['x'] }] }, 'P.$or: this operator'],
    [[], 'P: a pattern is an object'],
  ])('%j is refused', (pattern, message) => {
    expect(() => parsePattern(pattern, 'P')).toThrow(message)
  })
})
