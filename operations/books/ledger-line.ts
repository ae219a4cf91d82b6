// Defines a line of the books: one change of the balance, as the service's ledger has it, with its kind and its owner. Makes
// lines of entries. Pure.

import { figuresOfWithdrawal } from '../../core/audit/judge-movement.ts'
import {
  type Direction,
  directionOf,
  isGivingBack,
  type LedgerSource,
  ledgerSourceOf,
} from '../../core/contract/ledger-types.ts'
import { IntentKind } from '../../core/contract/records.ts'
import { type Decimal, formatDecimal, magnitude, minus, negate, parseDecimal, ZERO } from '../../core/money/decimal.ts'
import type { LedgerEntry } from '../../core/service/ledger.ts'
import type { WithdrawalState } from '../../core/service/ports.ts'

/** Kinds of lines, in the order of a statement. */
export const LINE_KINDS = [
  'deposits',
  'conversions',
  'withdrawals',
  'fees',
  'refunds',
  /** Conversions and withdrawals that no intent of the journal has made. */
  'others',
  /** Entries of any other source, such as an opening balance or a correction. */
  'adjustments',
] as const
export type LineKind = (typeof LINE_KINDS)[number]

/** An entry that could be read. The amount has its direction: settled, and below zero where the balance falls. */
export interface ReadEntry {
  readonly id: string | null
  readonly type: string
  readonly asset: string
  readonly change: Decimal
  readonly atMs: number
  readonly source: LedgerSource
  readonly sourceId: string
  /** Set for a fill or a withdrawal. */
  readonly movement?: Movement
}

export interface Movement {
  readonly kind: IntentKind
  readonly id: string
}

export interface LedgerLine extends Omit<ReadEntry, 'movement'> {
  readonly kind: LineKind
  readonly movement?: Movement
  /** The intent that holds the movement, where an intent does. */
  readonly intentId?: string
  /** The part of a refund that is a fee, where it is known. */
  readonly refundedFee?: Decimal
}

/** An entry whose type does not say its direction. */
export interface Undirected {
  readonly asset: string
  readonly type: string
  readonly amount: Decimal
  /** One sentence. */
  readonly why: string
}

/** A text where the entry cannot be read: one sentence. `given`: directions that `directionOf` does not know. */
export function readEntry(entry: LedgerEntry, given: GivenDirections): ReadEntry | Undirected | string {
  const { amount, amountShown, assetSymbol, createdAt, id, orderId, source } = entry
  const atMs = Date.parse(createdAt ?? '')
  const named = `ledger entry ${id ?? '(no id)'} of ${amount ?? amountShown ?? '(amount unknown)'} ${assetSymbol ?? '(asset unknown)'}`
  if (amount === null || assetSymbol === null || Number.isNaN(atMs)) return `${named} cannot be read`
  const type = entry.type ?? ''
  const direction =
    directionOf(type) ?? given.get(id ?? '') ?? given.get(type) ?? given.get(directionKey(assetSymbol, type))
  if (direction === undefined) {
    const why = `${named} has the type ${type || '(none)'}, which has no known direction; books.directions of treasury.json may say in or out for ${type ? 'the type' : 'its id'}`
    return { asset: assetSymbol, type, amount: parseDecimal(amount, 'amount'), why }
  }
  const kind = source === null ? 'unknown' : ledgerSourceOf(source.type)
  const sourceId = source?.id ?? ''
  if (kind === 'fill' && orderId === null) return `${named} is of fill ${sourceId}, and names no order`
  return {
    ...{ id, type, asset: assetSymbol, atMs, source: kind, sourceId, change: changeOf(amount, direction) },
    ...(kind === 'fill' && orderId !== null && { movement: { kind: IntentKind.Convert, id: orderId } }),
    ...(kind === 'withdrawal' && { movement: { kind: IntentKind.Withdraw, id: sourceId } }),
  }
}

/** By type or by id of an entry, as people say, or by `directionKey`, as the balance history shows. */
export type GivenDirections = ReadonlyMap<string, Direction>

export function directionKey(asset: string, type: string): string {
  return `${asset} ${type}`
}

function changeOf(amount: string, direction: Direction): Decimal {
  const value = parseDecimal(amount, 'amount')
  return direction === 'in' ? value : negate(value)
}

/** `holder`: the intent that holds the movement, if any. `row`: the withdrawal, where its fee must be known. */
export function linesOf(entry: ReadEntry, holder: string | undefined, row: WithdrawalState | undefined): LedgerLine[] {
  const line = { ...entry, ...(holder !== undefined && { intentId: holder }) }
  if (entry.movement === undefined) return [{ ...line, kind: entry.source === 'deposit' ? 'deposits' : 'adjustments' }]
  if (holder === undefined) return [{ ...line, kind: 'others' }]
  if (entry.source === 'fill') return [{ ...line, kind: 'conversions' }]
  // Money that comes back is no payment, whatever its entry is called, and neither is a refund that is taken back.
  if (entry.change > 0n || isGivingBack(entry.type))
    return [{ ...line, kind: 'refunds', refundedFee: refundedFeeOf(entry, row) }]
  if (row === undefined) return [{ ...line, kind: 'withdrawals' }]
  const fee = parseDecimal(row.fee, 'fee')
  if (fee === 0n) return [{ ...line, kind: 'withdrawals' }]
  const debit = negate(entry.change)
  if (debit === fee && /fee/i.test(entry.type)) return [{ ...line, kind: 'fees' }]
  if (debit !== parseDecimal(row.total, 'total')) return [{ ...line, kind: 'withdrawals' }]
  const feeChange = negate(fee)
  return [
    { ...line, kind: 'withdrawals', change: minus(entry.change, feeChange) },
    { ...line, kind: 'fees', change: feeChange },
  ]
}

function refundedFeeOf({ change, type }: ReadEntry, row: WithdrawalState | undefined): Decimal {
  const fee = row === undefined ? ZERO : parseDecimal(row.fee, 'fee')
  const isWhole = row !== undefined && change === parseDecimal(row.total, 'total')
  return isWhole || (change === fee && /fee/i.test(type)) ? fee : ZERO
}

/** Whether the fee of a withdrawal must be read, to tell it from what was sent. */
export function needsRow(entry: ReadEntry, holder: string | undefined): boolean {
  return entry.source === 'withdrawal' && holder !== undefined
}

/** One sentence where the entry has none of the figures of its withdrawal, or the withdrawal is not shown. */
export function findRowFault(entry: ReadEntry, row: WithdrawalState | undefined): string | undefined {
  const { id, sourceId, asset, change } = entry
  const figure = magnitude(change)
  const named = `ledger entry ${id ?? '(no id)'} of ${formatDecimal(figure)} ${asset}`
  if (row === undefined) return `${named} is of withdrawal ${sourceId}, which the service does not show`
  const isFigure = figuresOfWithdrawal(row).some((text) => parseDecimal(text, 'figure') === figure)
  return isFigure ? undefined : `${named} is none of the figures of withdrawal ${sourceId}`
}
