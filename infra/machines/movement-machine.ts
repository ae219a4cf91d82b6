// Builds the states that conversions and withdrawals share: waits, polls of a proven movement, and the conclusion from
// the journal. Also owns their longest time.
import { Duration } from 'aws-cdk-lib'
import { JsonPath, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions'
import type { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks'
import type { Construct } from 'constructs'
import type { IntentKind } from '../../core/contract/records.ts'
import { longestFenceSeconds, type Timing } from '../../core/contract/timing.ts'
import type { VerbFunction } from '../constructs/verb-function.ts'
import { RUN, step } from './machine-kit.ts'

/** Waits for the seconds in the answer of the step before. */
export function waitFromAnswer(scope: Construct, name: string): Wait {
  return new Wait(scope, name, { time: WaitTime.secondsPath('$.waitSeconds') })
}

export function pollStep(scope: Construct, name: string, poll: VerbFunction): LambdaInvoke {
  return step(scope, name, poll, {
    intentId: JsonPath.stringAt('$.intentId'),
    waits: JsonPath.numberAt('$.waits'),
  })
}

/** Ends a run whose fault outlasted the retries, from the journal, which knows whether money may have moved. */
export function concludeStep(scope: Construct, name: string, conclude: VerbFunction, kind: IntentKind): LambdaInvoke {
  return step(scope, name, conclude, {
    ...RUN,
    kind,
    // The whole state: AWS gives every fault a Cause but does not promise it, and a path to a missing Cause would end
    // the run without a name.
    fault: JsonPath.objectAt('$'),
  })
}

/** Seconds that a movement may be held, by a halt or a lane (core/movements/polling.ts). */
const HELD_SECONDS = 8 * 3600
/** Lower bound of the timeout: two days. */
const LEAST_SECONDS = 2 * 24 * 3600

/**
 * Twice the sum of the longest hold and the times that treasury.json allows, at least two days. `moreSeconds`: for
 * additional polls.
 */
export function movementTimeout(timing: Timing, visibilitySeconds: number, moreSeconds = 0): Duration {
  const attemptsSeconds = timing.intentLifeSeconds + timing.attempts * longestFenceSeconds(timing, visibilitySeconds)
  const pollsSeconds = timing.pollWaits * (timing.pollLongestWaitSeconds + timing.pollInsideSeconds)
  const allSeconds = HELD_SECONDS + attemptsSeconds + pollsSeconds + moreSeconds
  return Duration.seconds(Math.max(LEAST_SECONDS, 2 * allSeconds))
}
