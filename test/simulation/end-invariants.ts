// Checks the end of a schedule beyond the witness. Each report equals what moved, also later. Each intent ended.
// Budgets count the movements and the doubts.

import { findOrderFault, NO_FILLS } from '../../core/audit/judge-movement.ts'
import type { ConvertReport } from '../../core/contract/convert.ts'
import { ConvertEnd, WithdrawEnd } from '../../core/contract/outcomes.ts'
import { IntentKind, IntentState } from '../../core/contract/records.ts'
import type { WithdrawReport } from '../../core/contract/withdraw.ts'
import type { Intent } from '../../core/journal/intent.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { parseDecimal } from '../../core/money/decimal.ts'
import { isCauseToAsk, isKeptWaiting, isOfStrayKey, mayAskPerson } from './asked-persons.ts'
import type { Moved } from './guard-judge.ts'
import { NOT_PERMITTED } from './journal-model.ts'
import { intentsOf, kindOf, type Schedule } from './schedule.ts'
import type { Stage } from './stage.ts'
import type { Report } from './state-machines.ts'
import { CONTACT, type WithdrawalModel } from './withdrawal-model.ts'
import type { WitnessedMovement } from './witnessed.ts'

const CERTIFIED_ZERO: Readonly<Record<IntentKind, ReadonlySet<string>>> = {
  convert: new Set([ConvertEnd.Rejected, ConvertEnd.ExpiredOut, ConvertEnd.PriceRefused]),
  withdraw: new Set([WithdrawEnd.Rejected, WithdrawEnd.Exhausted]),
}

/** The reason for which a quote is refused. */
const NOT_AS_ASKED = /^the quote is not what was asked for: /
/** Refund entries that prove a refund only next to a COMPLETED withdrawal, or by the balance. */
const LEFT_TO_PERSONS: ReadonlySet<WithdrawalModel['truth']['entries']> = new Set([
  'one leg of a refund',
  'legs without names',
  'a refund of an unknown type',
  'a refund like a deposit',
  'no types',
])
const NOT_SAID_BACK = /its entries in the ledger do not say that \S+ came back/

/** Ends after which the same id does nothing any more. A conversion that FAILED with an order has moved. */
const CLOSED: ReadonlySet<string> = new Set([...CERTIFIED_ZERO.convert, ...CERTIFIED_ZERO.withdraw, ConvertEnd.Failed])

export function findEndViolations(
  stage: Stage,
  schedule: Schedule,
  ends: readonly Report[],
  lastEnds: readonly Report[],
): string[] {
  const found = ends.flatMap((end) => judgeEndReport(end, schedule, stage))
  // When it is entered again after all faults, an intent must reach a closed end.
  for (const end of lastEnds) {
    const again = `entered again without faults: ${end.outcome}, ${end.why}`
    const { record } = stage.witness.intents.get(end.intentId) ?? {}
    const isKeyUnfit = end.why?.includes('KeyFault') && mayAskPerson(end.intentId, schedule, stage)
    const isUnproven = isUnprovenBack(end.why ?? '', schedule.truth.withdrawals)
    if (isOvercharged(end, stage)) continue
    if (end.outcome === 'STUCK' && !isOfStrayKey(record) && !isKeyUnfit && !isUnproven) found.push(again)
    const asksPerson = end.outcome === 'NEEDS_ATTENTION' || end.outcome === 'OWN_FAULT'
    if (asksPerson && !mayAskPerson(end.intentId, schedule, stage) && !isOfForgery(end, schedule)) found.push(again)
  }
  const intents = intentsOf(schedule).size
  if (lastEnds.length !== intents) found.push(`${lastEnds.length} of ${intents} intents came to an end`)
  return [
    ...found,
    ...judgeRows(stage.service.withdrawals),
    ...judgeReservations(stage),
    ...judgeAudit(stage, schedule),
  ]
}

/**
 * Whether a person has to check a refund. This is so if its names do not distinguish it from the other leg of the
 * debit, if it has fewer legs, or if it was taken back. It is also so if the debit was never booked and later entries
 * have earlier dates.
 */
