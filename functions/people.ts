// Bundle file of the functions that people call. A function's handler is `people.<verb>`.
import { Verb } from '../core/contract/states.ts'
import { makeDecideHandler } from './decide/handler.ts'
import { makeReleaseHandler } from './release/handler.ts'
import { makeRequestRunHandler } from './request-run/handler.ts'
import { makeResumeHandler } from './resume/handler.ts'
import { initialise } from './runtime/initialise.ts'
import { makeThrowSwitchHandler } from './throw-switch/handler.ts'

// The entry of the bundle waits for this before the first event (infra/bundle/bundle.ts).
export { warmedUp } from './runtime/warm-up.ts'

export const requestRun = initialise(Verb.RequestRun, makeRequestRunHandler)
export const decide = initialise(Verb.Decide, makeDecideHandler)
export const throwSwitch = initialise(Verb.ThrowSwitch, makeThrowSwitchHandler)
export const resume = initialise(Verb.Resume, makeResumeHandler)
export const release = initialise(Verb.Release, makeReleaseHandler)
