// Duplicates in a long list are noticed without keeping its texts.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { SeenKeys } from '../../../core/service/seen-keys.ts'

test('a key is new exactly once, whatever else was added, as with a set of texts (property)', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary', maxLength: 3 }), { maxLength: 2_000 }), (keys) => {
      const seen = new SeenKeys()
      const texts = new Set<string>()
      for (const key of keys) {
        expect(seen.add(key)).toBe(!texts.has(key))
        texts.add(key)
        expect(seen.size).toBe(texts.size)
      }
    }),
    { numRuns: 50 },
  )
})

test('a hundred thousand keys are each new once', () => {
  const seen = new SeenKeys()
  const keys = Array.from({ length: 100_000 }, (_, nth) => `entry-${nth}`)
  expect(keys.filter((key) => !seen.add(key))).toEqual([])
  expect(keys.filter((key) => seen.add(key))).toEqual([])
  expect(seen.size).toBe(100_000)
})