function isUnprovenBack(
  why: string,
  { entries, takenBack, datedTo, datedAheadMs = 0 }: WithdrawalModel['truth'],
): boolean {
  if (NOT_SAID_BACK.test(why)) return takenBack !== undefined || LEFT_TO_PERSONS.has(entries)
  return why.includes('nothing that was booked after it') && (datedTo === 'day' || datedAheadMs < 0)
}

/** Whether the service has taken more for a withdrawal than its request allows, or than people approved. */
function isOvercharged({ intentId }: Report, { witness, service }: Stage): boolean {
  const { record, movements = [] } = witness.intents.get(intentId) ?? {}
  const row = service.withdrawals.movements.find(({ id }) => id === movements[0]?.id)
  const { most } = (record?.params ?? {}) as { readonly most?: string }
  const { approvedTotal } = (record?.attempt ?? {}) as { readonly approvedTotal?: string }
  const isMore = (bound?: string) =>
    row !== undefined && bound !== undefined && parseDecimal(row.total, 'total') > parseDecimal(bound, 'bound')
  return isMore(most) || isMore(approvedTotal)
}

function judgeEndReport(end: Report, schedule: Schedule, stage: Stage): string[] {
  const { witness, service } = stage
  if (isOvercharged(end, stage)) return end.outcome === 'COMPLETED' ? ['COMPLETED, though it took too much'] : []
  const moved = witness.intents.get(end.intentId)?.movements ?? []
  const kind = kindOf(schedule, end.intentId)
  // Reports that its id now belongs to another request, and that a person must check it.
  if (schedule.forgery?.what === 'request' && end.why?.includes('was already asked for with other parameters'))
    return []
  if (end.outcome === 'OWN_FAULT' && isOfForgery(end, schedule))
    return moved.length === 0 ? [] : [`closed for a changed record, though ${moved.length} moved`]
  if (end.outcome === 'OWN_FAULT')
    return isKeptWaiting(end.why) ? [] : [`a fault of ours that is none of the list: ${end.why}`]
  if (CLOSED.has(end.outcome) && !('orderId' in end) && end.why?.includes(NOT_PERMITTED))
    return [`${end.outcome} for a permission that we lack: ${end.why}`]
  // An insider has settled other amounts than were asked for.
  if (schedule.forgery === undefined && NOT_AS_ASKED.test(end.why ?? '') && !service.orders.hasMisquoted)
    return [`a quote was refused that is what was asked for: ${end.why}`]
  if (CERTIFIED_ZERO[kind].has(end.outcome))
    return moved.length === 0 ? [] : [`${end.outcome}, though ${moved.length} moved`]
  if (end.outcome === 'NEEDS_ATTENTION')
    return isCauseToAsk(kind, end.why, schedule) ? [] : [`halted for no cause of the list: ${end.why}`]
  return kind === IntentKind.Convert
    ? judgeOrder(end as ConvertReport, moved, schedule)
    : judgeWithdrawal(end as WithdrawReport, moved, service.withdrawals)
}

/** Whether an intent was closed because somebody has changed its record. */
function isOfForgery({ why = '' }: Report, { forgery }: Schedule): boolean {
  return forgery !== undefined && why.includes('was changed, and nothing goes on from it')
}

/** Judges FILLED, FAILED and STUCK. */
function judgeOrder(end: ConvertReport, moved: readonly WitnessedMovement[], { truth }: Schedule): string[] {
  // FAILED without fills is the end of an intent that a fault closed before its send.
  if (end.outcome === ConvertEnd.Failed && (end.fills?.length === 0 || end.orderId === undefined))
    return moved.length === 0 ? [] : [`${end.outcome}, though ${moved.length} moved`]
  if (moved.length !== 1 || moved[0]?.id !== end.orderId) return [`${end.outcome}, though ${moved.length} moved`]
  const { mistells } = truth.orders
  if (end.outcome !== ConvertEnd.Stuck && mistells) return [`${end.outcome}, though the order shows ${mistells}`]
  if (end.outcome !== ConvertEnd.Stuck && end.outcome !== truth.orders.endsAs)
    return [`${end.outcome}, though the order ended ${truth.orders.endsAs}`]
  return []
}

