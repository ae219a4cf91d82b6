// Writes the lines at the end of the tour: each leg of each run with what it moved, and the tie-out. Pure.

import type { MovementReport, TieOut } from '../../core/audit/tie-out.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import type { Column } from '../../operations/words/column.ts'
import { shortened } from '../../views/runs/figures.ts'
import { type LegFacts, legFactsOf } from '../../views/runs/leg-facts.ts'
import { tableLines, UNBOUNDED } from '../../views/text/table.ts'

interface LegRow extends LegFacts {
  readonly policy: string
  readonly attempts: string
  readonly movement: string
}

const columnsOf = (sumText: (sum: Sum) => string): readonly Column<LegRow>[] => [
  { title: 'policy', text: ({ policy }) => policy },
  { title: 'leg', text: ({ key }) => key },
  { title: 'outcome', text: ({ outcome }) => outcome },
  { title: 'gave', text: ({ gives }) => sumText(gives) },
  { title: 'brought', text: ({ brings }) => (brings === undefined ? '' : sumText(brings)) },
  { title: 'rate', text: ({ filledRate }) => filledRate, isAmount: true, isDetail: true },
  { title: 'fee', text: ({ feePaid }) => feePaid?.amount ?? '', isAmount: true, isDetail: true },
  { title: 'attempts', text: ({ attempts }) => attempts, isAmount: true, isDetail: true },
  { title: 'movement', text: ({ movement }) => movement, isId: true },
]

interface Sum {
  readonly amount: string
  readonly asset: string
}

const wholeSum = ({ amount, asset }: Sum) => `${amount} ${asset}`
/** On a screen, so that a row fits 80 columns. */
const shortSum = (sum: Sum) => shortened(wholeSum(sum))

export function legTable(reports: readonly RunReport[], width = UNBOUNDED): string[] {
  return tableLines(columnsOf(width === UNBOUNDED ? wholeSum : shortSum), reports.flatMap(rowsOf), width)
}

function rowsOf(report: RunReport): LegRow[] {
  const results = new Map(report.legs.map(({ leg, conversion, withdrawal }) => [leg.key, conversion ?? withdrawal]))
  return legFactsOf(report).map((facts) => {
    const result = results.get(facts.key)
    return { ...facts, policy: report.policy, attempts: String(result?.attempts ?? ''), movement: movementOf(result) }
  })
}

export function resultsOf(reports: readonly RunReport[]): MovementReport[] {
  return reports.flatMap(({ legs }) => legs.flatMap(({ conversion, withdrawal }) => conversion ?? withdrawal ?? []))
}

function movementOf(result: MovementReport | undefined): string {
  if (result === undefined) return ''
  return ('orderId' in result ? result.orderId : 'withdrawalId' in result ? result.withdrawalId : undefined) ?? ''
}

/** The last line is the verdict. */
export function tieOutLines(outcome: TieOut, reports: readonly RunReport[]): string[] {
  const pairs = resultsOf(reports).map((result) => `  ${movementOf(result) || '(none)'}  =  intent ${result.intentId}`)
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
