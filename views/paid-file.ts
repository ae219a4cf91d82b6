// Shows what paying a payout file came to: the end of each of its runs. Pure.
import type { PaidFile } from '../operations/payouts/pay-file.ts'
import { outcomeWords } from '../operations/words/outcome-words.ts'
import type { ResultView } from './result-view.ts'

export function viewOfPaidFile({ parts, left }: PaidFile): ResultView & { readonly see?: string } {
  const lines = parts.map(
    ({ result: { outcome, runId, why } }) => `${outcome}  run ${runId}: ${why ?? outcomeWords(outcome).says}`,
  )
  const more = left > 0 ? [`${left} more runs were not begun: the same file continues with them`] : []
  const last = parts.at(-1)?.result
  return {
    facts: {
      outcome: last?.outcome,
      parts: parts.map(({ part, result: { runId, outcome } }) => ({ part, run: runId, outcome })),
      left,
    },
    lines: () => [...lines, ...more],
    notes: [...lines, ...more],
    ...(last !== undefined && { see: `/runs/${last.runId}` }),
  }
}
