// Describes how each kind of intent is concluded: the schema of its requests, and the reports of its ends.
import { type ConvertReport, convertRequest } from '../../core/contract/convert.ts'
import { assetCode, intentIdOf } from '../../core/contract/fields.ts'
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { type WithdrawReport, withdrawRequest } from '../../core/contract/withdraw.ts'
import type { ConvertIntent, IntentOf, WithdrawIntent } from '../../core/journal/intent.ts'
import { sideOf } from '../../core/movements/conversion/convert-intent.ts'
import { reportEnd as reportConversionEnd } from '../../core/movements/conversion/report.ts'
import { reportEnd as reportWithdrawalEnd } from '../../core/movements/withdrawal/report.ts'
import { assetOf } from '../../core/movements/withdrawal/withdraw-intent.ts'

export interface Conclusion<Kind extends IntentKind, Report> {
  readonly kind: Kind
  /** Outcome of an intent that moved nothing because of a refusal. */
  readonly refused: string
  /** Outcome of an intent that moved nothing because of a fault. */
  readonly failed: string
  /** Outcome of an intent that moved nothing because of a bug or a broken contract. */
  readonly broken: string
  /** Outcome of an intent whose record the journal has lost: it may have moved money. */
  readonly attention: string
  /** The parsed request, or `undefined` for an invalid request. */
  parse(request: unknown): unknown
  /**
   * The asset whose other withdrawals must wait while this one is in doubt. `params` may be a request that no schema
   * accepted.
   */
  laneAsset(params: unknown): string | undefined
  /** No intent of this id and request is in the journal. */
  unopened(intentId: string, why: string): Report
  /** The journal has lost the intent, and another request uses its id. */
  lost(intentId: string, why: string): Report
  /** READY, or not in the journal yet: nothing was sent, and the intent continues. */
  keptWaiting(execution: string, attempts: number, why: string): Report
  /** ARMED: a movement may exist. */
  inDoubt(intent: IntentOf<Kind>, why: string): Report
  /** DONE: the movement exists, and its end could not be read. */
  unread(intent: IntentOf<Kind>, why: string): Report
  /** REJECTED, EXHAUSTED or ESCALATED: the recorded end. */
  ended(intent: IntentOf<Kind>): Report
}

export const conversionConclusion: Conclusion<typeof IntentKind.Convert, ConvertReport> = {
  kind: IntentKind.Convert,
  refused: ConvertEnd.Rejected,
  failed: ConvertEnd.Failed,
  broken: ConvertEnd.OwnFault,
  attention: ConvertEnd.NeedsAttention,
  parse: (request) => convertRequest.safeParse(request).data,
  // An order's id is known before the send, so no order is mistaken for another.
  laneAsset: () => undefined,
  unopened: (intentId, why) => ({ outcome: ConvertEnd.Rejected, intentId, attempts: 0, why }),
  lost: (intentId, why) => ({ outcome: ConvertEnd.NeedsAttention, intentId, attempts: 0, why }),
  keptWaiting: (execution, attempts, why) => ({
    ...keptFacts(execution, attempts, why),
    outcome: ConvertEnd.OwnFault,
  }),
  inDoubt: (intent, why) => ({
    ...conversionFacts(intent),
    outcome: ConvertEnd.NeedsAttention,
    // A record that somebody edited to DONE may have no attempt.
    ...(intent.attempt && { orderId: intent.attempt.orderId }),
    why: `an order may have been placed and could not be looked up: ${why}`,
  }),
  unread: (intent, why) => ({
    ...conversionFacts(intent),
    outcome: ConvertEnd.Stuck,
    ...(intent.ref && { orderId: intent.ref }),
    why: `the order exists; its end could not be read: ${why}`,
  }),
  ended: reportConversionEnd,
}

export const withdrawalConclusion: Conclusion<typeof IntentKind.Withdraw, WithdrawReport> = {
  kind: IntentKind.Withdraw,
  refused: WithdrawEnd.Rejected,
  failed: WithdrawEnd.Exhausted,
  broken: WithdrawEnd.OwnFault,
  attention: WithdrawEnd.NeedsAttention,
  parse: (request) => withdrawRequest.safeParse(request).data,
  // The parameters of an intent are an object, whatever request it was opened with.
  laneAsset: (params) => assetCode.safeParse((params as { assetSymbol?: unknown }).assetSymbol).data,
  unopened: (intentId, why) => ({ outcome: WithdrawEnd.Rejected, intentId, attempts: 0, why }),
  lost: (intentId, why) => ({ outcome: WithdrawEnd.NeedsAttention, intentId, attempts: 0, why }),
  keptWaiting: (execution, attempts, why) => ({
    ...keptFacts(execution, attempts, why),
    outcome: WithdrawEnd.OwnFault,
  }),
  inDoubt: (intent, why) => ({
    ...withdrawalFacts(intent),
    outcome: WithdrawEnd.NeedsAttention,
    why: `a withdrawal may have been made and could not be looked up: ${why}`,
  }),
  unread: (intent, why) => ({
    ...withdrawalFacts(intent),
    outcome: WithdrawEnd.Stuck,
    ...(intent.ref && { withdrawalId: intent.ref }),
    why: `the withdrawal exists; its end could not be read: ${why}`,
  }),
  ended: reportWithdrawalEnd,
}

function keptFacts(execution: string, attempts: number, why: string) {
  const intentId = intentIdOf(execution)
  const kept = `nothing is sent until that is put right; then the same id goes on: ${why}`
  return { intentId, attempts, goesOn: true as const, why: kept }
}

function conversionFacts(intent: ConvertIntent) {
  return { intentId: intent.intentId, attempts: intent.attemptNumber, side: sideOf(intent) }
}

function withdrawalFacts(intent: WithdrawIntent) {
  return { intentId: intent.intentId, attempts: intent.attemptNumber, assetSymbol: assetOf(intent) }
}
