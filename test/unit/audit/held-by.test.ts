// A movement has an owner only where an intent or a person's declaration claims it.
import { expect, test } from 'vitest'
import { findHeldBy, whyUnclaimed } from '../../../core/audit/held-by.ts'
import { FOREIGN } from '../../../core/contract/records.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

test("a foreign claim counts only with a person's declaration", async () => {
  const journal = createJournal(createMemoryStore(), () => 'stamp')
  expect(await findHeldBy('withdraw', 'row-1', journal)).toBe('nobody')
  await journal.claim('withdraw', 'row-1', FOREIGN)
  expect(await findHeldBy('withdraw', 'row-1', journal)).toBe('others, by no word of a person')
  await journal.keepForeign('withdraw', 'row-1', { by: 'ann', because: 'paid by hand', at: '2026-02-01T12:00:00.000Z' })
  expect(await findHeldBy('withdraw', 'row-1', journal)).toBe('others')
  await journal.claim('convert', 'row-1', 'intent-1')
  expect(await findHeldBy('convert', 'row-1', journal)).toBe('an intent')
})

test("a movement is unclaimed if nobody has claimed it, or if a foreign claim has no person's declaration", () => {
  expect(whyUnclaimed('nobody', 'order o-1')).toBe('no intent claims order o-1')
  expect(whyUnclaimed('others, by no word of a person', 'order o-1')).toBe(
    'the journal claims for others, by no word of a person, order o-1',
  )
  expect(whyUnclaimed('others', 'order o-1')).toBeUndefined()
  expect(whyUnclaimed('an intent', 'order o-1')).toBeUndefined()
})
