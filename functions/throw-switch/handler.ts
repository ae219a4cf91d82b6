// The function that people reach to halt sending, or to let it go on: wires the journal, hands the word to the decision.
import { systemClock } from '../../core/clock.ts'
import { switchRequest } from '../../core/contract/people.ts'
import { Verb } from '../../core/contract/states.ts'
import { SluiceError } from '../../core/errors.ts'
import { createHalts } from '../../core/journal/halts.ts'
import type { AwsLimits } from '../../core/keys/aws-limits.ts'
import { newId, wireTable } from '../runtime/clients.ts'
import { type MakeHandler, tellFault } from '../runtime/handler.ts'
import { framePeople, wireHearing } from '../runtime/people-frame.ts'
import { wireBus } from '../runtime/trigger-wiring.ts'
import { type SwitchTold, throwSwitch } from './throw-switch.ts'

/** A person waits for the answer. */
const BRIEF: AwsLimits = { connectionTimeoutMs: 1_000, requestTimeoutMs: 1_500, attempts: 2 }

export const makeThrowSwitchHandler: MakeHandler = (env) => {
  // Also in a table that nobody has accepted yet: whoever verifies it finds that people halted.
  const { store } = wireTable(env)
  const publish = wireBus(env, BRIEF)
  const tell = (event: SwitchTold) =>
    publish(event).catch((error: unknown) => {
      // The person has stopped sending, and is told so. That nobody else was is for the log.
      if (!(error instanceof SluiceError)) throw error
      tellFault(Verb.ThrowSwitch, error, {})
    })
  const ports = { halts: createHalts(store, newId), clock: systemClock, tell }
  return framePeople(Verb.ThrowSwitch, switchRequest, wireHearing(env, store), (request, by) =>
    throwSwitch(request, by, ports),
  )
}
