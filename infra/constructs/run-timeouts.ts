// Owns the last time bounds of runs. A leg may wait for hours, for a lane or while sending is halted, so a run's
// bound lies beyond that of its legs.
import { Duration } from 'aws-cdk-lib'

/** Beyond the leg's own, so that it is the leg that ends, and says how. */
const HOUR_SECONDS = 3_600
/**
 * The longest `runLifeSeconds`: no leg sends later. One that starts later finds that out and ends at once, so
 * however many there are, the last one's own bound is what remains.
 */
const LONGEST_RUN_LIFE_SECONDS = 24 * HOUR_SECONDS
/** As long, and some minutes, a run may wait for its policy before it has a plan. */
const LONGEST_WAIT_SECONDS = LONGEST_RUN_LIFE_SECONDS + HOUR_SECONDS
/** For plans, starts and settling. */
const REST_SECONDS = 24 * HOUR_SECONDS

export interface RunTimeouts {
  readonly leg: (child: Duration) => Duration
  readonly run: Duration
}

/** `children`: the bounds of the machines that its legs run on. */
export function runTimeouts(...children: readonly Duration[]): RunTimeouts {
  const leg = (child: Duration) => child.plus(Duration.seconds(HOUR_SECONDS))
  const longestSeconds = Math.max(...children.map((child) => leg(child).toSeconds()))
  const withoutLegsSeconds = LONGEST_WAIT_SECONDS + LONGEST_RUN_LIFE_SECONDS + REST_SECONDS
  return { leg, run: Duration.seconds(withoutLegsSeconds + longestSeconds) }
}
