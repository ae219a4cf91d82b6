// Terms count only if the execution itself has settled them, and not from a record that somebody else has opened
// meanwhile.
import { expect, test } from 'vitest'
import type { IntentKind } from '../../../core/contract/records.ts'
import { Transient } from '../../../core/errors.ts'
import { createJournal } from '../../../core/journal/journal.ts'
import { settleIntent } from '../../../core/journal/terms.ts'
import { CONVERSION } from '../../helpers/intents.ts'
import { createMemoryStore } from '../../helpers/memory-store.ts'

const OPENING = {
  ...CONVERSION,
  ...{ intentId: 'intent-1', createdAt: '2026-01-01T00:00:00Z', notAfter: '2026-01-01T00:15:00Z' },
}
/** Terms settled by another run, or by an insider who may write the journal. */
const OTHERWISE = { ...OPENING, frozen: { ...OPENING.frozen, maxSlippageBps: 9_999, referenceRate: '1' } }

/** A run that has found no intent, and finds this one when it opens its own. */
async function openAfter(first: typeof OPENING, end?: Parameters<typeof settleIntent>[2]) {
  let ids = 0
  const journal = createJournal(createMemoryStore(), () => `id-${++ids}`)
  await journal.open(first, end)
  return settleIntent<typeof IntentKind.Convert>(undefined, OPENING, undefined, journal)
}

test('an intent that was opened meanwhile with other terms is read again before anything continues from it', async () => {
  await expect(openAfter(OTHERWISE)).rejects.toThrow(Transient)
})

test('an intent that was opened meanwhile with the same terms is used', async () => {
  await expect(openAfter(OPENING)).resolves.toMatchObject({ state: 'READY', frozen: OPENING.frozen })
})

test('an intent that was closed meanwhile stays closed', async () => {
  const end = { state: 'REJECTED', outcome: 'REJECTED', why: 'no' } as const
  await expect(openAfter(OTHERWISE, end)).resolves.toMatchObject({ state: 'REJECTED', why: 'no' })
})
