// The function behind the state Quote: wires its clients, hands the event to the decision.
import { quoteInput } from '../contract/convert.ts'
import { Verb } from '../contract/states.ts'
import { readTiming } from '../shared/lambda/environment.ts'
import { frameHandler, type MakeHandler } from '../shared/lambda/handler.ts'
import { wireOpening, wireServiceClient } from '../shared/lambda/wiring.ts'
import { quote } from './quote.ts'

export const makeQuoteHandler: MakeHandler = (env) => {
  const ports = { ...wireOpening(env), service: wireServiceClient(env), timing: readTiming(env) }
  return frameHandler(Verb.Quote, quoteInput, (input) => quote(input, ports))
}
