// What one environment of a function sees of the service, over a network that loses, delays and
// doubles. Its service time is the product's own.
import { Transient } from '../../functions/shared/errors.ts'
import type { ConversionService, OrderSender, PreparedSend, SendAnswer } from '../../functions/shared/service/ports.ts'
import { createServiceClock } from '../../functions/shared/service/service-clock.ts'
import type { Machine } from './machine.ts'
import { deliver } from './network.ts'
import { type ServiceModel, type SignedCopy, unproven } from './service-model.ts'
import { timeOf } from './service-time.ts'

/** Each call pauses, and may go wrong as the schedule says. The signing key is read once, as it is cached. */
export function connect(model: ServiceModel, machine: Machine): ConversionService & OrderSender {
  const { scheduler } = machine
  const clock = createServiceClock(timeOf(model, machine), machine)
  let cachedKey: number | undefined = model.keyNumber

  async function read<T>(look: () => T): Promise<T> {
    await machine.pause()
    if (model.isDown || scheduler.takeFault(0.05)) throw new Transient('503 on a read')
    const seen = look()
    await machine.pause()
    return seen
  }

  return {
    clock,
    amountIncrement: () => read(() => '0.00000001'),
    indicativeRate: () => read(() => '50000'),
    createQuote: () => read(() => model.addQuote()),
    findOrder: (orderId) => read(() => model.findOrder(orderId)),
    fillsOf: (orderId) => read(() => model.fillsOf(orderId)),
    async prepareOrder(orderId, tokenLifeSeconds): Promise<PreparedSend> {
      await machine.pause()
      cachedKey ??= model.keyNumber
      const iat = Math.floor(clock.nowMs() / 1000)
      const copy = { orderId, nonce: `nonce-${scheduler.random()}`, exp: iat + tokenLifeSeconds, keyNumber: cachedKey }
      if (model.truth.rotatesKey) model.keyNumber = 2
      return {
        facts: { nonce: copy.nonce, kid: 'svc_test_0123456789ab', iat, exp: copy.exp, bodySha256: '0'.repeat(64) },
        send: () => sendOnce(model, machine, copy),
      }
    },
    forgetKeys: () => {
      cachedKey = undefined
    },
  }
}

/** The network between a send and the service. */
async function sendOnce(model: ServiceModel, machine: Machine, copy: SignedCopy): Promise<SendAnswer> {
  await machine.pause()
  model.noteSend(copy.nonce)
  return deliver(machine, () => model.accept(copy), unproven)
}
