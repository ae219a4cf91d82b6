// Audits that take several calls: whatever ends a call, and whoever audits beside it, each movement is judged and counts
// once.
import fc from 'fast-check'
import { beforeAll, test } from 'vitest'
import { counts, finds, smallAudit, type Variant } from './histories.ts'

let product: Variant
beforeAll(async () => {
  product = await smallAudit()
})

test('calls that end anywhere, and audits side by side, find the fault of each movement, however it is dated', async () => {
  await fc.assert(finds(product), { numRuns: 8, endOnFailure: true })
})

test('calls that end anywhere, and audits side by side, count each movement once', async () => {
  await fc.assert(counts(product), { numRuns: 8, endOnFailure: true })
})
