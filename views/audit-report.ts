// Puts an audit into words: its findings, what it judged, and what it leaves to a later audit. Pure.

import { isWholeAudit, type ReconcileReport } from '../core/contract/reconcile.ts'
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

/** Says which time the verdict leaves out, and from when on an audit covers it. */
export function unjudgedText(report: ReconcileReport): string {
  const { youngSince, allFrom, waiting } = report
  const seen = waiting === 1 ? 'one finding' : `${waiting} findings`
  const early = waiting === 0 ? '' : `; ${seen} of the ledger may be too young, and the next audit shows what remains`
  const young = `what moved after ${youngSince} is too young: an audit from ${allFrom} on judges all that has moved by now`
  if (isWholeAudit(report)) return `not judged: ${young}${early}`
  return `not judged: ${leftText(report)}, and the next audit continues from there; ${young}${early}`
}

/** Names what an audit of several calls has not reached yet. */
function leftText({ through, youngSince, againLeftFrom, since }: ReconcileReport): string {
  const again = `what is dated after ${againLeftFrom} through ${since} is judged again`
  if (Date.parse(through) >= Date.parse(youngSince)) return again
  return `what moved after ${through} through ${youngSince}${againLeftFrom === undefined ? '' : `; ${again}`}`
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
