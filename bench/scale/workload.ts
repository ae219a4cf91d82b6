// What is asked of a deployment: how many runs a day, of which kinds, and how unevenly.
import { longestFenceSeconds, timing } from '../../core/contract/timing.ts'
import { type Counts, RUN_KINDS, type RunCounts, type RunKind } from './counts.ts'

export interface Workload {
  readonly runsADay: number
  /** Shares that come to 1. */
  readonly mix: Readonly<Record<RunKind, number>>
  /** The rate of the busiest hour, by the mean rate of the day. */
  readonly peakFactor: number
  /** Assets over which withdrawals are spread evenly. */
  readonly assets: number
  /** Policies over which rebalances are spread evenly. */
  readonly policies: number
  /** Share of withdrawals whose answer is lost: they hold their lane until the fence. */
  readonly inDoubt: number
  /** Share of runs that a deposit's webhook starts. */
  readonly byWebhook: number
  /** Whether `guards.total.daily` bounds the day. */
  readonly hasBudget: boolean
}

export const USUAL: Workload = {
  runsADay: 10_000,
  mix: { conversions: 0.7, 'slow-conversions': 0.1, withdrawals: 0.15, rebalances: 0.05 },
  ...{ peakFactor: 10, assets: 5, policies: 20, inDoubt: 0.001, byWebhook: 0.1, hasBudget: true },
}

export const DAY_SECONDS = 86_400
export const HOUR_SECONDS = 3_600

/** Seconds that a request to the service takes (bench/cost/meter.ts reckons with the same). */
export const SERVICE_CALL_SECONDS = 0.06
export const JOURNAL_CALL_SECONDS = 0.008
const TIMING = timing.parse({})
export const FENCE_SECONDS = longestFenceSeconds(TIMING)
export const INTENT_LIFE_SECONDS = TIMING.intentLifeSeconds

/** A workload together with what one run of each kind uses. */
export class Load {
  readonly workload: Workload
  readonly counts: Counts

  constructor(workload: Workload, counts: Counts) {
    this.workload = workload
    this.counts = counts
  }

  /** Runs a second in the busiest hour. */
  peakRate(kind: RunKind): number {
    return (this.aDay(kind) / DAY_SECONDS) * this.workload.peakFactor
  }

  /** Runs a day. */
  aDay(kind: RunKind): number {
    return this.workload.runsADay * this.workload.mix[kind]
  }

  /** A second in the busiest hour, of what a run uses. */
  atPeak(use: (run: RunCounts, kind: RunKind) => number): number {
    return RUN_KINDS.reduce((sum, kind) => sum + this.peakRate(kind) * use(this.counts.kinds[kind], kind), 0)
  }

  /** A day, of what a run uses. */
  inADay(use: (run: RunCounts, kind: RunKind) => number): number {
    return RUN_KINDS.reduce((sum, kind) => sum + this.aDay(kind) * use(this.counts.kinds[kind], kind), 0)
  }

  /** Movements of the busiest hour: a run sends once for each. */
  movementsOfHour(): number {
    return HOUR_SECONDS * this.atPeak(({ serviceSends }) => serviceSends)
  }

  /** Withdrawals a second of one asset in the busiest hour. */
  laneRate(): number {
    return this.peakRate('withdrawals') / this.workload.assets
  }

  /** Seconds for which a withdrawal that is answered holds its lane, at most: every request of the run but its looks. */
  laneSeconds(): number {
    const { serviceReads, serviceSends } = this.counts.kinds.withdrawals
    return (serviceReads + serviceSends) * SERVICE_CALL_SECONDS
  }

  /** The same on average, with those that are in doubt until their fence. */
  meanLaneSeconds(): number {
    const { inDoubt } = this.workload
    return (1 - inDoubt) * this.laneSeconds() + inDoubt * FENCE_SECONDS
  }

  /** Bytes of the record of a day's budget at the end of the day. From `sumsFrom` reservations on it grows no more. */
  budgetBytes(sumsFrom: number): number {
    const reservations = Math.min(
      sumsFrom,
      this.inADay(({ serviceSends }) => serviceSends),
    )
    return RECORD_BYTES + reservations * this.counts.reservationBytes
  }
}

/** Key, stamp, chain and names, without what grows. */
const RECORD_BYTES = 300
