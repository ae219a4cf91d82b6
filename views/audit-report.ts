// Puts an audit into words: its findings, what it judged, and what it leaves to a later audit. Pure.

import type { ReconcileReport } from '../core/contract/reconcile.ts'
import { printable } from '../core/printable.ts'
import type { Column } from '../operations/words/column.ts'
import { textLines } from './text/table.ts'

type Finding = ReconcileReport['findings'][number]

export const FINDING_COLUMNS: readonly Column<Finding>[] = [
  { title: 'finding', text: ({ finding }) => finding },
  { title: 'message', text: ({ message }) => message, isDetail: true },
]

export function findingLines({ finding, message }: Finding, width: number): string[] {
  return textLines(printable(`${finding}  ${message}`), width)
}

/** Whether the audit judged everything that is old enough. */
export function isWhole({ through, youngSince }: ReconcileReport): boolean {
  return Date.parse(through) >= Date.parse(youngSince)
}

/** Says which time the verdict leaves out, and from when on an audit covers it. */
export function unjudgedText(report: ReconcileReport): string {
  const { through, youngSince, allFrom, waiting } = report
  const seen = waiting === 1 ? 'one finding' : `${waiting} findings`
  const early = waiting === 0 ? '' : `; ${seen} of the ledger may be too young, and the next audit shows what remains`
  const young = `what moved after ${youngSince} is too young: an audit from ${allFrom} on judges all that has moved by now`
  if (isWhole(report)) return `not judged: ${young}${early}`
  return `not judged: what moved after ${through}, because one audit takes a week, or 10,000 movements, and the next continues from there; ${young}${early}`
}

export function judgedText(report: ReconcileReport): string {
  const { orders, fills, withdrawals, entries, intents, foreign, since, againFrom, through } = report
  const others = foreign === 0 ? '' : `, ${foreign} of them by others`
  const open = `${intents} ${intents === 1 ? 'intent' : 'intents'}`
  const again = againFrom === undefined ? '' : `; what is dated after ${againFrom} was judged again`
  if (Date.parse(through) <= Date.parse(since)) {
    return `nothing that moved after ${since} is old enough to be judged; ${open} checked`
  }
  return `${orders} orders, ${withdrawals} withdrawals${others}, ${entries} entries of the ledger, and ${open}, after ${since} through ${through}${again}; ${fills} fills were read`
}
