// File of the bundle for what starts runs and tells of their ends: `triggers.<verb>` is a function's handler.
import { makeAnnounceHandler } from './announce/handler.ts'
import { Verb } from './contract/states.ts'
import { makeReceiveWebhookHandler } from './receive-webhook/handler.ts'
import { initialise } from './shared/lambda/initialise.ts'
import { makeStartRunHandler } from './start-run/handler.ts'

export const startRun = initialise(Verb.StartRun, makeStartRunHandler)
export const receiveWebhook = initialise(Verb.ReceiveWebhook, makeReceiveWebhookHandler)
export const announce = initialise(Verb.Announce, makeAnnounceHandler)
