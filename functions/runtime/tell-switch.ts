// Tells on the bus that people have halted sending or let it go on. That is recorded by then: nobody who asked for it hears
// of a bus that does not take it, and the log does.
import type { TellSwitch } from '../../core/contract/events.ts'
import type { Verb } from '../../core/contract/states.ts'
import { SluiceError } from '../../core/errors.ts'
import type { AwsLimits } from '../../core/keys/aws-limits.ts'
import { tellFault } from './handler.ts'
import { wireBus } from './trigger-wiring.ts'

/** A person waits for the answer. */
const BRIEF: AwsLimits = { connectionTimeoutMs: 1_000, requestTimeoutMs: 1_500, attempts: 2 }

export function wireTellSwitch(verb: Verb, env: NodeJS.ProcessEnv): TellSwitch {
  const publish = wireBus(env, BRIEF)
  return (event) =>
    publish(event).catch((error: unknown) => {
      if (!(error instanceof SluiceError)) throw error
      tellFault(verb, error, {})
    })
}
