// Bundle file of LookAgain, which enters stopped executions again. Its handler is `recovery.<verb>`.
import { Verb } from '../core/contract/states.ts'
import { makeLookAgainHandler } from './look-again/handler.ts'
import { initialise } from './runtime/initialise.ts'

// The entry of the bundle waits for this before the first event (infra/bundle/bundle.ts).
export { warmedUp } from './runtime/warm-up.ts'

export const lookAgain = initialise(Verb.LookAgain, makeLookAgainHandler)
