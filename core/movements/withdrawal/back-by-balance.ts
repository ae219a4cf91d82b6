// Says what the account shows about a failed withdrawal. Its total is back if the balance of a day before the send and
// all other entries since explain the balance of now to the last digit. It was never booked if the whole ledger lacks
// it, and has an entry that was booked later, because an index may lag behind. Reads only.
import { sameCode } from '../../contract/fields.ts'
import { directionOf, ledgerSourceOf, OF_WITHDRAWALS } from '../../contract/ledger-types.ts'
import type { Timing } from '../../contract/timing.ts'
import { lostFenceMs } from '../../journal/examine-lost.ts'
import { withdrawalFenceMs } from '../../journal/fence.ts'
import type { WithdrawIntent } from '../../journal/intent.ts'
import {
  type Decimal,
  formatDecimal,
  minus,
  negate,
  parseDecimal,
  parseSignedDecimal,
  plus,
  ZERO,
} from '../../money/decimal.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { createOlderEntries } from '../older-entries.ts'
import type { LedgerSight, WithdrawalReads } from './ports.ts'

export type BalanceReads = Pick<WithdrawalReads, 'balances' | 'balanceBefore' | 'walkLedger'>

/** `refunded`: the balance is as without the withdrawal. `debited`: exactly its total is missing. Else the reason for which it is not known. */
export type ByBalance = 'refunded' | 'debited' | { readonly untold: string }

const DAY_MS = 86_400_000
/** Entries and balances may be dated by clocks of different zones, and to the day. An entry this near to the opening may be in it. */
const UNSURE_MS = 2 * DAY_MS
/** Maximum entries that near. With more, too many sums would have to be tried. */
const MOST_UNSURE = 12
const LEG = /credit|debit/i

/**
 * `sentMs`: epoch ms, service time. Called after the fence, when the debit is in the balance. The balance is read before the
 * ledger and after it, so that the ledger shows what is in it, and no more.
 * @throws Transient, Refused, Defect
 */
export async function backByBalance(
  { id, total }: Pick<WithdrawalState, 'id' | 'total'>,
  { assetSymbol, sentMs }: { readonly assetSymbol: string; readonly sentMs: number },
  service: BalanceReads,
): Promise<ByBalance> {
  const heldNow = async () =>
    (await service.balances()).find((balance) => sameCode(balance.assetSymbol, assetSymbol)) ?? NOTHING_HELD
  const held = await heldNow()
  if (parseSignedDecimal(held.balanceFrozen, 'balanceFrozen') !== ZERO)
    return { untold: `${held.balanceFrozen} ${assetSymbol} are frozen` }
  // The entries of the day of the send are past what may be in the opening, whatever the zones.
  const openMs = Math.floor(sentMs / DAY_MS) * DAY_MS - DAY_MS - UNSURE_MS
  const whole = parseDecimal(total, 'total')
  const isPast = createOlderEntries(openMs - UNSURE_MS)
  const unsure: Decimal[] = []
  let others = ZERO
  let isShown = false
  for await (const entry of service.walkLedger()) {
    if (isPast(entry.createdAt)) break
    const { amount = null, assetSymbol: of = null, source, type, createdAt } = entry
    if (source?.id === id) isShown = true
    if (source?.id === id || (of !== null && !sameCode(of, assetSymbol))) continue
    const atMs = Date.parse(createdAt ?? '')
    if (atMs < openMs - UNSURE_MS) continue
    if (amount === null || Number.isNaN(atMs)) return { untold: `${named(entry)} cannot be read` }
    const value = parseDecimal(amount, 'amount')
    const direction = directionOf(type ?? '')
    if (direction === undefined) return { untold: `${named(entry)} has no known direction` }
    // A ledger that shows both legs of a movement hides its direction. Of another amount, it would not add up.
    if (value === whole && LEG.test(type ?? '')) return { untold: `${named(entry)} may be one of two legs` }
    const change = direction === 'in' ? value : negate(value)
    if (atMs > openMs + UNSURE_MS) others = plus(others, change)
    else unsure.push(change)
    if (unsure.length > MOST_UNSURE) return { untold: `${named(entry)} and others may be of the day before or after` }
  }
  if (!isShown) return { untold: 'the whole ledger does not show its debit' }
  const opening = parseSignedDecimal(await service.balanceBefore(assetSymbol, openMs), 'balance')
  if ((await heldNow()).balance !== held.balance) return { untold: `the balance of ${assetSymbol} is changing` }
  const change = minus(parseSignedDecimal(held.balance, 'balance'), plus(opening, others))
  const sums = sumsOf(unsure)
  const isRefunded = sums.has(change)
  const isDebited = sums.has(plus(change, whole))
  if (isRefunded && isDebited) return { untold: `entries near ${new Date(openMs).toISOString()} allow both` }
  if (isRefunded || isDebited) return isRefunded ? 'refunded' : 'debited'
  return { untold: `the balance changed by ${formatDecimal(change)} ${assetSymbol} more than other entries explain` }
}

const NOTHING_HELD = { balance: '0', balanceFrozen: '0' }

/** The sum of every subset. */
function sumsOf(values: readonly Decimal[]): ReadonlySet<Decimal> {
  const sums = new Set<Decimal>([ZERO])
  for (const value of values) for (const sum of [...sums]) sums.add(plus(sum, value))
  return sums
}

function named({ type, amount, amountShown, createdAt }: LedgerSight): string {
  return `the entry ${type ?? 'without a type'} of ${amount ?? amountShown ?? 'an unknown amount'} at ${createdAt ?? 'an unknown time'}`
}

/**
 * Epoch ms, service time: the latest moment at which the debit of a withdrawal becomes visible, if it is booked at acceptance.
 */
export function bookedByMs(intent: WithdrawIntent, timing: Timing): number {
  const { attempt } = intent
  return attempt === undefined ? lostFenceMs(intent, timing) : withdrawalFenceMs(attempt, timing)
}

/**
 * Whether the whole ledger has no entry of the withdrawal, and has an entry of another movement that is younger than any debit
 * of it could be. `byMs`: from `bookedByMs`. The ledger may date its entries as the row is dated, by the clock of a zone that
 * is ahead. Entries without a source are ignored.
 * @throws Transient, Refused, Defect
 */
export async function isNeverBooked(
  { id, createdAt }: Pick<WithdrawalState, 'id' | 'createdAt'>,
  byMs: number,
  { visibilitySeconds }: Timing,
  service: Pick<WithdrawalReads, 'walkLedger'>,
): Promise<boolean> {
  const madeMs = Date.parse(createdAt)
  const laterMs = Math.max(byMs, madeMs + visibilitySeconds * 1000)
  const isPast = createOlderEntries(madeMs)
  let isLater = false
  for await (const { source, createdAt: bookedAt } of service.walkLedger()) {
    if (source?.id === id && OF_WITHDRAWALS.has(ledgerSourceOf(source.type))) return false
    isLater ||= source !== null && source.id !== id && Date.parse(bookedAt ?? '') > laterMs
    if (isPast(bookedAt)) break
  }
  return isLater
}
