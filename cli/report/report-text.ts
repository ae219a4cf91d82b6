// A plan, and the report of a run, as lines for a terminal. Nothing is cut except very long lists, which say so. Pure.
import type { Plan } from '../../core/contract/plan.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import { outcomeWords } from '../narration/outcome-words.ts'
import { type Column, printable, tableLines } from '../terminal/table.ts'
import { shown } from './figures.ts'
import { type LegFacts, legFactsOf } from './leg-facts.ts'
import { approvalText, strandedTexts, tieOutText, totalText, triggerText } from './report-sentences.ts'
import {
  costColumns,
  costRows,
  filledColumns,
  firstOf,
  guardColumns,
  legColumns,
  MOST_ROWS,
  moreText,
  nonLegColumns,
  plannedColumns,
  positionColumns,
} from './report-tables.ts'

/** A plan that is not carried out yet: positions before and after, legs as planned, and why nothing else is done. */
export function planLines(plan: Plan): string[] {
  const facts = legFactsOf({ plan, legs: [] })
  return [
    ...positionLines(plan).slice(1),
    ...legLines(facts, plannedColumns(plan.valuationAsset), false),
    ...restLines(plan),
  ]
}

export function reportLines(report: RunReport): string[] {
  const { plan } = report
  const facts = legFactsOf(report)
  return [
    ...headLines(report),
    ...(plan === undefined ? [] : positionLines(plan)),
    ...legLines(facts, legColumns(plan?.valuationAsset ?? 'the valuation asset'), true),
    ...part('costs', bounded(costColumns, costRows(facts, plan))),
    ...part('left on the way', strandedTexts(report).map(printable)),
    ...(plan === undefined ? [] : restLines(plan)),
    '',
    `tie-out: ${tieOutText(report)}`,
  ]
}

function headLines(report: RunReport): string[] {
  const { outcome, runId, policy, kind, startedAt, endedAt, why, plan, totalValueAfter, approval } = report
  const field = (name: string, text: string | undefined) =>
    text === undefined ? [] : [`${name.padEnd(12)}  ${printable(text)}`]
  return [
    `${outcome}  ${outcomeWords(outcome).says}`,
    ...field('why', why),
    ...field('run', runId),
    ...field('policy', `${policy} (${kind})`),
    ...field('started', `${startedAt}${triggerText(report.trigger)}`),
    ...field('ended', endedAt),
    ...field('value', plan && totalText(plan)),
    ...field('value after', totalValueAfter && `${shown(totalValueAfter)} ${plan?.valuationAsset ?? ''}`.trim()),
    ...field('turnover', plan && shown(plan.turnover)),
    ...field('plan hash', approval?.planHash),
    ...field('approval', approval && approvalText(approval)),
  ]
}

function positionLines({ positions, valuationAsset }: Plan): string[] {
  return part('positions', bounded(positionColumns(valuationAsset), positions))
}

/** Each leg on a line of the table; below it what it is and why, what became of it, and its ids. */
function legLines(facts: readonly LegFacts[], columns: readonly Column<LegFacts>[], withNotes: boolean): string[] {
  if (facts.length === 0) return ['', 'legs: none']
  const { rows, more } = firstOf(facts, MOST_ROWS)
  const [title = '', ...lines] = tableLines(filledColumns(columns, rows), rows)
  const texts = rows.flatMap(({ what, why, note, ids }, index) => [
    lines[index] ?? '',
    `    ${printable(`${what}: ${why}`)}`,
    ...(withNotes && note !== '' ? [`    ${printable(note)}`] : []),
    ...(ids.length === 0 ? [] : [`    ${printable(ids.map(([name, id]) => `${name} ${id}`).join('  '))}`]),
  ])
  return part('legs', [title, ...texts, ...(more > 0 ? [moreText(more)] : [])])
}

function restLines({ nonLegs, guards }: Plan): string[] {
  return [...part('not done', bounded(nonLegColumns, nonLegs)), ...part('guards', bounded(guardColumns, guards))]
}

function bounded<Row>(columns: readonly Column<Row>[], all: readonly Row[]): string[] {
  const { rows, more } = firstOf(all, MOST_ROWS)
  if (rows.length === 0) return []
  return [...tableLines(filledColumns(columns, rows), rows), ...(more > 0 ? [moreText(more)] : [])]
}

/** A titled part with a blank line above it. No line where there is nothing to show. */
function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => `  ${line}`)]
}
