// Reports what became of a withdrawal: reads the row of a proven withdrawal, and an ended intent from the journal. Reads only,
// so any process may ask again at any time. Once the movement has ended, the answer stays the same.
import { WithdrawEnd, WithdrawStep } from '../../contract/outcomes.ts'
import { statusText } from '../../contract/service-names.ts'
import type { Timing } from '../../contract/timing.ts'
import {
  FAILED_WITHDRAWAL_STATUSES,
  type WithdrawalCandidate,
  type WithdrawReport,
  withdrawReport,
} from '../../contract/withdraw.ts'
import { Defect } from '../../errors.ts'
import { isOpened, type WithdrawIntent } from '../../journal/intent.ts'
import { parseDecimal } from '../../money/decimal.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { CLOCK_AGE_LIMIT_MS } from '../polling.ts'
import { type BalanceReads, type ByBalance, backByBalance, bookedByMs, isNeverBooked } from './back-by-balance.ts'
import { type BookedEntry, type Booking, bookingByComparison, bookingOf } from './booking.ts'
import { isAsRequested } from './match.ts'
import type { WithdrawalReads } from './ports.ts'

/** Evidence must fit a state, and a person cannot decide on more rows than these. */
const MOST_CANDIDATES = 20

/** The status with which a service says itself that the total is back. */
const REFUNDED = 'REFUNDED'

type LedgerReads = Pick<WithdrawalReads, 'ledgerOf' | 'findCompletedLike'> & BalanceReads

/** `isUntold`: no later read is expected to say whether its total is back. */
export type SeenWithdrawal = WithdrawReport & { readonly isUntold?: true }

/**
 * @returns COMPLETED, or NEEDS_ATTENTION where the service took more than was allowed. FAILED_REFUNDED once the ledger shows
 * the refund, or shows that nothing was ever booked. Else PROCESSING: statuses are an open set, so a row with an unknown status
 * is still moving.
 * @throws Transient, Refused, Defect
 */
export async function reportWithdrawal(
  intent: WithdrawIntent,
  service: Pick<WithdrawalReads, 'clock' | 'findWithdrawal' | keyof LedgerReads>,
  timing: Timing,
): Promise<SeenWithdrawal> {
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
  if (row.status === 'COMPLETED') {
    const why = findOvercharge(row, intent)
    if (why === undefined) return { ...known, ...figures, outcome: WithdrawEnd.Completed }
    return { ...known, ...figures, outcome: WithdrawEnd.NeedsAttention, why }
  }
  if (!FAILED_WITHDRAWAL_STATUSES.has(row.status)) {
    return { ...known, ...figures, ...processing, why: `the withdrawal is ${statusText(row.status)}` }
  }
  const { isBack, isByBalance, isUntold, why } = await whetherBack(row, intent, service, timing)
  const ended = { ...known, ...figures, why: `the withdrawal ended as ${statusText(row.status)}, and ${why}` }
  return isBack
    ? { ...ended, outcome: WithdrawEnd.FailedRefunded, ...(isByBalance && { isByBalance }) }
    : { ...ended, ...processing, isRefundDue: true as const, ...(isUntold && { isUntold }) }
}

/** One sentence where the service took more than the request allows, or than people approved. */
function findOvercharge({ total }: WithdrawalState, { params, attempt }: WithdrawIntent): string | undefined {
  const isMore = (bound: unknown) =>
    typeof bound === 'string' && parseDecimal(total, 'total') > parseDecimal(bound, 'most')
  if (isMore(params.most)) return `it took ${total}, and ${params.most} is the most that was asked for`
  return isMore(attempt?.approvedTotal) ? `it took ${total}, and people approved ${attempt?.approvedTotal}` : undefined
}

/** Unless a person chose the row, only a row exactly as asked for makes an intent DONE. @throws Defect for another row */
function assertOwn(row: WithdrawalState, intent: WithdrawIntent): void {
  if (intent.resolution !== undefined || !isOpened(intent) || isAsRequested(row, intent.frozen)) return
  throw new Defect(`withdrawal ${row.id} is not what intent ${intent.intentId} asked for`)
}

