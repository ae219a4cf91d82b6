// Runs many seeded schedules of one world and adds up what they met. This module is bundled with the product's code,
// unchanged or mutated. It prints nothing and chooses no world.
import { drawRuns, playRuns } from './runs/payout-runs.ts'
import { type Bounded, drawSchedule, type WorldName } from './schedules.ts'
import { ALL_UNTIDY, type Untidy } from './untidiness.ts'
import { type Ended, runSchedule } from './world.ts'

export type { Bounded, WorldName } from './schedules.ts'

export const WORLDS: readonly WorldName[] = ['convert', 'withdraw', 'mixed', 'runs']

/** Every sixth seed uses one kind of untidiness alone, because a fault of one kind is rare when all kinds are mixed. */
const ONE_WAY_EVERY = 6

/** The untidiness of a seed as `npm run simulate` draws it: most seeds use every kind. */
export function untidyOf(seed: number): readonly Untidy[] {
  if (seed % ONE_WAY_EVERY !== 0) return ALL_UNTIDY
  const way = ALL_UNTIDY[(seed / ONE_WAY_EVERY) % ALL_UNTIDY.length]
  return way === undefined ? [] : [way]
}

/** `untidy`: by default the seed's own. `naive`: runs a naive variant of the product. */
export function runSeed(
  world: WorldName,
  seed: number,
  bounded: Bounded = {},
  untidy: readonly Untidy[] = untidyOf(seed),
  naive?: string,
): Promise<Ended> {
  if (world === 'runs') return playRuns({ ...drawRuns(seed, bounded, untidy), naive })
  return runSchedule({ ...drawSchedule(world, seed, bounded, untidy), naive })
}

export interface Failure {
  readonly world: WorldName
  readonly seed: number
  readonly bounded: Bounded
  readonly untidy?: readonly Untidy[] | undefined
  readonly naive?: string | undefined
  readonly violations: readonly string[]
}

export interface Figures {
  schedules: number
  seconds: number
  /** Processor time, which a quiet machine would take. */
  cpuSeconds: number
  /** Virtual time of all schedules together. */
  virtualMs: number
  readonly faults: Map<string, number>
  /** How often each pair of `STATE fault` was met. */
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
  /** How the service is untidy. Default: as each seed draws. */
  readonly untidy?: readonly Untidy[] | undefined
  /** Runs a naive variant of the product. */
  readonly naive?: string | undefined
  /** The campaign stops after this many failing schedules. */
  readonly mostFailures: number
  readonly onProgress?: (figures: Figures) => void
}

/**
 * Worlds that run together. They share their ticks, which are a fifth of the cost of one world alone, and nothing else.
 */
const AT_ONCE = 4

export function noFigures(): Figures {
  return {
    ...{ schedules: 0, seconds: 0, cpuSeconds: 0, virtualMs: 0 },
    ...{ faults: new Map(), situations: new Map(), outcomes: new Map() },
    ...{ certaintyMs: [], failures: [] },
  }
}

export async function runCampaign(campaign: Campaign): Promise<Figures> {
  const { world, firstSeed, schedules, bounded = {}, untidy, naive, mostFailures, onProgress } = campaign
  const figures = noFigures()
  const stop = timing(figures)
  for (let next = firstSeed; next < firstSeed + schedules; next += AT_ONCE) {
    const seeds = Array.from({ length: Math.min(AT_ONCE, firstSeed + schedules - next) }, (_, at) => next + at)
    const all = await Promise.all(seeds.map((seed) => runSeed(world, seed, bounded, untidy, naive).catch(brokenWorld)))
    for (const [at, ended] of all.entries()) {
      addTo(figures, ended)
      const { violations } = ended
      if (violations.length > 0) figures.failures.push({ world, seed: next + at, bounded, untidy, naive, violations })
      if (figures.failures.length >= mostFailures) {
        stop()
        return figures
      }
    }
    onProgress?.(figures)
    // Gives other work in this process its turn.
    await new Promise((resolve) => setImmediate(resolve))
  }
  stop()
  return figures
}

/** Starts the clocks. The returned function stops them. */
export function timing(figures: Figures): () => void {
  const startMs = performance.now()
  const startUsage = process.cpuUsage()
  return () => {
    const { user, system } = process.cpuUsage(startUsage)
    figures.seconds = (performance.now() - startMs) / 1000
    figures.cpuSeconds = (user + system) / 1_000_000
  }
}

/** A world that fails, for example because it makes no progress, counts as a violation. */
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

/** Repeats the same seed with fewer intents, executions and faults, as long as something still breaks. */
export async function shrink(failure: Failure): Promise<Failure> {
  let smallest = failure
  for (const field of ['intents', 'executions', 'faults'] as const) {
    for (let bound = field === 'faults' ? 0 : 1; bound < (smallest.bounded[field] ?? 40); bound += 1) {
      const bounded = { ...smallest.bounded, [field]: bound }
      const { world, seed, untidy, naive } = failure
      const { violations } = await runSeed(world, seed, bounded, untidy, naive).catch(brokenWorld)
      if (violations.length === 0) continue
      smallest = { ...smallest, bounded, violations }
      break
    }
  }
  return smallest
}
