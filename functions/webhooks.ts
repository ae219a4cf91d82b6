// Bundle file of the function that is open to the internet. A function's handler is `webhooks.<verb>`.

import { Verb } from '../core/contract/states.ts'
import { makeReceiveWebhookHandler } from './receive-webhook/handler.ts'
import { initialise } from './runtime/initialise.ts'

// The entry of the bundle waits for this before the first event (infra/bundle/bundle.ts).
export { warmedUp } from './runtime/warm-up.ts'

export const receiveWebhook = initialise(Verb.ReceiveWebhook, makeReceiveWebhookHandler)
