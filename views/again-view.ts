// Shows the results of `cases again` and of a check of ends: which executions were started again, and what is left.
// Pure.

import { outcomeText } from '../core/contract/outcome-names.ts'
import { counted, printable } from '../core/printable.ts'
import type { CheckedEnds } from '../operations/cases/check-ends.ts'
import type { Entered } from '../operations/cases/enter.ts'
import type { AgainResult } from '../operations/cases/enter-cases.ts'
import type { Column } from '../operations/words/column.ts'
import type { ResultView } from './result-view.ts'

export const ENTERED_COLUMNS: readonly Column<Entered>[] = [
  { title: 'id', text: ({ id }) => id, isId: true },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'was', text: ({ was }) => was },
  { title: 'outcome', text: ({ outcome }) => outcome },
  { title: 'why', text: ({ why }) => why ?? '', isDetail: true },
]

/** Without lines, because a table of its own lists the executions. */
export function viewOfEntered(looked: AgainResult): Omit<ResultView, 'lines'> {
  const { entered, more, isCutOff, unreadable, inNeed } = looked
  return {
    facts: { entered: entered.map(({ exitCode: _code, ...row }) => row), more, isCutOff, unreadable },
    notes: [
      ...(entered.length === 0 && unreadable.length === 0 ? ['nothing is in doubt'] : []),
      ...(more > 0 ? [`${more} more are in doubt`] : []),
      ...(isCutOff
        ? ['more intents are open than were checked: once these are settled, the same command checks the others']
        : []),
      ...unreadable.map((message) => `not entered, as it cannot be read: ${printable(message)}`),
      ...(inNeed > 0 ? [`still need a person, or another try: ${inNeed}`] : []),
    ],
  }
}

/** Such as `under way before, settled now: every leg moved`, for each of them. The id that was asked for is left out. */
export function enteredText(asked: string, { entered }: AgainResult): string {
  if (entered.length === 0) return 'nothing is in doubt'
  return entered
    .map(({ id, kind, was, outcome, why }) => {
      const named = id === asked ? '' : `${kind} ${id}: `
      return `${named}${outcomeText(was)} before, ${outcomeText(outcome)} now${why === null ? '' : `: ${why}`}`
    })
    .join('; ')
}

/** Shows what the service answered about movements that are on their way. */
export function viewOfChecked(
  asked: string,
  checked: CheckedEnds,
): Omit<ResultView, 'lines'> & { readonly says: string } {
  const { count, ended, open, again } = checked
  if (again !== undefined) return { ...viewOfEntered(again), says: enteredText(asked, again) }
  const unsent = open === 0 ? '' : `; ${counted(open, 'movement')} more wait to be sent, or are in doubt`
  const says =
    count === 0 && open === 0
      ? 'nothing of it has been sent'
      : `${ended} of ${counted(count, 'movement')} ended at the service${unsent}. It is checked again by itself`
  return { facts: { count, ended, open }, says, notes: [] }
}
