// Shows what paying a payout file came to: the end of its run. Pure.
import type { PaidFile } from '../operations/payouts/payout-runs.ts'
import { outcomeWords } from '../operations/words/outcome-words.ts'
import type { ResultView } from './result-view.ts'

export function viewOfPaidFile({ result: { outcome, runId, why } }: PaidFile): ResultView & { readonly see: string } {
  const line = `${outcome}  run ${runId}: ${why ?? outcomeWords(outcome).says}`
  return { facts: { outcome, run: runId }, lines: () => [line], notes: [line], see: `/runs/${runId}` }
}
