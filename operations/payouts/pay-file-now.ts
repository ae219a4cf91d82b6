// Pays a payout file for the person at the console: the same run as `sluice payouts run FILE`. It checks
// the file whole first, and asks with its totals. The id is part of the form, so that a yes that is sent twice pays once. The
// yes is to the rows and the payees that were shown.

import { counted } from '../../core/printable.ts'
import type { WithConsent } from '../../place/consent.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import { verbOf } from '../../place/named-policy.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { noteService } from '../../place/place.ts'
import { idMadeOf, parseRunId } from '../movements/intent-id.ts'
import { type CheckedPayouts, checkPayouts } from './check-payouts.ts'
import {
  assertNoFindings,
  findingText,
  type PaidFile,
  payFile,
  type Reporting,
  readPayingPolicy,
} from './payout-runs.ts'
import { parseForPolicy } from './read-payout-file.ts'

/** `text`: the content of the file. `by`: who asks, where the place takes a name. */
interface PayNow {
  readonly text: string
  readonly id: string
  readonly by?: string
}

interface PaymentCallbacks extends Pick<Reporting, 'watch'> {
  readonly withConsent: WithConsent
  readonly beginProgress: () => Progress
}

/** @throws OperationError with one line for each finding, and then nothing was sent; what `withConsent` throws */
export async function payFileNow(
  name: string,
  asked: PayNow,
  flags: ConnectionFlags,
  { withConsent, watch, beginProgress }: PaymentCallbacks,
  context: OperationContext,
): Promise<PaidFile> {
  const runId = parseRunId(asked.id)
  const payingPolicy = await readPayingPolicy(
    name,
    { ...flags, ...(asked.by !== undefined && { by: asked.by }) },
    context,
  )
  await noteService(payingPolicy.place)
  const file = await parseForPolicy(Buffer.from(asked.text), payingPolicy)
  const again = { do: 'run-payouts', policy: name, id: runId } as const
  const isBegun = () =>
    withJournalConnection(flags, context, async ({ runJournal }) => {
      const run = await runJournal.runs.find(idMadeOf(verbOf(payingPolicy.policy), runId))
      return run !== undefined
    })
  const progress = beginProgress()
  const reporting = { watch, progress }
  try {
    await withConsent(async (consent) => {
      // Its plan is a run that moves nothing. The words of that run would not fit a question whether to pay.
      const quiet = { watch: () => () => undefined, progress: SILENT }
      const checked = await checkPayouts(file, payingPolicy, again, quiet)
      assertNoFindings(checked.findings, 'correct the rows and check again')
      for (const line of checkedLines(checked)) context.output.note(line)
      // A run that was begun had its yes. Its rows cannot change, and its result is shown again.
      if (await isBegun()) return
      consent.to(questionOf(name, checked), { rows: file.rows, payees: checked.payees })
    })
    progress.line({ label: 'payouts', text: `${name}, id ${runId}`, tone: 'plain' })
    return await payFile(file, payingPolicy, { runId, again }, reporting)
  } finally {
    progress.end()
  }
}

/** It counts only what a run would pay now: another total would be mistaken for what leaves the account. */
function questionOf(name: string, { rows, toPay, totalsToPay: { byAsset, byPayee } }: CheckedPayouts): string {
  if (toPay === 0) return `run policy ${name} with these rows? Now it would pay nothing, and the notes say why`
  const sums = byAsset.map(({ amount, asset }) => `${amount} ${asset}`).join(', ')
  const payees = new Set(byPayee.map(({ contactId }) => contactId)).size
  const which = toPay === rows ? counted(rows, 'row') : `${toPay} of ${rows} rows`
  return `pay ${which} to ${counted(payees, 'payee')} by policy ${name}, ${sums} in all?`
}

const SILENT: Progress = { line: () => undefined, live: () => undefined, end: () => undefined }
/** Maximum notes about rows, and maximum payees, that a question shows. */
const MOST_NOTES = 50

/** Facts before the answer: how many rows would be paid now, rows that look odd or are paid already, and who is paid. */
function checkedLines({ rows, toPay, notes, payees, totalsToPay: { byPayee } }: CheckedPayouts): readonly string[] {
  const paid = byPayee.map(
    ({ amount, asset, contactId = '' }) => `${amount} ${asset} to ${payees[contactId] ?? `contact ${contactId}`}`,
  )
  return [
    `the file was checked, and has no fault: of ${counted(rows, 'row')}, ${toPay} would be paid now`,
    ...firstOf(notes.map(findingText), 'more note'),
    ...firstOf(paid, 'more payee'),
  ]
}

function firstOf(lines: readonly string[], kind: string): readonly string[] {
  const more = lines.length - MOST_NOTES
  return [...lines.slice(0, MOST_NOTES), ...(more > 0 ? [`and ${counted(more, kind)}`] : [])]
}
