// Publishes on the bus that people halted or resumed sending. The change is recorded before. If the bus fails, the log
// reports it, and the person who asked gets the normal answer.
import type { ReportSwitch } from '../../core/contract/events.ts'
import type { Verb } from '../../core/contract/states.ts'
import { SluiceError } from '../../core/errors.ts'
import type { AwsLimits } from '../../core/keys/aws-limits.ts'
import { logFault } from './handler.ts'
import { wireBus } from './trigger-wiring.ts'

/** Short limits, because a person waits for the answer. */
const BRIEF: AwsLimits = { connectionTimeoutMs: 1_000, requestTimeoutMs: 1_500, attempts: 2 }

export function wireSwitchPublisher(verb: Verb, env: NodeJS.ProcessEnv): ReportSwitch {
  const publish = wireBus(env, BRIEF)
  return (event) =>
    publish(event).catch((error: unknown) => {
      if (!(error instanceof SluiceError)) throw error
      logFault(verb, error, {})
    })
}
