// Says whether the evidence speaks against a person's word on a conversion in doubt. The order's id was known before it
// was sent, so no other movement can be this intent's. Reads only.
import { sameCode } from '../../contract/fields.ts'
import { FOREIGN_OF_EITHER_KIND, IntentKind } from '../../contract/records.ts'
import type { Timing } from '../../contract/timing.ts'
import { KeyFault, Refused } from '../../errors.ts'
import { orderFenceMs } from '../../journal/fence.ts'
import { attemptOf, type ConvertIntent } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import { type KeyWord, lookWithOwnKey, signerOf } from '../../journal/own-key.ts'
import type { Examine } from '../../journal/resolution.ts'
import { parseDecimal } from '../../money/decimal.ts'
import type { ConversionService, KeyReads, OrderState } from '../../service/ports.ts'

export interface ExamineOrderPorts {
  readonly journal: Pick<Journal, 'findClaim'>
  readonly service: Pick<ConversionService, 'clock' | 'findOrder' | keyof KeyReads>
  readonly timing: Timing
  readonly word?: KeyWord
}

/** An order proves itself at any time; the absence of one only past the fence. */
export function examineOrder({ journal, service, timing, word }: ExamineOrderPorts): Examine<ConvertIntent> {
  return async (intent, movementId) => {
    const { orderId, account, kid } = attemptOf(intent)
    if (movementId !== undefined && movementId !== orderId) {
      throw new Refused(`only order ${orderId} can be this intent's: it was known before it was sent`)
    }
    const look = async () => {
      await service.clock.measure()
      return { reachedMs: service.clock.reachedMs(), order: await service.findOrder(orderId) }
    }
    const signer = signerOf({ account, kid }, intent.frozen.account, word)
    const isVouchedFor = word?.isSameAccount === true
    const { reachedMs, order } = await lookWithOwnKey(signer, service, look, isVouchedFor).catch((error: unknown) => {
      throw error instanceof KeyFault ? new Refused(error.message) : error
    })
    const holder = await journal.findClaim(IntentKind.Convert, orderId)
    // An old word without a kind was of a withdrawal, or of an order before this one.
    const isOthers = ![undefined, intent.intentId, FOREIGN_OF_EITHER_KIND].includes(holder)
    if (movementId !== undefined) {
      const found = assertIsOrder(order, orderId, intent)
      // Under this id another account may have another order: its amounts tell.
      if (isVouchedFor) assertAmounts(found, intent)
      if (isOthers) throw new Refused(`order ${orderId} is already claimed by intent ${holder}`)
      return
    }
    const fenceMs = orderFenceMs(attemptOf(intent), timing)
    if (reachedMs <= fenceMs) {
      throw new Refused(`until ${new Date(fenceMs).toISOString()} a copy of the order may still be accepted`)
    }
    if (order && !isOthers) throw new Refused(`order ${orderId} exists, and no other intent has claimed it`)
  }
}

function assertIsOrder(order: OrderState | undefined, orderId: string, { params, attempt }: ConvertIntent): OrderState {
  if (!order) throw new Refused(`the service has no order ${orderId}`)
  if (order.side !== params.side || !sameCode(order.market, attempt?.terms.market ?? '')) {
    throw new Refused(`order ${orderId} is to ${order.side} in ${order.market}, which is not what was asked for`)
  }
  return order
}

function assertAmounts({ id, baseAmount, quoteAmount }: OrderState, intent: ConvertIntent): void {
  const { terms } = attemptOf(intent)
  const isSame = (told: string, quoted: string) => parseDecimal(told, 'amount') === parseDecimal(quoted, 'amount')
  if (isSame(baseAmount, terms.baseAmount) && isSame(quoteAmount, terms.quoteAmount)) return
  throw new Refused(
    `order ${id} is of ${baseAmount} for ${quoteAmount}, and the quote was of ${terms.baseAmount} for ${terms.quoteAmount}`,
  )
}
