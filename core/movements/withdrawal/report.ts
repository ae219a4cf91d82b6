// Says what became of a withdrawal: of a proven one by reading its row, of an ended intent from the
// journal. Reads only; any process may ask again at any time and hears the same.
import { WithdrawEnd, WithdrawStep } from '../../contract/outcomes.ts'
import type { Timing } from '../../contract/timing.ts'
import {
  FAILED_WITHDRAWAL_STATUSES,
  type WithdrawalCandidate,
  type WithdrawReport,
  withdrawReport,
} from '../../contract/withdraw.ts'
import { Defect } from '../../errors.ts'
import { isOpened, type WithdrawIntent } from '../../journal/intent.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { CLOCK_AGE_LIMIT_MS } from '../polling.ts'
import { type BookedEntry, type Booking, bookingBeside, bookingOf } from './booking.ts'
import { isAsAsked } from './match.ts'
import { bookedByMs, isNeverBooked } from './never-booked.ts'
import type { WithdrawalReads } from './ports.ts'

/** Evidence must fit a state; more rows than these are not for eyes to decide on. */
const MOST_CANDIDATES = 20

type LedgerReads = Pick<WithdrawalReads, 'ledgerOf' | 'walkLedger' | 'findCompletedLike'>

/**
 * @returns COMPLETED; FAILED_REFUNDED once the ledger shows the refund, or that nothing was ever booked; else
 * PROCESSING: statuses are an open set, so an unknown one is still moving. @throws Transient, Refused, Defect
 */
export async function reportWithdrawal(
  intent: WithdrawIntent,
  service: Pick<WithdrawalReads, 'clock' | 'findWithdrawal' | keyof LedgerReads>,
  timing: Timing,
): Promise<WithdrawReport> {
  const known = knownOf(intent)
  const processing = { outcome: WithdrawStep.Processing, waits: 0 }
  const row = await service.findWithdrawal(known.withdrawalId)
  if (!row) return { ...known, ...processing, why: 'the withdrawal is accepted and not yet visible' }
  assertOwn(row, intent)
  const figures = {
    amount: row.amount,
    fee: row.fee,
    total: row.total,
    transactionHash: row.transactionHash,
    bankReference: row.bankReference,
  }
  if (row.status === 'COMPLETED') return { ...known, ...figures, outcome: WithdrawEnd.Completed }
  if (!FAILED_WITHDRAWAL_STATUSES.has(row.status)) {
    return { ...known, ...figures, ...processing, why: `the withdrawal is ${row.status}` }
  }
  const { isBack, why } = await whetherBack(row, intent, service, timing)
  const ended = { ...known, ...figures, why: `the withdrawal ended ${row.status}, and ${why}` }
  return isBack ? { ...ended, outcome: WithdrawEnd.FailedRefunded } : { ...ended, ...processing }
}

/** Where no person has said which it is, only a row that is as it was asked for has made an intent DONE. @throws Defect */
function assertOwn(row: WithdrawalState, intent: WithdrawIntent): void {
  if (intent.resolution !== undefined || !isOpened(intent) || isAsAsked(row, intent.frozen)) return
  throw new Defect(`withdrawal ${row.id} is not what intent ${intent.intentId} asked for`)
}

/** What the journal knows of a proven withdrawal. @throws Defect where none is proven */
export function knownOf({ intentId, attemptNumber: attempts, ref, frozen: { assetSymbol } }: WithdrawIntent) {
  if (ref === undefined) throw new Defect(`intent ${intentId} has no movement to report on`)
  return { intentId, attempts, withdrawalId: ref, assetSymbol }
}

/** Whether the total of one that failed for good is certainly back. The balance says nothing of it: others move it too. */
async function whetherBack(
  row: WithdrawalState,
  intent: WithdrawIntent,
  service: LedgerReads & Pick<WithdrawalReads, 'clock'>,
  timing: Timing,
): Promise<{ readonly isBack: boolean; readonly why: string }> {
  const { clock } = service
  await clock.ensure(CLOCK_AGE_LIMIT_MS)
  // Time first, then the look: past its fence, what a send has made is in the ledger or never will be.
  const isVisible = clock.reachedMs() > bookedByMs(intent, timing)
  const { booking, entries } = await readBooking(row, intent, timing, isVisible, service)
  // Past that fence every debit that is older shows too, and can be compared with.
  const compared = booking === 'unclear' && isVisible ? await compare({ row, entries }, intent, service) : booking
  switch (compared) {
    case 'refunded':
      return { isBack: true, why: `its total of ${row.total} came back` }
    case 'none':
      // A service that books at completion has taken nothing.
      return { isBack: true, why: 'nothing was booked for it' }
    case 'unclear':
      return { isBack: false, why: `its entries in the ledger do not say that ${row.total} came back` }
    case 'unseen':
      return { isBack: false, why: 'the ledger shows nothing of it, and nothing that was booked after it' }
    case 'debited':
      return { isBack: false, why: 'its refund is not visible yet' }
  }
}

/**
 * What the ledger shows of a withdrawal now; `unseen` where it has no entry of it, and does not show that there will be none.
 * `none` is said only between two empty answers. `isVisible`: whether `bookedByMs` has passed. @throws Transient, Refused, Defect
 */
export async function readBooking(
  row: Pick<WithdrawalState, 'id' | 'total' | 'createdAt'>,
  intent: WithdrawIntent,
  timing: Timing,
  isVisible: boolean,
  service: Pick<WithdrawalReads, 'ledgerOf' | 'walkLedger'>,
): Promise<{ readonly booking: Booking | 'unseen'; readonly entries: readonly BookedEntry[] }> {
  let entries = await service.ledgerOf(row)
  if (entries.length === 0) {
    const isNever = isVisible && (await isNeverBooked(row, bookedByMs(intent, timing), timing, service))
    if (!isNever) return { booking: 'unseen', entries }
    entries = await service.ledgerOf(row)
  }
  return { booking: bookingOf(entries, row.total), entries }
}

/** By an older withdrawal that is COMPLETED, where there is one. */
async function compare(
  failed: { readonly row: WithdrawalState; readonly entries: readonly BookedEntry[] },
  { frozen: { assetSymbol } }: WithdrawIntent,
  service: LedgerReads,
): Promise<Booking> {
  const completed = assetSymbol === undefined ? undefined : await service.findCompletedLike(failed.row, assetSymbol)
  if (completed === undefined) return 'unclear'
  return bookingBeside(failed, { row: completed, entries: await service.ledgerOf(completed) })
}

/** For REJECTED, EXHAUSTED and ESCALATED intents. @throws Defect for a record without an outcome. */
export function reportEnd(intent: WithdrawIntent): WithdrawReport {
  const parsed = withdrawReport.safeParse({
    outcome: intent.outcome,
    intentId: intent.intentId,
    attempts: intent.attemptNumber,
    assetSymbol: intent.params.assetSymbol,
    why: intent.why,
    guardedBy: intent.guardedBy,
    ...(intent.state === 'ESCALATED' && { candidates: intent.evidence }),
  })
  if (!parsed.success) throw new Defect(`intent ${intent.intentId} ended ${intent.state} without a known outcome`)
  return parsed.data
}

/** What a person needs to see of each row, and no more. */
export function candidatesOf(rows: readonly WithdrawalState[]): WithdrawalCandidate[] {
  return rows.slice(0, MOST_CANDIDATES).map(({ assetSymbol: _, ...candidate }) => candidate)
}

/** Those that an intent's evidence holds: a list of it is what the function above made. */
export function candidatesIn(evidence: unknown): readonly WithdrawalCandidate[] {
  return Array.isArray(evidence) ? evidence : []
}
