// The file of the bundle with the functions that start runs, announce their ends, and describe the deployment. A
// function's handler is `triggers.<verb>`.

import { Verb } from '../core/contract/states.ts'
import { makeAnnounceHandler } from './announce/handler.ts'
import { makeDescribeHandler } from './describe/handler.ts'
import { makeReceiveWebhookHandler } from './receive-webhook/handler.ts'
import { initialise } from './runtime/initialise.ts'
import { makeStartRunHandler } from './start-run/handler.ts'

export const startRun = initialise(Verb.StartRun, makeStartRunHandler)
export const receiveWebhook = initialise(Verb.ReceiveWebhook, makeReceiveWebhookHandler)
export const describe = initialise(Verb.Describe, makeDescribeHandler)
export const announce = initialise(Verb.Announce, makeAnnounceHandler)
