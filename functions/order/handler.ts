// Handler of the state Order. It connects its clients, and passes each event to order.ts.
import { systemClock } from '../../core/clock.ts'
import { orderInput } from '../../core/contract/convert.ts'
import { Verb } from '../../core/contract/states.ts'
import { LEFT_TO_SENDS, newId, URGENT, wireServiceClient } from '../runtime/clients.ts'
import { readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireRecords } from '../runtime/movement-wiring.ts'
import { order } from './order.ts'

export const makeOrderHandler: MakeHandler = (env) => {
  const client = wireServiceClient(env, URGENT)
  const { journal, halts, guard } = wireRecords(env)
  const looking = { clock: systemClock, timing: readTiming(env), mayLookOn: () => client.hasLeft(LEFT_TO_SENDS) }
  const ports = { journal, halts, guard, service: client, sender: client, newId, ...looking }
  return frameHandler(Verb.Order, orderInput, (input) => order(input, ports))
}
