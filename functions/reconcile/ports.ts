// What the audit reads: interfaces only. Amounts are settled decimal strings; reads throw Transient,
// Refused or Defect, as those of core/service/ports.ts do.
import type { ConvertFill } from '../../core/contract/convert.ts'
import type { Finding } from '../../core/contract/reconcile.ts'
import type { Timing } from '../../core/contract/timing.ts'
import type { IntentIndex } from '../../core/journal/intent-index.ts'
import type { Journal } from '../../core/journal/journal.ts'
import type { Watermarks } from '../../core/journal/watermarks.ts'
import type { UnapprovedFinder } from '../../core/runs/approval/approved-leg.ts'
import type { OrderState, ServiceClock, WithdrawalState } from '../../core/service/ports.ts'
import type { StartsPorts } from './judge-starts.ts'

export interface AuditedOrder extends OrderState {
  readonly createdAt: string
}

export interface AuditedFill extends ConvertFill {
  readonly orderId: string
}

/** Of the fields, only a source and a settled amount are promised; null where it has no such shape. */
export interface AuditedEntry {
  readonly id: string | null
  /** Says the direction; open. */
  readonly type: string | null
  readonly assetSymbol: string | null
  readonly amount: string | null
  /** `id` is that of a fill or a withdrawal. */
  readonly source: { readonly type: string; readonly id: string } | null
  readonly orderId: string | null
  readonly createdAt: string | null
}

/** ISO-8601. Whether a list holds what lies on an end is not said. */
export interface Span {
  readonly startDate: string
  readonly endDate: string
}

/** Walks bring at most `limit` items: TooMany beyond it. */
export interface AuditedService {
  readonly clock: ServiceClock
  walkOrders(span: Span, limit: number): AsyncIterable<AuditedOrder>
  walkFills(since: Pick<Span, 'startDate'>, limit: number): AsyncIterable<AuditedFill>
  walkWithdrawals(span: Span, limit: number): AsyncIterable<WithdrawalState>
  /** In the service's order, which is not described. */
  walkLedger(filter: { readonly sourceId?: string }, limit: number): AsyncIterable<AuditedEntry>
  findOrder(orderId: string): Promise<AuditedOrder | undefined>
  findWithdrawal(withdrawalId: string): Promise<WithdrawalState | undefined>
}

export interface ReconcilePorts {
  readonly journal: Pick<Journal, 'find' | 'findClaim' | 'findForeign'>
  readonly findUnapproved: UnapprovedFinder
  readonly index: IntentIndex
  readonly watermarks: Watermarks
  readonly service: AuditedService
  /** Takes each finding as it is found. */
  readonly tell: (finding: Finding) => void
  readonly timing: Timing
  /** True where others write to the account: what no intent claims is theirs. */
  readonly isShared: boolean
  /** Whether policies started when they were due. Absent where nothing is on a schedule, and on one machine. */
  readonly starts?: StartsPorts
}
