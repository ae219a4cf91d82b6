// How intents of each kind are concluded: the schema of their requests, and the reports of their ends.
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
  /** Ends of an intent that never moved anything: by a refusal, and by a fault. */
  readonly refused: string
  readonly failed: string
  /** The same, by a bug or a broken contract. */
  readonly broken: string
  /** End of one whose record the journal has lost: it may have moved. */
  readonly attention: string
  /** The request, or `undefined` where it is none. */
  parse(request: unknown): unknown
  /** The asset in whose lanes others wait while it is in doubt; perhaps as a request has it that no schema took. */
  laneAsset(params: unknown): string | undefined
  /** No intent of this id and request is in the journal. */
  unopened(intentId: string, why: string): Report
  /** The journal has lost it, and its id is another request's by now. */
  lost(intentId: string, why: string): Report
  /** READY, or not in the journal yet: nothing was sent, and nothing has ended. */
  keptWaiting(execution: string, attempts: number, why: string): Report
  /** ARMED: a movement may exist. */
  inDoubt(intent: IntentOf<Kind>, why: string): Report
  /** DONE: the movement exists, and what became of it could not be read. */
  unread(intent: IntentOf<Kind>, why: string): Report
  /** REJECTED, EXHAUSTED or ESCALATED: as recorded. */
  ended(intent: IntentOf<Kind>): Report
}

export const conversionConclusion: Conclusion<typeof IntentKind.Convert, ConvertReport> = {
  kind: IntentKind.Convert,
  refused: ConvertEnd.Rejected,
  failed: ConvertEnd.Failed,
  broken: ConvertEnd.OwnFault,
  attention: ConvertEnd.NeedsAttention,
  parse: (request) => convertRequest.safeParse(request).data,
  // An order is known by its id before it is sent: none is taken for another.
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
    // One that somebody has made DONE may have none.
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
  // The parameters of an intent are an object, whatever was taken for a request when it was opened.
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
