// Handler of the state PollOrder. It connects its clients, and passes each event to poll-order.ts.

import { systemClock } from '../../core/clock.ts'
import { pollOrderInput } from '../../core/contract/convert.ts'
import { Verb } from '../../core/contract/states.ts'
import { wireServiceClient } from '../runtime/clients.ts'
import { readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireJournal } from '../runtime/movement-wiring.ts'
import { pollOrder } from './poll-order.ts'

export const makePollOrderHandler: MakeHandler = (env) => {
  const ports = {
    journal: wireJournal(env),
    service: wireServiceClient(env),
    clock: systemClock,
    timing: readTiming(env),
  }
  return frameHandler(Verb.PollOrder, pollOrderInput, (input) => pollOrder(input, ports))
}
