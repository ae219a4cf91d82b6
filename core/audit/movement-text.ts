// Names a movement in a finding, with what a person needs to find it. Pure. Ids and codes are the service's text, and are made
// safe to show.
import { printable } from '../printable.ts'
import type { OrderState, WithdrawalState } from '../service/ports.ts'

/** Such as "order o-1, a BUY of 0.5 on BTC-USDC at 2026-02-01T10:00:00.000Z". */
export function orderText({ id, side, market, baseAmount, createdAt }: AuditedOrder): string {
  return `order ${printable(id)}, a ${printable(side)} of ${baseAmount} on ${printable(market)} at ${printable(createdAt)}`
}

interface AuditedOrder extends Pick<OrderState, 'id' | 'side' | 'market' | 'baseAmount'> {
  readonly createdAt: string
}

/** Such as "withdrawal w-1 of 100 USDC at 2026-02-01T10:00:00.000Z". `total`: with its fee. */
export function withdrawalText({ id, assetSymbol, total, createdAt }: AuditedRow): string {
  return `withdrawal ${printable(id)} of ${total} ${printable(assetSymbol ?? '(asset unknown)')} at ${printable(createdAt)}`
}

type AuditedRow = Pick<WithdrawalState, 'id' | 'assetSymbol' | 'total' | 'createdAt'>
