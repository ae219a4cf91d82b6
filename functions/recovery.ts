// The file of the bundle with the function that looks again at what stopped. Its handler is `recovery.<verb>`.
import { Verb } from '../core/contract/states.ts'
import { makeLookAgainHandler } from './look-again/handler.ts'
import { initialise } from './runtime/initialise.ts'

export { warmedUp } from './runtime/warm-up.ts'

export const lookAgain = initialise(Verb.LookAgain, makeLookAgainHandler)
