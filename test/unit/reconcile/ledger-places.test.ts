// Places of a ledger's entries, by date, whether it comes newest first or oldest first.
import { expect, test } from 'vitest'
import { LedgerPlaces } from '../../../functions/reconcile/ledger-places.ts'
import { type AuditedEntry, LEDGER_PAGE } from '../../../functions/reconcile/ports.ts'

const COUNT = 3 * LEDGER_PAGE + 7
const START_MS = Date.parse('2026-02-01T00:00:00.000Z')

/** The entry at place N is dated N seconds after the start. */
const ENTRIES = Array.from({ length: COUNT }, (_, nth) => {
  const createdAt = new Date(START_MS + (nth + 1) * 1_000).toISOString()
  return { id: `entry-${nth + 1}`, createdAt } as AuditedEntry
})

function placesOf(entries: readonly AuditedEntry[]): LedgerPlaces {
  return new LedgerPlaces(async (page) => ({
    entries: entries.slice((page - 1) * LEDGER_PAGE, page * LEDGER_PAGE),
    totalEntries: entries.length,
  }))
}

const afterSeconds = (seconds: number) => START_MS + seconds * 1_000

test.each([
  ['oldest first', ENTRIES],
  ['newest first', ENTRIES.toReversed()],
])(
  'a ledger that comes %s has all entries after a date from a place on, which is at most a page before',
  async (_order, entries) => {
    const places = placesOf(entries)
    for (const seconds of [0, 1, 99, 100, 250, COUNT - 1]) {
      const place = await places.findFirstAfter(afterSeconds(seconds))
      expect(place).toBeLessThanOrEqual(seconds + 1)
      expect(place).toBeGreaterThan(seconds + 1 - LEDGER_PAGE)
    }
    expect(await places.findFirstAfter(afterSeconds(COUNT))).toBe(COUNT + 1)
  },
)

test('a walk yields the entries from a place to the newest, oldest first', async () => {
  const walked: number[] = []
  for await (const { place } of placesOf(ENTRIES.toReversed()).walkFrom(COUNT - 150)) walked.push(place)
  expect(walked).toEqual(Array.from({ length: 151 }, (_, nth) => COUNT - 150 + nth))
})

test('an empty ledger has the place of its first entry, and nothing to walk', async () => {
  const places = placesOf([])
  expect(await places.findFirstAfter(START_MS)).toBe(1)
  expect(await places.walkFrom(1).next()).toEqual({ done: true, value: undefined })
})
