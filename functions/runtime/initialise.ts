// Builds the handlers of a bundle file: the handler of this function at once, and every other on its first call.
import { handlerOf, type Verb } from '../../core/contract/states.ts'
import { SluiceError } from '../../core/errors.ts'
import { useForwardProxy } from '../../core/service/forward-proxy.ts'
import { type LambdaHandler, logFault, type MakeHandler } from './handler.ts'
import { beginCall } from './log.ts'

/**
 * Lambda names this function's handler in `_HANDLER`. That handler is built while the function initialises, any other
 * on its first call. Every call reports a wrong environment, because only a call's error reaches the state machine.
 */
export function initialise(verb: Verb, make: MakeHandler): LambdaHandler {
  let built: LambdaHandler | undefined
  const handler = (): LambdaHandler => {
    if (built !== undefined) return built
    // Before the handler's clients are built.
    useForwardProxy(process.env)
    built = make(process.env)
    return built
  }
  if (process.env._HANDLER === handlerOf(verb)) {
    try {
      handler()
    } catch {
      // The first call meets the same error and reports it.
    }
  }
  return async (event, context) => {
    beginCall()
    let ready: LambdaHandler
    try {
      ready = handler()
    } catch (error) {
      // The frame, which logs errors, is not built yet.
      if (error instanceof SluiceError) logFault(verb, error, { requestId: context?.awsRequestId })
      throw error
    }
    return ready(event, context)
  }
}
