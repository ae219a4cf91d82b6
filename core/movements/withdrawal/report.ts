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
import { lostFenceMs } from '../../journal/examine-lost.ts'
import { withdrawalFenceMs } from '../../journal/fence.ts'
import { isOpened, type WithdrawIntent } from '../../journal/intent.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { CLOCK_AGE_LIMIT_MS } from '../polling.ts'
import { type BookedEntry, type Booking, bookingBeside, bookingOf } from './booking.ts'
import { isAsAsked } from './match.ts'
import type { WithdrawalReads } from './ports.ts'

/** Evidence must fit a state; more rows than these are not for eyes to decide on. */
const MOST_CANDIDATES = 20

type LedgerReads = Pick<WithdrawalReads, 'ledgerOf' | 'showsOthers' | 'findCompletedLike'>

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
  const { attempt } = intent
  const fenceMs = attempt === undefined ? lostFenceMs(intent, timing) : withdrawalFenceMs(attempt, timing)
  const isVisible = clock.reachedMs() > fenceMs
  // Past that fence every debit that is older shows too, and can be compared with.
  const booking = await lookAtBooking(row, isVisible ? intent.frozen.assetSymbol : undefined, service)
  if (booking === 'refunded') return { isBack: true, why: `its total of ${row.total} came back` }
  // A service that books at completion has taken nothing.
  if (booking === 'none' && isVisible) return { isBack: true, why: 'nothing was booked for it' }
  if (booking === 'unclear')
    return { isBack: false, why: `its entries in the ledger do not say that ${row.total} came back` }
  return { isBack: false, why: 'its refund is not visible yet' }
}

/**
 * What the ledger shows of a withdrawal now; `unseen` where it shows nothing at all. An index of it may be behind, and then
 * it is empty with a 200: so `none` is said only between two empty answers where it shows entries of something else.
 * @throws Transient, Refused, Defect
 */
export async function readBooking(
  row: Pick<WithdrawalState, 'id' | 'total'>,
  service: Pick<WithdrawalReads, 'ledgerOf' | 'showsOthers'>,
): Promise<{ readonly booking: Booking | 'unseen'; readonly entries: readonly BookedEntry[] }> {
  let entries = await service.ledgerOf(row)
  if (entries.length === 0) {
    if (!(await service.showsOthers(row))) return { booking: 'unseen', entries }
    entries = await service.ledgerOf(row)
  }
  return { booking: bookingOf(entries, row.total), entries }
}

async function lookAtBooking(
  row: WithdrawalState,
  assetSymbol: string | undefined,
  service: LedgerReads,
): Promise<Booking | 'unseen'> {
  const { booking, entries } = await readBooking(row, service)
  if (booking !== 'unclear' || assetSymbol === undefined) return booking
  const completed = await service.findCompletedLike(row, assetSymbol)
  if (completed === undefined) return booking
  return bookingBeside({ row, entries }, { row: completed, entries: await service.ledgerOf(completed) })
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
