// The function behind the state PollOrder: wires its clients, hands the event to the decision.
import { pollOrderInput } from '../contract/convert.ts'
import { Verb } from '../contract/states.ts'
import { systemClock } from '../shared/clock.ts'
import { readTiming } from '../shared/lambda/environment.ts'
import { frameHandler, type MakeHandler } from '../shared/lambda/handler.ts'
import { wireJournal, wireServiceClient } from '../shared/lambda/wiring.ts'
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
