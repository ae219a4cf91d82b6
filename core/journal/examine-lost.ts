// Says whether anything speaks against a person's word on an intent whose record the journal has lost. Nothing is known
// of its attempts, so the person finds the movement, or finds that there is none. Reads only.

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
import { type KeyWord, SAY_SAME_ACCOUNT, stageOf } from './own-key.ts'
import type { Examine } from './resolution.ts'

export interface ExamineLostPorts {
  readonly journal: Pick<Journal, 'findClaim'>
  readonly service: KeyReads &
    Pick<ConversionService, 'clock' | 'findOrder' | 'knownAsset'> &
    Pick<WithdrawalService, 'findWithdrawal'>
  /** By which the run was closed, where it ran on this machine. */
  readonly clock: Pick<Clock, 'nowMs'>
  readonly timing: Timing
  readonly word: KeyWord
}

export function examineLost({ journal, service, clock, timing, word }: ExamineLostPorts): Examine {
  return async (intent, movementId) => {
    await assertOfJournal(service, word)
    if (movementId === undefined) {
      const fenceMs = lostFenceMs(intent, timing)
      await service.clock.measure()
      // Its end was written down by the clock of the machine that closed it, which may be behind the service's.
      if (Math.min(service.clock.reachedMs(), clock.nowMs()) > fenceMs) return
      throw new Refused(`until ${new Date(fenceMs).toISOString()} what was sent for it may still be accepted`)
    }
    if (isConversion(intent)) await assertOrder(movementId, intent.params, service)
    else assertRow(await service.findWithdrawal(movementId), movementId, intent.params)
    const holder = await journal.findClaim(intent.kind, movementId)
    if (holder === undefined || holder === intent.intentId) return
    throw new Refused(`movement ${movementId} is already claimed by intent ${holder}`)
  }
}

/** Which key signed is lost too: the key that looks must be one of the journal's account. */
async function assertOfJournal(service: KeyReads, { pinned, isSameAccount }: KeyWord): Promise<void> {
  const own = await service.accountOfKey()
  const kid = await service.keyInUse()
  const isOther =
    pinned !== undefined && (stageOf(kid) !== pinned.stage || (own !== undefined && own !== pinned.account))
  if (isOther) throw new Refused(`the key in use is ${kid}, and not of account ${pinned.account} (${pinned.stage})`)
  if (isSameAccount || (own !== undefined && pinned !== undefined)) return
  throw new Refused(
    `nothing shows that the key in use, ${kid}, and those that signed are of one account; ${SAY_SAME_ACCOUNT}`,
  )
}

async function assertOrder(
  movementId: string,
  { side, baseAsset, quoteAsset }: ConvertIntent['params'],
  service: ExamineLostPorts['service'],
): Promise<void> {
  const order = await service.findOrder(movementId)
  if (!order) throw new Refused(`the service has no order ${movementId}`)
  if (order.side !== side) throw new Refused(`order ${movementId} is to ${order.side}, and asked for was to ${side}`)
  if (typeof baseAsset !== 'string' || typeof quoteAsset !== 'string') return
  const [base, quote] = [await service.knownAsset(baseAsset), await service.knownAsset(quoteAsset)]
  const market = `${base.assetSymbol}-${quote.assetSymbol}`
  const names = ({ assetSymbol, rebasedSymbol }: typeof base) => [assetSymbol, rebasedSymbol]
  const markets = names(base).flatMap((ofBase) => names(quote).map((ofQuote) => `${ofBase}-${ofQuote}`))
  if (!isNamedAs(order.market, markets))
    throw new Refused(`order ${movementId} is in ${order.market}, and asked for was ${market}`)
}

/**
 * Whatever the fee was and whoever bore it, no more than what was asked for arrived. The service cuts what is finer than
 * an increment: of an amount that is at least one increment, more than half was left.
 */
function assertRow(
  row: WithdrawalState | undefined,
  movementId: string,
  { assetSymbol, amount }: WithdrawIntent['params'],
): void {
  if (!row) throw new Refused(`the service has no withdrawal ${movementId}`)
  // The service does not always resolve the asset of a row.
  if (row.assetSymbol !== null && typeof assetSymbol === 'string' && !mayNameSame(row.assetSymbol, assetSymbol))
    throw new Refused(`withdrawal ${movementId} is of ${row.assetSymbol}, and asked for was ${assetSymbol}`)
  if (amount === undefined) return
  const asked = parseDecimal(amount, 'amount')
  if (parseDecimal(row.amount, 'amount') <= asked && 2n * parseDecimal(row.total, 'total') > asked) return
  throw new Refused(`withdrawal ${movementId} is of ${row.amount}, ${row.total} in all, and asked for was ${amount}`)
}

/** Nothing was armed for it once it was closed; what was sent right before that shows by then. Epoch ms. */
export function lostFenceMs(intent: Intent, timing: Timing): number {
  const { notAfter } = intent
  const { fenceSeconds = 0 }: LostFrozen = isOpened(intent) ? {} : intent.frozen
  return Date.parse(notAfter) + Math.max(fenceSeconds, longestFenceSeconds(timing)) * 1000
}
