// Bundle file of the audit. Its handler is `audit.<verb>`.
import { Verb } from '../core/contract/states.ts'
import { makeReconcileHandler } from './reconcile/handler.ts'
import { initialise } from './runtime/initialise.ts'

// The entry of the bundle waits for this before the first event (infra/bundle/bundle.ts).
export { warmedUp } from './runtime/warm-up.ts'

export const reconcile = initialise(Verb.Reconcile, makeReconcileHandler)
