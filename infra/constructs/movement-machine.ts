// Builds the states that the machines of a conversion and of a withdrawal have in common: waits, looks at a movement that is
// proven, and the conclusion from the journal. Owns the last bound of their time as well.
import { Duration } from 'aws-cdk-lib'
import { JsonPath, Wait, WaitTime } from 'aws-cdk-lib/aws-stepfunctions'
import type { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks'
import type { Construct } from 'constructs'
import type { IntentKind } from '../../core/contract/records.ts'
import { longestFenceSeconds, type Timing } from '../../core/contract/timing.ts'
import { RUN, step } from './machine-kit.ts'
import type { VerbFunction } from './verb-function.ts'

/** Waits as long as the step before has said. */
export function waitAsSaid(scope: Construct, name: string): Wait {
  return new Wait(scope, name, { time: WaitTime.secondsPath('$.waitSeconds') })
}

/** Looks at a movement that is proven. */
export function pollStep(scope: Construct, name: string, poll: VerbFunction): LambdaInvoke {
  return step(scope, name, poll, {
    intentId: JsonPath.stringAt('$.intentId'),
    waits: JsonPath.numberAt('$.waits'),
  })
}

/** Concludes from the journal what went wrong beyond retries: it knows whether money may have moved. */
export function concludeStep(scope: Construct, name: string, conclude: VerbFunction, kind: IntentKind): LambdaInvoke {
  return step(scope, name, conclude, {
    ...RUN,
    kind,
    // Whole: AWS was seen to give every fault a Cause, but does not promise it, and a path to nothing would end the
    // run without a name.
    fault: JsonPath.objectAt('$'),
  })
}

/** For a halt, or a lane that others hold (core/movements/polling.ts). */
const HELD_SECONDS = 8 * 3600
const LEAST_SECONDS = 2 * 24 * 3600

/** Twice as long as a movement may be held and what treasury.json allows it together. `moreSeconds`: for looks beyond the usual. */
export function movementTimeout(timing: Timing, visibilitySeconds: number, moreSeconds = 0): Duration {
  const attemptsSeconds = timing.intentLifeSeconds + timing.attempts * longestFenceSeconds(timing, visibilitySeconds)
  const pollsSeconds = timing.pollWaits * (timing.pollLongestWaitSeconds + timing.pollInsideSeconds)
  const allSeconds = HELD_SECONDS + attemptsSeconds + pollsSeconds + moreSeconds
  return Duration.seconds(Math.max(LEAST_SECONDS, 2 * allSeconds))
}