/** The journal's facts about a proven withdrawal. @throws Defect where no withdrawal is proven */
export function knownOf({ intentId, attemptNumber: attempts, ref, frozen: { assetSymbol } }: WithdrawIntent) {
  if (ref === undefined) throw new Defect(`intent ${intentId} has no movement to report on`)
  return { intentId, attempts, withdrawalId: ref, assetSymbol }
}

interface Back {
  readonly isBack: boolean
  readonly isByBalance?: true
  readonly isUntold?: true
  readonly why: string
}

/** Whether the total of a failed withdrawal is back. By the balance alone it is not certain. */
async function whetherBack(
  row: WithdrawalState,
  intent: WithdrawIntent,
  service: LedgerReads & Pick<WithdrawalReads, 'clock'>,
  timing: Timing,
): Promise<Back> {
  const { clock } = service
  await clock.ensure(CLOCK_AGE_LIMIT_MS)
  const isPast = () => clock.reachedMs() > bookedByMs(intent, timing)
  if (!isPast()) await clock.measure()
  // The clock is read before the ledger: past its fence, an entry of the send is visible or will never exist.
  const isVisible = isPast()
  const { booking, entries } = await readBooking(row, intent, timing, isVisible, service)
  // Past that fence every older debit is visible too, and can serve for comparison.
  const compared = booking === 'unclear' && isVisible ? await compare({ row, entries }, intent, service) : booking
  switch (compared) {
    case 'refunded':
      return { isBack: true, why: `its total of ${row.total} came back` }
    case 'none':
      // A service that books at completion has taken nothing.
      return { isBack: true, why: 'nothing was booked for it' }
    case 'unclear':
      return isVisible ? byBalance(row, intent, service) : { isBack: false, why: unclearText(row) }
    case 'unseen':
      return { isBack: false, why: 'the ledger shows nothing of it, and nothing that was booked after it' }
    case 'debited':
      return { isBack: false, why: 'its refund is not visible yet' }
  }
}

function unclearText({ total }: WithdrawalState): string {
  return `its entries in the ledger do not say that ${total} came back`
}

/** Where more than a debit is booked, the balance says whether it is a refund. Where it cannot, the service's own word counts. */
async function byBalance(
  row: WithdrawalState,
  { attempt, frozen: { assetSymbol } }: WithdrawIntent,
  service: LedgerReads,
): Promise<Back> {
  const told: ByBalance =
    attempt === undefined || assetSymbol === undefined
      ? { untold: 'the time of its send is not known' }
      : await backByBalance(row, { assetSymbol, sentMs: attempt.iat * 1000 }, service)
  if (told === 'refunded' && row.status !== REFUNDED)
    return {
      ...{ isBack: true, isByBalance: true },
      why: `the balance alone says that it came back: it is as if ${row.total} had never left, and no entry of the ledger names the refund`,
    }
  if (told === 'debited') return { isBack: false, why: `${unclearText(row)}, and the balance lacks it` }
  if (told === 'refunded' || row.status === REFUNDED)
    return { isBack: true, why: `the service calls its total of ${row.total} refunded` }
  return { isBack: false, isUntold: true, why: `${unclearText(row)}, and the balance cannot: ${told.untold}` }
}

/**
 * The ledger's view of a withdrawal now. `unseen` where it has no entry, and does not show that none will come. `none` only
 * after two empty answers. `isVisible`: whether `bookedByMs` has passed.
 * @throws Transient, Refused, Defect
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

async function compare(
  failed: { readonly row: WithdrawalState; readonly entries: readonly BookedEntry[] },
  { frozen: { assetSymbol } }: WithdrawIntent,
  service: LedgerReads,
): Promise<Booking> {
  const completed = assetSymbol === undefined ? undefined : await service.findCompletedLike(failed.row, assetSymbol)
  if (completed === undefined) return 'unclear'
  return bookingByComparison(failed, { row: completed, entries: await service.ledgerOf(completed) })
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

export function candidatesOf(rows: readonly WithdrawalState[]): WithdrawalCandidate[] {
  return rows.slice(0, MOST_CANDIDATES).map(({ assetSymbol: _, ...candidate }) => candidate)
}

/** Returns the candidate rows in an intent's evidence. Evidence that is a list comes from `candidatesOf`. */
export function candidatesIn(evidence: unknown): readonly WithdrawalCandidate[] {
  return Array.isArray(evidence) ? evidence : []
}
