// What one environment of a function sees of the service, over a network that loses, delays and
// doubles. Its service time is the product's own.
import { Transient } from '../../functions/shared/errors.ts'
import type { Transport } from '../../functions/shared/service/http.ts'
import type { ConversionService, OrderSender, PreparedSend, SendAnswer } from '../../functions/shared/service/ports.ts'
import { createServiceClock } from '../../functions/shared/service/service-clock.ts'
import type { Machine } from './machine.ts'
import { type ServiceModel, type SignedCopy, unproven } from './service-model.ts'

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

/** Only as much of a transport as service time is read over. */
function timeOf(model: ServiceModel, machine: Machine): Transport {
  return {
    isPrivate: true,
    wireTarget: (target) => target,
    close: () => undefined,
    async exchange() {
      await machine.pause()
      if (model.isDown || machine.scheduler.takeFault(0.05))
        return { kind: 'unanswered', code: 'no_answer', text: 'no answer' }
      const body = Buffer.from(
        JSON.stringify({ now: new Date(model.serviceMs + model.truth.toldAheadMs).toISOString() }),
      )
      await machine.pause()
      return { kind: 'answered', status: 200, contentType: 'application/json', date: '', body, fault: undefined }
    },
  }
}

/** The network between a send and the service. */
async function sendOnce(model: ServiceModel, machine: Machine, copy: SignedCopy): Promise<SendAnswer> {
  const { scheduler } = machine
  await machine.pause()
  model.noteSend(copy.nonce)
  const arrive = () => model.accept(copy)
  if (!scheduler.takeFault(0.5)) {
    const answer = arrive()
    await machine.pause()
    return answer
  }
  const lost = unproven('no_answer', undefined, false)
  const arriveLate = () => scheduler.later(Math.floor(scheduler.random() * 150_000), arrive)
  switch (
    scheduler.pick([
      ...(['request lost', 'answer lost', 'error after', 'late'] as const),
      ...(['refused, then late', 'throttled, then late', 'doubled', 'doubled late'] as const),
    ])
  ) {
    case 'request lost':
      return lost
    case 'answer lost':
      arrive()
      return lost
    case 'error after':
      arrive()
      return unproven('internal_error', 500, false)
    case 'late':
      arriveLate()
      return lost
    case 'refused, then late':
      // An intermediary said no, to a copy that is still on its way.
      arriveLate()
      return unproven('validation_error', 400, true)
    case 'throttled, then late':
      arriveLate()
      return unproven('rate_limited', 429, false)
    case 'doubled': {
      const first = arrive()
      const second = arrive()
      return scheduler.chance(0.5) ? first : second
    }
    case 'doubled late': {
      const first = arrive()
      arriveLate()
      return first
    }
  }
}
