// Says whether the evidence contradicts a person's decision on a conversion in doubt. The order's id was known before the
// send, so no other movement can be this intent's. Reads only.
import { IntentKind } from '../../contract/records.ts'
import type { Timing } from '../../contract/timing.ts'
import { KeyFault, Refused } from '../../errors.ts'
import { orderFenceMs } from '../../journal/fence.ts'
import { attemptOf, type ConvertIntent, isOpened } from '../../journal/intent.ts'
import type { Journal } from '../../journal/journal.ts'
import { type KeyStatement, readWithOwnKey, signerOf } from '../../journal/own-key.ts'
import type { Examine } from '../../journal/resolution.ts'
import type { ConversionService, KeyReads, OrderState } from '../../service/ports.ts'
import { findOrderDifference } from './as-requested.ts'

export interface ExamineOrderPorts {
  readonly journal: Pick<Journal, 'findClaim'>
  readonly service: Pick<ConversionService, 'clock' | 'findOrder' | keyof KeyReads>
  readonly timing: Timing
  readonly word?: KeyStatement
}

/** An order proves itself at any time. Its absence proves something only past the fence. */
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
    const { reachedMs, order } = await readWithOwnKey(signer, service, look, isVouchedFor).catch((error: unknown) => {
      throw error instanceof KeyFault ? new Refused(error.message) : error
    })
    const holder = await journal.findClaim(IntentKind.Convert, orderId)
    const isOthers = holder !== undefined && holder !== intent.intentId
    if (movementId !== undefined) {
      if (!order) throw new Refused(`the service has no order ${orderId}`)
      // Where the key shows whose order it is, an order that differs still belongs to this intent: money has moved.
      if (isVouchedFor) assertAsRequested(order, intent)
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

/** Another account may have its own order under the same id: only the order's terms tell them apart. */
function assertAsRequested(order: OrderState, intent: ConvertIntent): void {
  const difference = isOpened(intent) ? findOrderDifference(order, intent) : undefined
  if (difference !== undefined) throw new Refused(`order ${order.id} is not what was asked for: ${difference}`)
}
