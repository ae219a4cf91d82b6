// Catches naive variants of an audit that takes several calls.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Edit, edit } from '../../mutants/source-edits.ts'
import { AUDIT, counts, ENTRIES, finds, RECONCILE, smallAudit } from './histories.ts'

const WINDOW = 'functions/reconcile/audit-window.ts'

const MUTANTS: Readonly<Record<string, readonly [typeof finds, Edit]>> = {
  'records more than it has judged': [
    counts,
    edit(RECONCILE, 'audit.pass(part, slice.throughMs)', 'audit.pass(part, slice.throughMs + 600_000)'),
  ],
  'forgets its counts when a call ends': [
    counts,
    edit(AUDIT, 'findingsTotal: 0, ...unfinished?.counts }', 'findingsTotal: 0 }'),
  ],
  'writes over what another audit has recorded': [
    counts,
    edit(RECONCILE, 'move(AUDIT_WALK, mark, audit', 'move(AUDIT_WALK, await watermarks.find(AUDIT_WALK), audit'),
  ],
  'takes the two days before for judged when a call ends': [
    finds,
    edit(AUDIT, 'Date.parse(unfinished.againFrom)', 'Date.parse(unfinished.againTo)'),
  ],
  'goes on in the ledger behind the entries that it has read': [
    finds,
    edit(ENTRIES, 'place: younger[0]?.place ?? place', 'place'),
  ],
  'leaves late entries of the ledger out': [
    finds,
    edit(
      ENTRIES,
      'if (!(dateOf(placed) > throughMs)) {',
      'if (dateOf(placed) <= sinceMs) continue\n if (!(dateOf(placed) > throughMs)) {',
    ),
  ],
  'takes the fills of the slice for all fills': [
    finds,
    edit(
      'functions/reconcile/judge-ledger.ts',
      'movements.fills.get(id) ?? (await unlisted.findFill(id, entry.orderId))',
      'movements.fills.get(id)',
    ),
  ],
  'forgets up to where it judged again, while it went on for hours': [
    finds,
    edit(AUDIT, 'isWhole ? undefined : iso(this.#againToMs)', 'undefined'),
  ],
  'judges a slice without its end': [counts, edit(WINDOW, ' && atMs <= throughMs)', ')')],
  'judges the two days before only when it has time': [
    finds,
    edit(
      RECONCILE,
      'if (judged > 0 && !ports.hasTime()) break',
      "if ((judged > 0 || part === 'again') && !ports.hasTime()) break",
    ),
  ],
}

test.each(Object.entries(MUTANTS))('an audit that %s is caught', async (_name, [property, change]) => {
  const variant = await smallAudit(change)
  const { failed } = await fc.check(property(variant), { numRuns: 100, endOnFailure: true })
  expect(failed).toBe(true)
})
