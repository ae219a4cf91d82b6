// An id in a path or a filter in a query arrives as it was given.
import { describe, expect, it } from 'vitest'
import { Refused } from '../../../core/errors.ts'
import { checkId, pathOf, withQuery } from '../../../core/service/request-path.ts'

describe('pathOf', () => {
  it.each([
    ['plain', 'ord_1-2.3~4', '/v2/orders/ord_1-2.3~4'],
    ['slash', 'a/b', '/v2/orders/a%2Fb'],
    ['space', 'a b', '/v2/orders/a%20b'],
    ['plus', 'a+b', '/v2/orders/a%2Bb'],
    ['percent', '100%', '/v2/orders/100%25'],
    ['question mark and hash', 'a?b#c', '/v2/orders/a%3Fb%23c'],
    ['dots that are no segment', '...', '/v2/orders/...'],
    ['dots within a word', 'v1..v2', '/v2/orders/v1..v2'],
    ['other scripts', 'ü€', '/v2/orders/%C3%BC%E2%82%AC'],
  ])('encodes an id whole: %s', (_what, id, path) => {
    expect(pathOf('/v2/orders', id)).toBe(path)
  })

  it.each([
    ['empty', ''],
    ['one dot', '.'],
    ['two dots', '..'],
    ['dots between slashes', 'a/../b'],
    ['dots between backslashes', 'a\\..\\b'],
    ['encoded dots', '%2e%2E'],
    ['half encoded dots', '.%2e'],
    ['dots encoded twice', '%252e%252e'],
    ['dots behind an encoded slash', 'a%2f..'],
    ['dots behind a slash encoded twice', 'a%252F%252e%252E'],
    ['a line break', 'a\r\nb'],
    ['a null', 'a\u0000'],
    ['a C1 control', 'a\u0085'],
    ['half a surrogate pair', 'a\ud800'],
    ['257 characters', 'x'.repeat(257)],
  ])('refuses an id that is %s, without quoting it', (_what, id) => {
    expect(() => pathOf('/v2/orders', id)).toThrow(Refused)
    expect(() => checkId(id)).toThrow(/^id: expected/)
  })

  it('accepts an id of 256 characters', () => {
    expect(pathOf('/v2/orders', 'x'.repeat(256))).toHaveLength(267)
  })
})

describe('withQuery', () => {
  it('keeps the given order, encodes values and leaves out undefined ones', () => {
    expect(
      withQuery('/v2/fills', [
        ['limit', 100],
        ['cursor', undefined],
        ['market', 'A&B=C D+E'],
        ['assetFormat', 'base'],
      ]),
    ).toBe('/v2/fills?limit=100&market=A%26B%3DC%20D%2BE&assetFormat=base')
  })

  it('adds nothing when every value is undefined', () => {
    expect(withQuery('/v2/fills', [['cursor', undefined]])).toBe('/v2/fills')
  })

  it.each([
    ['empty', ''],
    ['control characters', 'a\nb'],
    ['too long', 'x'.repeat(2049)],
    ['half a surrogate pair', '\udc00'],
  ])('refuses a value: %s', (_what, value) => {
    expect(() => withQuery('/v2/fills', [['cursor', value]])).toThrow(Refused)
  })
})
