// Bundle file of LookAgain, which enters stopped executions again. Its handler is `recovery.<verb>`.
import { Verb } from '../core/contract/states.ts'
import { makeLookAgainHandler } from './look-again/handler.ts'
import { initialise } from './runtime/initialise.ts'

export { warmedUp } from './runtime/warm-up.ts'

export const lookAgain = initialise(Verb.LookAgain, makeLookAgainHandler)
