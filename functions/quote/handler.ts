// Handler of the state Quote. It connects its clients, and passes each event to quote.ts.
import { quoteInput } from '../../core/contract/convert.ts'
import { Verb } from '../../core/contract/states.ts'
import { URGENT, wireServiceClient } from '../runtime/clients.ts'
import { readTiming } from '../runtime/environment.ts'
import { frameHandler, type MakeHandler } from '../runtime/handler.ts'
import { wireOpening } from '../runtime/movement-wiring.ts'
import { quote } from './quote.ts'

export const makeQuoteHandler: MakeHandler = (env) => {
  const { turns, ...opening } = wireOpening(env)
  // `quoteTurn` also gives the order its turn, because the order directly follows the quote.
  const service = wireServiceClient(env, { ...URGENT, quoteTurn: turns.take })
  const ports = { ...opening, service, timing: readTiming(env) }
  return frameHandler(Verb.Quote, quoteInput, (input) => quote(input, ports))
}
