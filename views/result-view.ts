// Shows results of acts as both faces show them: a terminal prints them, and a page shows their facts and notes. Pure.

import { printable } from '../core/printable.ts'
import type { ReleasedBalances } from '../operations/cases/release.ts'
import type { ResolvedIntent } from '../operations/cases/resolve-intent.ts'
import type { ResentLetter } from '../operations/events/resend-letter.ts'
import type { PaidFile } from '../operations/payouts/payout-runs.ts'
import { outcomeWords } from '../operations/words/outcome-words.ts'

export interface ResultView {
  /** `--json` prints these, and a page shows them in words. */
  readonly facts: object
  /** The same for a person at a terminal. `width` is in columns. */
  lines(width: number): readonly string[]
  /** The result in one sentence without the name of its subject, which is the title of a page. */
  readonly says?: string
  /** Further sentences, for stderr or for a list on the page. */
  readonly notes: readonly string[]
}

export function viewOfRelease({ policy, released }: ReleasedBalances): ResultView {
  return {
    facts: { policy, released },
    lines: () => [`released: what runs of ${printable(policy)} left stranded`],
    notes: [],
  }
}

export function viewOfResolution({ intentId, movementId, state, resolution }: ResolvedIntent): ResultView {
  return {
    facts: { intentId, state, ...(movementId !== undefined && { movementId }), resolution },
    lines: () => [
      `${intentId} is ${state}${movementId === undefined ? '' : ` with movement ${printable(movementId)}`}`,
    ],
    says: movementId === undefined ? 'settled: nothing moved' : `settled, with movement ${printable(movementId)}`,
    notes: [],
  }
}

export function resentText({ about, letter, start }: ResentLetter): string {
  return `${about} is on the bus again, and letter ${printable(letter.letterId)} is deleted; it begins ${start.name}, unless that was begun before`
}

export function viewOfPaidFile({ result: { outcome, runId, why } }: PaidFile): ResultView & { readonly see: string } {
  const line = `${outcome}  run ${runId}: ${why ?? outcomeWords(outcome).says}`
  return { facts: { outcome, run: runId }, lines: () => [line], notes: [line], see: `/runs/${runId}` }
}
