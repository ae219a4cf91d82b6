// What the tour prints when it is done: what was converted at what rate, and the tie-out. Pure.
import type { ConvertResult } from '../convert-result.ts'
import { type Column, tableLines } from '../table.ts'
import type { TieOut } from '../tie-out.ts'

export interface ToldConversion {
  /** What was special about it. */
  readonly title: string
  readonly result: ConvertResult
}

const columns: readonly Column<ToldConversion>[] = [
  { title: 'conversion', text: ({ title }) => title },
  { title: 'outcome', text: ({ result }) => result.outcome },
  { title: 'side', text: ({ result }) => result.side ?? '' },
  { title: 'market', text: ({ result }) => result.market ?? '' },
  { title: 'base amount', text: ({ result }) => result.baseAmount ?? '', isAmount: true },
  { title: 'quote amount', text: ({ result }) => result.quoteAmount ?? '', isAmount: true },
  { title: 'rate', text: ({ result }) => result.rate ?? '', isAmount: true },
  { title: 'attempts', text: ({ result }) => String(result.attempts ?? ''), isAmount: true },
  { title: 'order', text: ({ result }) => result.orderId ?? '' },
]

export function conversionTable(conversions: readonly ToldConversion[]): string[] {
  return tableLines(columns, conversions)
}

/** The last line is the verdict. */
export function tieOutLines(outcome: TieOut, conversions: readonly ToldConversion[]): string[] {
  const pairs = conversions.map(({ result }) => `  order ${result.orderId ?? '(none)'}  =  intent ${result.intentId}`)
  const verdict = tiesOut(outcome)
    ? "each movement in the service's ledger has exactly one intent, amounts equal, ledger sums to zero"
    : 'does NOT tie out'
  return [
    ...pairs,
    ...outcome.findings.map((finding) => `  ${finding}`),
    `tie-out: ${outcome.tied} of ${outcome.of}: ${verdict}`,
  ]
}

export function tiesOut({ tied, of, findings }: TieOut): boolean {
  return tied === of && findings.length === 0
}