/** Judges COMPLETED, FAILED_REFUNDED and STUCK. */
function judgeWithdrawal(
  end: WithdrawReport,
  moved: readonly WitnessedMovement[],
  { truth, movements }: WithdrawalModel,
): string[] {
  if (moved.length !== 1 || moved[0]?.id !== end.withdrawalId)
    return [`${end.outcome} of a movement that is not its own`]
  if (end.outcome === WithdrawEnd.Stuck) return []
  const expected = truth.endsAs === 'COMPLETED' ? WithdrawEnd.Completed : WithdrawEnd.FailedRefunded
  if (end.outcome !== expected) return [`${end.outcome}, not ${expected}`]
  return movements.find(({ id }) => id === end.withdrawalId)?.total === end.total
    ? []
    : ['a figure that is not what moved']
}

/** Every debit equals the amount that arrived plus its fee, and went to the right contact. */
function judgeRows({ movements }: WithdrawalModel): string[] {
  return movements.flatMap((row) => {
    const found: string[] = []
    const sum = parseDecimal(row.amount, 'amount') + parseDecimal(row.fee, 'fee')
    if (sum !== parseDecimal(row.total, 'total')) found.push('the ledger does not sum to zero')
    if (row.nonce !== undefined && row.contactId !== CONTACT.id) found.push('a movement to another contact')
    return found
  })
}

/** The audit finds every order that differs from the request, and no other. */
function judgeAudit({ service: { orders }, witness }: Stage, { truth }: Schedule): string[] {
  return [...witness.intents.values()].flatMap(({ record, movements: [moved] }) => {
    const order = moved?.kind === IntentKind.Convert ? orders.findOrder(moved.id, moved.account) : undefined
    if (order === undefined || record.state !== IntentState.Done) return []
    const difference = findOrderFault({ ...order, status: 'NEW' }, record as unknown as Intent, NO_FILLS)
    if ((difference !== undefined) === (truth.orders.mistells !== undefined)) return []
    return [`an audit of an order that shows ${truth.orders.mistells ?? 'what was asked for'}: ${difference}`]
  })
}

/** A budget counts what moved and what is in doubt. */
export function judgeReservations({ service, witness, journal }: Stage): string[] {
  const { orders, withdrawals } = service
  const found: string[] = []
  const all: (Moved & { readonly record: StoredRecord })[] = []
  const judge = (record: StoredRecord, moved: Moved | undefined) => {
    if (moved) all.push({ record, ...moved })
    found.push(...witness.guards.judgeEnd(record, moved, journal.records))
  }
  for (const [intentId, { record, movements }] of witness.intents) {
    const [moved] = movements
    if (record.kind === IntentKind.Convert) {
      const order = orders.movements.find(({ id }) => id === moved?.id)
      const { baseAmount = '0', quoteAmount = '0' } = order?.deal ?? {}
      judge(record, order && { atMs: order.atMs, amount: orders.truth.side === 'SELL' ? baseAmount : quoteAmount })
      continue
    }
    const { total } = record.frozen as { readonly total?: string }
    const row = moved && withdrawals.movements.find(({ id }) => id === moved.id)
    // The service raised the fee after our last read, so nobody could have reserved it.
    judge(record, row && { atMs: row.atMs, amount: row.knownTotal })
    const { changesFee, chargesMore, feeRisesMs } = withdrawals.truth
    if (
      row &&
      !changesFee &&
      chargesMore === undefined &&
      feeRisesMs === undefined &&
      row.cutFrom === undefined &&
      row.total !== total
    )
      found.push(`${intentId} moved another total than it reserved`)
  }
  return [...found, ...witness.guards.judgeDays(all)]
}
