// Shows the result of a release of stranded balances. Pure.

import { printable } from '../core/printable.ts'
import type { ReleasedBalances } from '../operations/cases/release.ts'
import type { ResultView } from './result-view.ts'

export function viewOfRelease({ policy, released }: ReleasedBalances): ResultView {
  return {
    facts: { policy, released },
    lines: () => [`released: what runs of ${printable(policy)} left stranded`],
    notes: [],
  }
}
