// Says by the account's own balance whether the total of a failed withdrawal is back, where the entries of the ledger do not say
// it. The balance of a day before the send and all other entries since must explain the balance of now to the last digit. Reads
// only.
import { sameCode } from '../../contract/fields.ts'
import { directionOf } from '../../contract/ledger-direction.ts'
import { formatDecimal, minus, negate, parseDecimal, parseSignedDecimal, plus, ZERO } from '../../money/decimal.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { createOlderEntries } from '../older-entries.ts'
import type { LedgerSight, WithdrawalReads } from './ports.ts'

export type BalanceReads = Pick<WithdrawalReads, 'balances' | 'balanceBefore' | 'walkLedger'>

/** `refunded`: the balance is as without the withdrawal. `debited`: exactly its total is missing. Else the reason for which it is not known. */
export type ByBalance = 'refunded' | 'debited' | { readonly untold: string }

const DAY_MS = 86_400_000
const LEG = /credit|debit/i

/**
 * `sentMs`: epoch ms, service time. Called after the fence, when the debit is in the balance. The balance is read first, so that
 * the ledger shows what is in it.
 * @throws Transient, Refused, Defect
 */
export async function backByBalance(
  { id, total }: Pick<WithdrawalState, 'id' | 'total'>,
  { assetSymbol, sentMs }: { readonly assetSymbol: string; readonly sentMs: number },
  service: BalanceReads,
): Promise<ByBalance> {
  const held = (await service.balances()).find((balance) => sameCode(balance.assetSymbol, assetSymbol))
  if (held !== undefined && parseSignedDecimal(held.balanceFrozen, 'balanceFrozen') !== ZERO)
    return { untold: `${held.balanceFrozen} ${assetSymbol} are frozen` }
  // In every time zone this day had ended before the send.
  const openMs = Math.floor(sentMs / DAY_MS) * DAY_MS - DAY_MS
  const whole = parseDecimal(total, 'total')
  const isPast = createOlderEntries(openMs)
  let others = ZERO
  let isShown = false
  for await (const entry of service.walkLedger()) {
    if (isPast(entry.createdAt)) break
    const { amount = null, assetSymbol: of = null, source, type, createdAt } = entry
    if (source?.id === id) isShown = true
    if (source?.id === id || (of !== null && !sameCode(of, assetSymbol))) continue
    const atMs = Date.parse(createdAt ?? '')
    if (atMs < openMs) continue
    if (amount === null || Number.isNaN(atMs)) return { untold: `${named(entry)} cannot be read` }
    const value = parseDecimal(amount, 'amount')
    const direction = directionOf(type ?? '')
    if (direction === undefined) return { untold: `${named(entry)} has no known direction` }
    // A ledger that shows both legs of a movement hides its direction. Of another amount, it would not add up.
    if (value === whole && LEG.test(type ?? '')) return { untold: `${named(entry)} may be one of two legs` }
    others = plus(others, direction === 'in' ? value : negate(value))
  }
  if (!isShown) return { untold: 'the whole ledger does not show its debit' }
  const opening = parseSignedDecimal(await service.balanceBefore(assetSymbol, openMs), 'balance')
  const change = minus(parseSignedDecimal(held?.balance ?? '0', 'balance'), plus(opening, others))
  if (change === ZERO) return 'refunded'
  if (change === negate(whole)) return 'debited'
  return { untold: `the balance changed by ${formatDecimal(change)} ${assetSymbol} more than other entries explain` }
}

function named({ type, amount, createdAt }: LedgerSight): string {
  return `the entry ${type ?? 'without a type'} of ${amount ?? 'an unknown amount'} at ${createdAt ?? 'an unknown time'}`
}
