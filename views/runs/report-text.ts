// Shows a plan, and the report of a run, as lines for a screen. Without a screen only very long lists are cut, and they
// say so. Pure.

import type { Plan } from '../../core/contract/plan.ts'
import type { RunReport } from '../../core/contract/runs.ts'
import { printable } from '../../core/printable.ts'
import type { Column } from '../../operations/words/column.ts'
import { outcomeWords, whyNow } from '../../operations/words/outcome-words.ts'
import { layOut, recordLines, tableLines, textLines, UNBOUNDED } from '../text/table.ts'
import { shortened, shown } from './figures.ts'
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
  movedColumns,
  movedRows,
  nonLegColumns,
  plannedColumns,
  positionColumns,
  wayColumns,
  wayRows,
} from './report-tables.ts'

/** A plan before its execution: positions before and after, legs as planned, and why nothing else is done. */
export function planLines(plan: Plan, width = UNBOUNDED): string[] {
  const facts = legFactsOf({ plan, legs: [] })
  return [
    ...positionLines(plan, width).slice(1),
    ...legLines(facts, plannedColumns(plan.valuationAsset), { withNotes: false, width }),
    ...restLines(plan, width),
  ]
}

/** `ownId`: the id that a person gave to `sluice run`. */
export function reportLines(report: RunReport & { readonly ownId?: string | undefined }, width = UNBOUNDED): string[] {
  const { plan } = report
  const facts = legFactsOf(report)
  return [
    ...headLines(report, width),
    ...(plan === undefined ? [] : positionLines(plan, width)),
    ...legLines(facts, legColumns(plan?.valuationAsset ?? 'the valuation asset'), { withNotes: true, width }),
    ...part('moved in all', bounded(movedColumns, movedRows(facts), width)),
    ...part('costs', bounded(costColumns, costRows(facts, plan), width)),
    ...part('left on the way', textsIn(strandedTexts(report), width - INDENT.length)),
    ...(plan === undefined ? [] : restLines(plan, width)),
    '',
    ...textsIn([`tie-out: ${tieOutText(report)}`], width),
  ]
}

function headLines(report: RunReport & { readonly ownId?: string | undefined }, width: number): string[] {
  const { outcome, runId, policy, kind, startedAt, endedAt, plan, totalValueAfter, approval } = report
  const field = (name: string, text: string | undefined) =>
    text === undefined ? [] : recordLines([{ title: name.padEnd(12), text: () => text }], undefined, width)
  return [
    ...textsIn([`${outcome}  ${outcomeWords(outcome, approval?.decision).says}`], width),
    ...field('why', whyNow(report, approval?.decision)),
    ...field('run', runId),
    ...field('own id', report.ownId),
    ...field('policy', `${policy} (${kind})`),
    ...field('started', `${startedAt}${triggerText(report.trigger)}`),
    ...field('ended', endedAt),
    ...field('value', plan && totalText(plan)),
    ...field(
      'value after',
      totalValueAfter && `${shown(totalValueAfter)} ${plan?.valuationAsset ?? ''} in the policy's assets`,
    ),
    ...field('off target', offTargetText(report)),
    ...field('turnover', plan && shown(plan.turnover)),
    ...field('plan hash', approval?.planHash),
    ...field('approval', approval && approvalText(approval)),
  ]
}

/** More assets are unreadable in one line. The JSON has all of them. */
const MOST_DISTANCES_SHOWN = 5

/** How far assets ended from their targets, the furthest first. */
function offTargetText({ distances = [], plan }: RunReport): string | undefined {
  const off = distances.filter((distance) => distance.off !== '0')
  if (off.length === 0) return undefined
  const texts = off.slice(0, MOST_DISTANCES_SHOWN).map(({ asset, off: distance }) => `${asset} ${shown(distance)}`)
  const more = off.length > texts.length ? `, and ${off.length - texts.length} more` : ''
  return `${texts.join(', ')}${more} ${plan?.valuationAsset ?? ''}`.trim()
}

function positionLines(plan: Plan, width: number): string[] {
  return part('positions', bounded(positionColumns(plan), plan.positions, width))
}

/** Each leg is a line of the table. Below it are its text and reason, its note, and its ids. */
function legLines(
  facts: readonly LegFacts[],
  columns: readonly Column<LegFacts>[],
  { withNotes, width }: { readonly withNotes: boolean; readonly width: number },
): string[] {
  if (facts.length === 0) return ['', 'legs: none']
  const { rows, more } = firstOf(facts, MOST_ROWS)
  const { title, rows: rowLines } = layOut(filledColumns(columns, rows), rows, width - INDENT.length)
  const below = ({ what, why, note, ids }: LegFacts) => [
    `${what}: ${why}`,
    ...(withNotes && note !== '' ? [note] : []),
    ...(width === UNBOUNDED ? [idsText(ids)] : ids.map((id) => idsText([id]))),
  ]
  const texts = rows.flatMap((leg, index) => [
    ...(title.length === 0 && index > 0 ? [''] : []),
    ...(rowLines[index] ?? []),
    ...below(leg)
      .filter((text) => text !== '')
      .flatMap((text) => textLines(textOn(text, width), width - INDENT.length, '    ')),
  ])
  return part('legs', [...title, ...texts, ...(more > 0 ? [moreText(more)] : [])])
}

function idsText(ids: LegFacts['ids']): string {
  return ids.map(([name, id]) => `${name} ${id}`).join('  ')
}

function restLines(plan: Plan, width: number): string[] {
  const { valuationAsset, nonLegs, guards } = plan
  return [
    ...part('ways', bounded(wayColumns(valuationAsset), wayRows(plan), width)),
    ...part('not done', bounded(nonLegColumns, nonLegs, width)),
    ...part('guards', bounded(guardColumns, guards, width)),
  ]
}

function bounded<Row>(columns: readonly Column<Row>[], all: readonly Row[], width: number): string[] {
  const { rows, more } = firstOf(all, MOST_ROWS)
  if (rows.length === 0) return []
  const lines = tableLines(filledColumns(columns, rows), rows, width - INDENT.length)
  return [...lines, ...(more > 0 ? [moreText(more)] : [])]
}

function textsIn(texts: readonly string[], width: number): string[] {
  return texts.flatMap((text) => textLines(textOn(text, width), width))
}

/** A sentence, whose figures a screen cuts. */
function textOn(text: string, width: number): string {
  return printable(width === UNBOUNDED ? text : shortened(text))
}

const INDENT = '  '

/** A part with a title, and a blank line above it. Empty where there is nothing to show. */
function part(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines.map((line) => (line === '' ? '' : `${INDENT}${line}`))]
}
