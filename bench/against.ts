// Holds figures against those of a run before. Ratios only: two machines, or two hours of one, have other times.
import { readFileSync } from 'node:fs'
import * as z from 'zod/mini'
import type { Measured } from './report.ts'
import type { Spread } from './spread.ts'

const spread = z.object({ median: z.number(), low: z.number(), high: z.number() })

/** What `--json` writes. */
const written = z.object({
  figures: z.array(z.object({ benchmark: z.string(), name: z.string(), value: z.number(), ratio: z.optional(spread) })),
})
export type Before = z.infer<typeof written>['figures']

/** @throws Error that says what the file should hold, also where there is none that can be read */
export function readBefore(file: string): Before {
  const parsed = written.safeParse(readJson(file))
  if (parsed.success) return parsed.data.figures
  throw new Error(
    `--against ${file}: expected a file that holds what \`npm run bench -- --json\` prints; ` +
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

/** Of a figure that was measured once nobody knows the noise: this share of it. */
const UNKNOWN_NOISE = 0.15

export interface Compared {
  /** A line for each that is worse by more than the noise: even its better quartile is above the worse one of before. */
  readonly worse: readonly string[]
  readonly compared: number
  /** Figures with a ratio that stand in one of the two alone. */
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
