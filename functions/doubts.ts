// Bundle file of the functions with which people decide on doubts. A function's handler is `doubts.<verb>`.
import { Verb } from '../core/contract/states.ts'
import { makeDeclareForeignHandler } from './declare-foreign/handler.ts'
import { makeResolveHandler } from './resolve/handler.ts'
import { initialise } from './runtime/initialise.ts'

// The entry of the bundle waits for this before the first event (infra/bundle/bundle.ts).
export { warmedUp } from './runtime/warm-up.ts'

export const resolve = initialise(Verb.Resolve, makeResolveHandler)
export const declareForeign = initialise(Verb.DeclareForeign, makeDeclareForeignHandler)
