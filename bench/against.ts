// Compares figures with those of an earlier run. Only ratios: times differ between machines, and between hours of one
// machine.
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import type { Spread } from './paired.ts'
import type { Measured } from './report.ts'

const spread = z.object({ median: z.number(), low: z.number(), high: z.number() })

const written = z.object({
  figures: z.array(z.object({ benchmark: z.string(), name: z.string(), value: z.number(), ratio: z.optional(spread) })),
})
export type Before = z.infer<typeof written>['figures']

/** @throws Error with the expected content of the file, also for a missing or unreadable file */
export function readBefore(file: string): Before {
  const parsed = written.safeParse(readJson(file))
  if (parsed.success) return parsed.data.figures
  throw new Error(
    `--against ${file}: expected a file with the output of \`npm run bench -- --json\`; ` +
      'write one with `npm run -s bench -- --json > bench-before.json`',
  )
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** The noise of a figure that was measured only once is unknown: this share of it is assumed. */
const UNKNOWN_NOISE = 0.15

export interface Compared {
  /**
   * A line for each figure that is worse by more than the noise: even its better quartile is above the earlier worse
   * quartile.
   */
  readonly worse: readonly string[]
  readonly compared: number
  /** Figures with a ratio that only one of the two runs has. */
  readonly alone: readonly string[]
}

export function compare(before: Before, now: readonly Measured[]): Compared {
  const [were, are] = [ratiosOf(before), ratiosOf(now)]
  const both = [...are].flatMap(([name, is]) => {
    const was = were.get(name)
    return was === undefined ? [] : [{ name, was, is }]
  })
  const worse = both.filter(
    ({ was, is }) => is.low > was.high * (hasSpread(was) && hasSpread(is) ? 1 : 1 + UNKNOWN_NOISE),
  )
  return {
    worse: worse.map(
      ({ name, was, is }) =>
        `${name}: worse: ratio ${short(is.median)} (from ${short(is.low)}), was ${short(was.median)} (to ${short(was.high)})`,
    ),
    compared: both.length,
    alone: [...new Set([...were.keys(), ...are.keys()])].filter((name) => !(were.has(name) && are.has(name))),
  }
}

function ratiosOf(figures: Before | readonly Measured[]): ReadonlyMap<string, Spread> {
  return new Map(
    figures.flatMap(({ benchmark, name, ratio }) => (ratio === undefined ? [] : [[`${benchmark}: ${name}`, ratio]])),
  )
}

const hasSpread = ({ high, low }: Spread) => high > low

const short = (ratio: number) => ratio.toPrecision(3)
