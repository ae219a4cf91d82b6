// What the service does to the tour's conversions, once each: whichever meets it comes through.
import type { Mishap } from './witness.ts'

/** How long the order that is accepted and not settled takes: long enough to see it being polled. */
const SETTLES_AFTER_MS = 1_500

export const mishaps: readonly Mishap[] = [
  { path: '/v2/quotes', nth: 1, fault: { kind: 'expireQuote' } },
  { path: '/v2/orders', nth: 1, fault: { kind: 'settleLater', afterMs: SETTLES_AFTER_MS, outcome: 'fill' } },
  { path: '/v2/orders', nth: 2, fault: { kind: 'dropAfterCommit' } },
]

export const MISHAPS_TEXT = 'one quote comes expired, one order is answered 202, one answer is lost on its way'
