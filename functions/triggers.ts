// Bundle file of the functions that start runs, announce their ends, and describe the deployment. A function's handler
// is `triggers.<verb>`. This file only names handlers: what they do, and what they may use, is in their own folders.

import { Verb } from '../core/contract/states.ts'
import { makeAnnounceHandler } from './announce/handler.ts'
import { makeDescribeHandler } from './describe/handler.ts'
import { initialise } from './runtime/initialise.ts'
import { makeStartOnDepositHandler } from './start-on-deposit/handler.ts'
import { makeStartRunHandler } from './start-run/handler.ts'

// The entry of the bundle waits for this before the first event (infra/bundle/bundle.ts).
export { warmedUp } from './runtime/warm-up.ts'

export const startRun = initialise(Verb.StartRun, makeStartRunHandler)
export const startOnDeposit = initialise(Verb.StartOnDeposit, makeStartOnDepositHandler)
export const describe = initialise(Verb.Describe, makeDescribeHandler)
export const announce = initialise(Verb.Announce, makeAnnounceHandler)
