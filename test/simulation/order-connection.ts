// What one environment of a function sees of the service, over a network that loses, delays and
// doubles. Its service time is the product's own.
import type { ConversionService, OrderSender, PreparedSend, SendAnswer } from '../../functions/shared/service/ports.ts'
import { createServiceClock } from '../../functions/shared/service/service-clock.ts'
import type { Machine } from './machine.ts'
import { deliver } from './network.ts'
import type { OrderModel, SignedOrder } from './order-model.ts'
import { reading, timeOf } from './service-time.ts'

/** Each call pauses, and may go wrong as the schedule says. The signing key is read once, as it is cached. */
export function connectOrders(model: OrderModel, machine: Machine): ConversionService & OrderSender {
  const clock = createServiceClock(timeOf(model, machine), machine)
  const read = reading(model, machine)
  machine.memory.keyNumber = model.keyNumber
  return {
    clock,
    amountIncrement: () => read(() => '0.00000001', 'looks'),
    asset: (assetSymbol) => read(() => ({ assetSymbol, rebasedSymbol: assetSymbol })),
    findPrice: (base, quote, side) => read(() => model.prices[`${base}-${quote} ${side}`]),
    indicativeRate: () => read(() => '50000'),
    createQuote: () => read(() => model.addQuote()),
    findOrder: (orderId) => read(() => model.findOrder(orderId)),
    fillsOf: (orderId) => read(() => model.fillsOf(orderId)),
    async prepareOrder(orderId, tokenLifeSeconds): Promise<PreparedSend> {
      machine.trace.note('prepare')
      await machine.pause('looks')
      machine.memory.keyNumber ??= model.keyNumber
      const iat = Math.floor(clock.nowMs() / 1000)
      const nonce = machine.scheduler.newName('nonce')
      const copy: SignedOrder = { orderId, nonce, exp: iat + tokenLifeSeconds, keyNumber: machine.memory.keyNumber }
      machine.trace.note(copy)
      if (model.truth.rotatesKey) model.keyNumber = Math.max(model.keyNumber, 2)
      return {
        facts: { nonce, kid: 'svc_test_0123456789ab', iat, exp: copy.exp, bodySha256: '0'.repeat(64) },
        send: () => sendOnce(model, machine, copy),
      }
    },
    forgetKeys: () => {
      machine.memory.keyNumber = undefined
    },
  }
}

/** The network between a send and the service. */
async function sendOnce(model: OrderModel, machine: Machine, copy: SignedOrder): Promise<SendAnswer> {
  machine.trace.note('send')
  await machine.pause()
  model.noteSend(copy.nonce)
  return deliver<SendAnswer>(machine, copy, {
    accept: () => model.accept(copy),
    spendOnly: () => model.spend(copy.nonce),
    revokeKey: () => model.revokeKey(),
  })
}
