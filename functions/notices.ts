// Bundle file of the function that sends notices to people. A function's handler is `notices.<verb>`.
import { Verb } from '../core/contract/states.ts'
import { makeNotifyHandler } from './notify/handler.ts'
import { initialise } from './runtime/initialise.ts'

// The entry of the bundle waits for this before the first event (infra/bundle/bundle.ts).
export { warmedUp } from './runtime/warm-up.ts'

export const notify = initialise(Verb.Notify, makeNotifyHandler)
