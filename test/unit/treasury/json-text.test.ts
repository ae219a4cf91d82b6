// A mistake in a JSON file is named by its place, and the text there is never quoted.
import { expect, test } from 'vitest'
import { JsonTextError, parseJsonText } from '../../../core/treasury/json-text.ts'

const messageFor = (text: string): string => {
  try {
    parseJsonText(text)
  } catch (error) {
    if (error instanceof JsonTextError) return error.message
    throw error
  }
  return 'accepted'
}

test('a document gives its value', () => {
  expect(parseJsonText('{"a": [1, {"b": null}], "c": "\\"}{"}')).toEqual({ a: [1, { b: null }], c: '"}{' })
})

test('a byte order mark before the document is not a mistake', () => {
  expect(parseJsonText('\uFEFF{"a":1}')).toEqual({ a: 1 })
})

test('a mistake is named by line and column', () => {
  expect(messageFor('{\n  "a" 1\n}')).toBe('not JSON: mistake at line 2, column 7')
})

test('a document that ends too early is reported so', () => {
  expect(messageFor('{"a":')).toBe('not JSON: mistake at the end, or an unclosed bracket or quote')
})

test('the text at a mistake is never quoted', () => {
  expect(messageFor('{"secret": svc_live_abcdef}')).not.toContain('svc_live')
})

test.each([
  ['in the outermost object', '{"a":1,"a":2}', '"a" is given twice (line 1, column 8)'],
  ['in an inner object', '{"x":[{"b":1,\n "b":2}]}', '"b" is given twice (line 2, column 2)'],
  ['in another spelling', '{"a":1,"\\u0061":2}', '"a" is given twice'],
])('a duplicate key %s is refused', (_where, text, message) => {
  expect(messageFor(text)).toContain(message)
})

test('the same key in two objects, or as a text, is no repetition', () => {
  expect(messageFor('[{"a":"a"},{"a":["a","a"]},"a"]')).toBe('accepted')
})
