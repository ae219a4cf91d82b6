// Runs many seeded schedules of one world and adds up what they met. This is what is bundled, with
// the product's code, as it is or mutated: it prints nothing and chooses no world.
import { type Bounded, drawSchedule, type WorldName } from './schedules.ts'
import { ALL_UNTIDY, type Untidy } from './untidiness.ts'
import { type Ended, runSchedule } from './world.ts'

export { type Bounded, WORLDS, type WorldName } from './schedules.ts'

/** Each sixth seed is untidy in one way alone: what one way breaks is rare among all of them. */
const ONE_WAY_EVERY = 6

/** As `npm run simulate` draws it: most seeds are untidy in every way. */
export function untidyOf(seed: number): readonly Untidy[] {
  if (seed % ONE_WAY_EVERY !== 0) return ALL_UNTIDY
  const way = ALL_UNTIDY[(seed / ONE_WAY_EVERY) % ALL_UNTIDY.length]
  return way === undefined ? [] : [way]
}

/** `untidy`: as the seed has it, unless it is given. */
export function runSeed(
  world: WorldName,
  seed: number,
  bounded: Bounded = {},
  untidy: readonly Untidy[] = untidyOf(seed),
): Promise<Ended> {
  return runSchedule(drawSchedule(world, seed, bounded, untidy))
}

export interface Failure {
  readonly world: WorldName
  readonly seed: number
  readonly bounded: Bounded
  readonly untidy?: readonly Untidy[] | undefined
  readonly violations: readonly string[]
}

export interface Figures {
  schedules: number
  seconds: number
  /** Of processor time: what a quiet machine would take. */
  cpuSeconds: number
  /** Virtual time of all schedules together. */
  virtualMs: number
  readonly faults: Map<string, number>
  /** `STATE fault` pairs that were met, and how often. */
  readonly situations: Map<string, number>
  readonly outcomes: Map<string, number>
  /** Virtual ms from an intent's first send until its end was certain. */
  readonly certaintyMs: number[]
  readonly failures: Failure[]
}

export interface Campaign {
  readonly world: WorldName
  readonly firstSeed: number
  readonly schedules: number
  readonly bounded?: Bounded
  /** As each seed has it, unless given. */
  readonly untidy?: readonly Untidy[] | undefined
  /** It stops after so many failing schedules. */
  readonly mostFailures: number
  /** Told now and then. */
  readonly onProgress?: (figures: Figures) => void
}

/** Worlds that share their ticks, which are a fifth of the cost of one alone. None sees another. */
const AT_ONCE = 4

export function noFigures(): Figures {
  return {
    ...{ schedules: 0, seconds: 0, cpuSeconds: 0, virtualMs: 0 },
    ...{ faults: new Map(), situations: new Map(), outcomes: new Map() },
    ...{ certaintyMs: [], failures: [] },
  }
}

export async function runCampaign(campaign: Campaign): Promise<Figures> {
  const { world, firstSeed, schedules, bounded = {}, untidy, mostFailures, onProgress } = campaign
  const figures = noFigures()
  const stop = timing(figures)
  for (let next = firstSeed; next < firstSeed + schedules; next += AT_ONCE) {
    const seeds = Array.from({ length: Math.min(AT_ONCE, firstSeed + schedules - next) }, (_, at) => next + at)
    const all = await Promise.all(seeds.map((seed) => runSeed(world, seed, bounded, untidy).catch(brokenWorld)))
    for (const [at, ended] of all.entries()) {
      addTo(figures, ended)
      const { violations } = ended
      if (violations.length > 0) figures.failures.push({ world, seed: next + at, bounded, untidy, violations })
      if (figures.failures.length >= mostFailures) {
        stop()
        return figures
      }
    }
    onProgress?.(figures)
    // Whoever else lives in this process has its turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
  stop()
  return figures
}

/** Starts the clocks; what it gives stops them. */
export function timing(figures: Figures): () => void {
  const startMs = performance.now()
  const startUsage = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(startUsage)
    figures.seconds = (performance.now() - startMs) / 1000
    figures.cpuSeconds = (user + system) / 1_000_000
  }
}

/** A world that makes no progress, say: as bad as any violation. */
export function brokenWorld(error: unknown): Ended {
  const violations = [`the world broke: ${error}`]
  return { ends: [], lastEnds: [], violations, certaintyMs: [], virtualMs: 0, isCut: false, situations: [] }
}

export function addTo(figures: Figures, ended: Ended): void {
  figures.schedules += 1
  figures.virtualMs += ended.virtualMs
  for (const { fault, states } of ended.situations) {
    count(figures.faults, fault)
    for (const state of states) count(figures.situations, `${state} ${fault}`)
  }
  for (const { outcome } of ended.ends) count(figures.outcomes, outcome)
  for (const durationMs of ended.certaintyMs) figures.certaintyMs.push(durationMs)
}

function count(counts: Map<string, number>, key: string): void {
  counts.set(key, (counts.get(key) ?? 0) + 1)
}

/** The same seed with fewer intents, executions and faults, as long as something still breaks. */
export async function shrink(failure: Failure): Promise<Failure> {
  let smallest = failure
  for (const field of ['intents', 'executions', 'faults'] as const) {
    for (let bound = field === 'faults' ? 0 : 1; bound < (smallest.bounded[field] ?? 40); bound += 1) {
      const bounded = { ...smallest.bounded, [field]: bound }
      const { violations } = await runSeed(failure.world, failure.seed, bounded, failure.untidy).catch(brokenWorld)
      if (violations.length === 0) continue
      smallest = { ...smallest, bounded, violations }
      break
    }
  }
  return smallest
}
