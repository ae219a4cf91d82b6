// How each file of the bundle makes its handlers: the one that this function is for at once, and no other before it is
// called.
import { handlerOf, type Verb } from '../../core/contract/states.ts'
import { SluiceError } from '../../core/errors.ts'
import { type LambdaHandler, type MakeHandler, tellFault } from './handler.ts'

/**
 * Lambda names this function's handler in `_HANDLER`: that one is built while the function
 * initialises, any other on its first call. A wrong environment is told on each call, where its
 * message reaches the state machine.
 */
export function initialise(verb: Verb, make: MakeHandler): LambdaHandler {
  let built: LambdaHandler | undefined
  const handler = (): LambdaHandler => {
    built ??= make(process.env)
    return built
  }
  if (process.env._HANDLER === handlerOf(verb)) {
    try {
      handler()
    } catch {
      // The first call meets the same error, and is the one to tell.
    }
  }
  return async (event, context) => {
    let ready: LambdaHandler
    try {
      ready = handler()
    } catch (error) {
      // No frame is around it yet.
      if (error instanceof SluiceError) tellFault(verb, error, { requestId: context?.awsRequestId })
      throw error
    }
    return ready(event, context)
  }
}
