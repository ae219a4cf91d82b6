// Defines the interfaces through which the audit reads. Amounts are settled decimal strings. Reads throw Transient,
// Refused or Defect, as in core/service/ports.ts.
import type { ConvertFill } from '../../core/contract/convert.ts'
import type { Finding } from '../../core/contract/reconcile.ts'
import type { Verb } from '../../core/contract/states.ts'
import type { Timing } from '../../core/contract/timing.ts'
import type { IntentIndex } from '../../core/journal/intent-index.ts'
import type { Journal, PersonsDecision } from '../../core/journal/journal.ts'
import type { Watermarks } from '../../core/journal/watermarks.ts'
import type { UnapprovedFinder } from '../../core/runs/approval/audited-approval.ts'
import type { PaidTwiceFinder } from '../../core/runs/plan/payments.ts'
import type { OrderState, ServiceClock, WithdrawalState } from '../../core/service/ports.ts'
import type { StartsPorts } from './judge-starts.ts'

export interface AuditedOrder extends OrderState {
  readonly createdAt: string
}

export interface AuditedFill extends ConvertFill {
  readonly orderId: string
}

/** A ledger entry. The service promises only a source and a settled amount. A field of another shape is null. */
export interface AuditedEntry {
  readonly id: string | null
  /** Names the direction; an open set. */
  readonly type: string | null
  readonly assetSymbol: string | null
  readonly amount: string | null
  /** `id` belongs to a fill, a withdrawal or a deposit. */
  readonly source: { readonly type: string; readonly id: string } | null
  readonly orderId: string | null
  readonly createdAt: string | null
}

/** A page of the ledger, counted from 1, and the number of entries on all pages. */
export interface LedgerPage {
  readonly entries: readonly AuditedEntry[]
  readonly totalEntries: number
}

/** Entries of a page of the ledger. Only the last page may have fewer. */
export const LEDGER_PAGE = 100

/** A span of time in ISO-8601. The service does not say whether its ends are inclusive. */
export interface Span {
  readonly startDate: string
  readonly endDate: string
}

/** The audit's reads of the service. Walks yield at most `limit` items, and throw TooMany beyond it. */
export interface AuditedService {
  readonly clock: ServiceClock
  walkOrders(span: Span, limit: number): AsyncIterable<AuditedOrder>
  walkFills(span: Pick<Span, 'startDate'> & Partial<Span>, limit: number): AsyncIterable<AuditedFill>
  findFills(orderId: string): Promise<readonly AuditedFill[]>
  walkWithdrawals(span: Span, limit: number): AsyncIterable<WithdrawalState>
  /** Entries in the service's order, which is not described. */
  walkLedger(filter: { readonly sourceId?: string }, limit: number): AsyncIterable<AuditedEntry>
  readLedgerPage(page: number): Promise<LedgerPage>
  findOrder(orderId: string): Promise<AuditedOrder | undefined>
  findWithdrawal(withdrawalId: string): Promise<WithdrawalState | undefined>
}

export interface ReconcilePorts {
  readonly journal: Pick<Journal, 'find' | 'findClaim' | 'findForeign'>
  readonly findUnapproved: UnapprovedFinder
  /** One sentence where a person whom AWS confirmed has signed no request for these words. @throws Transient, Defect */
  readonly findUnheard: (verb: Verb, said: PersonsDecision) => Promise<string | undefined>
  /** One sentence for each resume that has no signed request. @throws Transient, Defect */
  readonly findUnheardResumes: () => Promise<readonly string[]>
  readonly findPaidTwice: PaidTwiceFinder
  readonly index: IntentIndex
  readonly watermarks: Watermarks
  /** ISO-8601: when the keys were verified for this deployment. @throws Transient */
  readonly findVerifiedAt: () => Promise<string | undefined>
  readonly service: AuditedService
  /** Whether this call may begin another slice. A slice that began is judged to its end. */
  readonly hasTime: () => boolean
  /** Reports each finding once its slice is judged. */
  readonly report: (finding: Finding) => void
  readonly timing: Timing
  /** True where others write to the account. A movement that no intent claims is then theirs. */
  readonly isShared: boolean
  /** Checks that policies started when due. Absent without schedules, and on one machine. */
  readonly starts?: StartsPorts
}
