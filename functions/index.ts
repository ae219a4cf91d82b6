// Entry of the one bundle that all functions share: `index.<verb>` is a function's handler.
import { makeConcludeHandler } from './conclude/handler.ts'
import { Verb } from './contract/states.ts'
import { makeOrderHandler } from './order/handler.ts'
import { makePollOrderHandler } from './poll-order/handler.ts'
import { makeQuoteHandler } from './quote/handler.ts'
import type { LambdaHandler, MakeHandler } from './shared/lambda/handler.ts'

/**
 * Lambda names this function's handler in `_HANDLER`: that one is built while the function
 * initialises, the others never. A wrong environment is told on the first call, where its
 * message reaches the state machine.
 */
function initialise(verb: Verb, make: MakeHandler): LambdaHandler {
  let build = (): LambdaHandler => make(process.env)
  if (process.env._HANDLER === `index.${verb}`) {
    try {
      const built = build()
      build = () => built
    } catch (error) {
      build = () => {
        throw error
      }
    }
  }
  return async (event) => build()(event)
}

export const quote = initialise(Verb.Quote, makeQuoteHandler)
export const order = initialise(Verb.Order, makeOrderHandler)
export const pollOrder = initialise(Verb.PollOrder, makePollOrderHandler)
export const conclude = initialise(Verb.Conclude, makeConcludeHandler)
