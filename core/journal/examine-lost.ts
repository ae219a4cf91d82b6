// Says whether evidence contradicts a person's decision on an intent whose record the journal has lost. Its attempts
// are unknown, so the person finds the movement, or finds that nothing moved. Reads only.

import type { Clock } from '../clock.ts'
import { isNamedAs, mayNameSame } from '../contract/fields.ts'
import { longestFenceSeconds, type Timing } from '../contract/timing.ts'
import { Refused } from '../errors.ts'
import { parseDecimal } from '../money/decimal.ts'
import type { ConversionService, KeyReads, WithdrawalService, WithdrawalState } from '../service/ports.ts'
import {
  type ConvertIntent,
  type Intent,
  isConversion,
  isOpened,
  type LostFrozen,
  type WithdrawIntent,
} from './intent.ts'
import type { Journal } from './journal.ts'
import { type KeyStatement, SAME_ACCOUNT_HINT, stageOf } from './own-key.ts'
import type { Examine } from './resolution.ts'

export interface ExamineLostPorts {
  readonly journal: Pick<Journal, 'findClaim'>
  readonly service: KeyReads &
    Pick<ConversionService, 'clock' | 'findOrder' | 'knownAsset'> &
    Pick<WithdrawalService, 'findWithdrawal'>
  /** The clock that closed the run, where it ran on this machine. */
  readonly clock: Pick<Clock, 'nowMs'>
  readonly timing: Timing
  readonly word: KeyStatement
}

export function examineLost({ journal, service, clock, timing, word }: ExamineLostPorts): Examine {
  return async (intent, movementId) => {
    await assertOfJournal(service, word)
    if (movementId === undefined) {
      const fenceMs = lostFenceMs(intent, timing)
      await service.clock.measure()
      // The clock of the closing machine wrote down the end, and may be behind the service's clock.
      if (Math.min(service.clock.reachedMs(), clock.nowMs()) > fenceMs) return
      throw new Refused(`until ${new Date(fenceMs).toISOString()} a request sent for it may still be accepted`)
    }
    if (isConversion(intent)) await assertOrder(movementId, intent.params, service)
    else assertRow(await service.findWithdrawal(movementId), movementId, intent.params)
    const holder = await journal.findClaim(intent.kind, movementId)
    if (holder === undefined || holder === intent.intentId) return
    throw new Refused(`movement ${movementId} is already claimed by intent ${holder}`)
  }
}

/** It is unknown which key signed, so the key in use must belong to the journal's account. */
async function assertOfJournal(service: KeyReads, { pinned, isSameAccount }: KeyStatement): Promise<void> {
  const accountInUse = await service.accountOfKey()
  const kid = await service.keyInUse()
  const isOther =
    pinned !== undefined &&
    (stageOf(kid) !== pinned.stage || (accountInUse !== undefined && accountInUse !== pinned.account))
  if (isOther) throw new Refused(`the key in use, ${kid}, is not of account ${pinned.account} (${pinned.stage})`)
  if (isSameAccount || (accountInUse !== undefined && pinned !== undefined)) return
  throw new Refused(
    `nothing shows that the key in use, ${kid}, and those that signed are of one account; ${SAME_ACCOUNT_HINT}`,
  )
}

async function assertOrder(
  movementId: string,
  { side, baseAsset, quoteAsset }: ConvertIntent['params'],
  service: ExamineLostPorts['service'],
): Promise<void> {
  const order = await service.findOrder(movementId)
  if (!order) throw new Refused(`the service has no order ${movementId}`)
  if (order.side !== side) throw new Refused(`order ${movementId} is a ${order.side}, but the request was to ${side}`)
  if (typeof baseAsset !== 'string' || typeof quoteAsset !== 'string') return
  const [base, quote] = [await service.knownAsset(baseAsset), await service.knownAsset(quoteAsset)]
  const market = `${base.assetSymbol}-${quote.assetSymbol}`
  const names = ({ assetSymbol, rebasedSymbol }: typeof base) => [assetSymbol, rebasedSymbol]
  const markets = names(base).flatMap((ofBase) => names(quote).map((ofQuote) => `${ofBase}-${ofQuote}`))
  if (!isNamedAs(order.market, markets))
    throw new Refused(`order ${movementId} is in ${order.market}, but the request was for ${market}`)
}

/**
 * Whatever the fee was and whoever paid it, at most the requested amount arrived. The service cuts digits below an
 * increment. Of an amount of at least one increment, more than half remains.
 */
function assertRow(
  row: WithdrawalState | undefined,
  movementId: string,
  { assetSymbol, amount }: WithdrawIntent['params'],
): void {
  if (!row) throw new Refused(`the service has no withdrawal ${movementId}`)
  // The service does not always know the asset of a row.
  if (row.assetSymbol !== null && typeof assetSymbol === 'string' && !mayNameSame(row.assetSymbol, assetSymbol))
    throw new Refused(`withdrawal ${movementId} is of ${row.assetSymbol}, but the request was for ${assetSymbol}`)
  if (amount === undefined) return
  const requested = parseDecimal(amount, 'amount')
  if (parseDecimal(row.amount, 'amount') <= requested && 2n * parseDecimal(row.total, 'total') > requested) return
  throw new Refused(
    `withdrawal ${movementId} is of ${row.amount}, ${row.total} in all, but the request was for ${amount}`,
  )
}

/**
 * Epoch ms. Nothing was armed after the intent was closed, so a request sent right before that is visible at this time.
 */
export function lostFenceMs(intent: Intent, timing: Timing): number {
  const { notAfter } = intent
  const { fenceSeconds = 0 }: LostFrozen = isOpened(intent) ? {} : intent.frozen
  return Date.parse(notAfter) + Math.max(fenceSeconds, longestFenceSeconds(timing)) * 1000
}
