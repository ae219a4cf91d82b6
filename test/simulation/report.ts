// Writes the figures of simulated schedules for people. It judges nothing.
import type { Failure, Figures } from './campaign.ts'
import type { Explored, FailedScript } from './exploration.ts'

const HOUR_MS = 3_600_000

export function figuresText(name: string, figures: Figures): string {
  const { virtualMs, faults, certaintyMs, situations, outcomes, failures } = figures
  const crashes = faults.get('crashed') ?? 0
  return [
    `${name}: ${paceText(figures)}; ${failures.length} with violations`,
    `  virtual time: ${Math.round(virtualMs / HOUR_MS)} h; crashes: ${crashes}; other faults: ${sum(faults) - crashes}`,
    `  faults by kind: ${countsText(faults)}`,
    `  ends: ${countsText(outcomes)}`,
    `  states x faults met: ${situations.size} (${situationsText(situations)})`,
    `  time to certainty, virtual: median ${secondsText(certaintyMs, 0.5)}, 99th percentile ${secondsText(certaintyMs, 0.99)} (${certaintyMs.length} intents)`,
  ].join('\n')
}

/** Processor time is what a quiet machine would take. */
export function paceText({ schedules, seconds, cpuSeconds }: Figures): string {
  const pace = `${Math.round(schedules / seconds)} a second, ${Math.round(schedules / cpuSeconds)} a second of processor time`
  return `${schedules} schedules in ${seconds.toFixed(1)} s, ${pace}`
}

/** The flags of `npm run simulate` that show a failure again. */
export function failureFlags({ world, seed, bounded, untidy }: Failure): string {
  const bounds = Object.entries(bounded).map(([name, bound]) => ` --${name} ${bound}`)
  if (untidy) bounds.push(` --untidy ${untidy.join(',') || 'none'}`)
  return `--world ${world} --seed ${seed} --schedules 1${bounds.join('')}`
}

/**
 * Describes the schedules that ran, the number that they represent, and how often each departure led at once to a known
 * state.
 */
export function exploredText(explored: Explored, isWhole: boolean): string {
  const { states, merged, standsFor, longestMs, departures } = explored
  const byTaken = [...departures]
    .filter(([name]) => name !== '')
    .sort(([, left], [, right]) => right.taken - left.taken)
  const known = byTaken.map(([name, { taken, merged: atOnce }]) => `${name} ${taken} (${atOnce})`)
  const whole = isWhole ? `; they stand for at least ${manyText(standsFor)} schedules` : ''
  return [
    `  states: ${states}; schedules left at a known one: ${merged}${whole}, the longest of ${longestMs / 1000} s`,
    `  departures followed (at once to a known state): ${known.join(', ')}`,
  ].join('\n')
}

/** A count that is too large to be exact is rounded. */
function manyText(count: number): string {
  return Number.isSafeInteger(count) ? String(count) : count.toExponential(1)
}

/** The flag that shows a schedule of a scope again. */
export function scriptFlags({ corner, script }: FailedScript): string {
  return `--script ${[corner, ...script.map(({ point, option }) => `${point}:${option}`)].join(',')}`
}

function countsText(counts: ReadonlyMap<string, number>): string {
  const sorted = [...counts].sort(([, left], [, right]) => right - left)
  return sorted.map(([name, times]) => `${name} ${times}`).join(', ') || 'none'
}

/** The number of kinds of faults that each state has met. */
function situationsText(situations: ReadonlyMap<string, number>): string {
  const kinds = new Map<string, number>()
  for (const situation of situations.keys()) {
    const [state = ''] = situation.split(' ', 1)
    kinds.set(state, (kinds.get(state) ?? 0) + 1)
  }
  return countsText(kinds)
}

function secondsText(durationsMs: readonly number[], quantile: number): string {
  const sorted = durationsMs.toSorted((left, right) => left - right)
  const durationMs = sorted[Math.min(Math.floor(sorted.length * quantile), sorted.length - 1)]
  return durationMs === undefined ? 'none' : `${(durationMs / 1000).toFixed(1)} s`
}

function sum(counts: ReadonlyMap<string, number>): number {
  let total = 0
  for (const times of counts.values()) total += times
  return total
}
