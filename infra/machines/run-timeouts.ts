// Owns the longest times of runs. A leg may wait for hours, for a lane or during a halt, so a run's bound is longer
// than that of its legs.
import { Duration } from 'aws-cdk-lib'

/** Added to a leg's own timeout, so that the leg itself ends and reports why. */
const HOUR_SECONDS = 3_600
/**
 * Longest `runLifeSeconds`: no leg sends later. A later leg ends at once, so after this time only the last leg's own
 * bound remains, however many legs there are.
 */
const LONGEST_RUN_LIFE_SECONDS = 24 * HOUR_SECONDS
/** Longest wait of a run for its policy before it has a plan: that time and some minutes. */
const LONGEST_WAIT_SECONDS = LONGEST_RUN_LIFE_SECONDS + HOUR_SECONDS
/** Time for plans, starts and settling. */
const REST_SECONDS = 24 * HOUR_SECONDS

export interface RunTimeouts {
  readonly leg: (child: Duration) => Duration
  readonly run: Duration
}

/** `children`: the timeouts of its legs' machines. */
export function runTimeouts(...children: readonly Duration[]): RunTimeouts {
  const leg = (child: Duration) => child.plus(Duration.seconds(HOUR_SECONDS))
  const longestSeconds = Math.max(...children.map((child) => leg(child).toSeconds()))
  const withoutLegsSeconds = LONGEST_WAIT_SECONDS + LONGEST_RUN_LIFE_SECONDS + REST_SECONDS
  return { leg, run: Duration.seconds(withoutLegsSeconds + longestSeconds) }
}
