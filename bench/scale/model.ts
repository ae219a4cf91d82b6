// Holds a workload against every quota: the load at the peak, the share of the limit, and from how many runs a day on it
// breaks. And simulates what waits in line.
import { HELD_WAIT, waitAfter } from '../../core/movements/polling.ts'
import { seededRandom } from '../../test/simulation/choices.ts'
import { type Counts, RUN_KINDS } from './counts.ts'
import { arrivals, figuresOf, type Random, type WaitFigures, waitForLane, waitInLine } from './queues.ts'
import type { Quota } from './quota.ts'
import { QUOTAS_OF_AWS } from './quotas-of-aws.ts'
import { QUOTAS_OF_JOURNAL } from './quotas-of-journal.ts'
import { QUOTAS_OF_OURS } from './quotas-of-ours.ts'
import { FENCE_SECONDS, INTENT_LIFE_SECONDS, Load, type Workload } from './workload.ts'

export const QUOTAS: readonly Quota[] = [...QUOTAS_OF_AWS, ...QUOTAS_OF_JOURNAL, ...QUOTAS_OF_OURS]

export interface QuotaUse {
  readonly name: string
  readonly what: string
  /** At the peak, in the unit of the limit. */
  readonly load: number
  readonly limit: number
  /** Load by limit. */
  readonly share: number
  /** The most runs a day that it bears, of the same mix; absent where it does not depend on them. */
  readonly bears?: number
}

export interface LineUse {
  readonly name: string
  readonly what: string
  /** Share of the time in which it is taken. From 1 on the line grows without end. */
  readonly taken: number
  /** Seconds; absent where nothing comes, or the line grows without end. */
  readonly waits?: WaitFigures
}

export interface Assessment {
  readonly workload: Workload
  /** The fullest first. */
  readonly quotas: readonly QuotaUse[]
  readonly lines: readonly LineUse[]
  /** What breaks at the fewest runs a day. */
  readonly first: QuotaUse | undefined
}

export type Limits = Readonly<Record<string, number>>

/** Far above what anybody runs. */
const MOST_RUNS = 1e12
const ARRIVALS = 20_000

export function assess(workload: Workload, counts: Counts, limits: Limits, seed: number): Assessment {
  const load = new Load(workload, counts)
  const quotas = QUOTAS.map((quota) => useOf(quota, load, limits[quota.name] ?? quota.limit))
  const first = quotas
    .filter((use) => use.bears !== undefined)
    .reduce<QuotaUse | undefined>(
      (least, use) => ((use.bears ?? 0) < (least?.bears ?? MOST_RUNS) ? use : least),
      undefined,
    )
  const serviceLimit = quotas.find(({ name }) => name === 'service-requests')?.limit ?? 0
  return {
    workload,
    quotas: quotas.toSorted((one, other) => other.share - one.share),
    lines: [laneOf(load, seed), serviceOf(load, serviceLimit, seed)],
    first,
  }
}

function useOf(quota: Quota, load: Load, limit: number): QuotaUse {
  const { name, what } = quota
  const now = quota.load(load)
  const bears = mostRuns((runsADay) => quota.load(new Load({ ...load.workload, runsADay }, load.counts)) <= limit)
  return { name, what, load: now, limit, share: now / limit, ...(bears !== undefined && { bears }) }
}

/** The most whole runs a day that fit; `undefined` where any number does. `fits`: once it does not, more do not either. */
export function mostRuns(fits: (runsADay: number) => boolean): number | undefined {
  if (fits(MOST_RUNS)) return undefined
  let [low, high] = [0, MOST_RUNS]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (fits(middle)) low = middle
    else high = middle
  }
  return low
}

function laneOf(load: Load, seed: number): LineUse {
  const holds = (random: Random) => (random() < load.workload.inDoubt ? FENCE_SECONDS : load.laneSeconds())
  const about = { name: 'lane', what: 'a withdrawal, for the lane of its asset' }
  return useOfLine(about, load.laneRate(), load.meanLaneSeconds(), () => {
    const line = arrivals(ARRIVALS, load.laneRate(), holds, seededRandom(seed))
    return waitForLane(line, { lifeSeconds: INTENT_LIFE_SECONDS, waitAfter: (looks) => waitAfter(looks, HELD_WAIT) })
  })
}

/** Runs stand for their requests, as if each asked all of them one after the other. */
function serviceOf(load: Load, limit: number, seed: number): LineUse {
  const rate = load.atPeak(() => 1)
  const seconds = RUN_KINDS.map((kind) => {
    const { serviceReads, serviceSends } = load.counts.kinds[kind]
    return { share: load.workload.mix[kind], seconds: (serviceReads + serviceSends) / limit }
  })
  const mean = seconds.reduce((sum, each) => sum + each.share * each.seconds, 0)
  const about = { name: 'service', what: 'a run, for its turn within the rate of the service' }
  return useOfLine(about, rate, mean, () =>
    waitInLine(arrivals(ARRIVALS, rate, (random) => pickBy(seconds, random()), seededRandom(seed))),
  )
}

function pickBy(kinds: readonly { readonly share: number; readonly seconds: number }[], chance: number): number {
  let left = chance
  for (const { seconds, share } of kinds) {
    if (left < share) return seconds
    left -= share
  }
  return kinds.findLast(({ share }) => share > 0)?.seconds ?? 0
}

function useOfLine(
  about: Pick<LineUse, 'name' | 'what'>,
  rate: number,
  holdsSeconds: number,
  simulate: () => Parameters<typeof figuresOf>[0],
): LineUse {
  const taken = rate * holdsSeconds
  if (rate === 0 || taken >= 1) return { ...about, taken }
  return { ...about, taken, waits: figuresOf(simulate()) }
}
