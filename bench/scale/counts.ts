// What one run of each kind uses, as `npm run scale -- --measure` has counted it (counts.json).
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as z from 'zod/mini'

/** The kinds of runs that a mix is made of, and the scenario of `npm run cost` that stands for each. */
export const SCENARIO_OF = {
  conversions: 'conversion, filled at placement',
  'slow-conversions': 'conversion, settled 30 s after a 202',
  withdrawals: 'withdrawal, completed 30 s after its send',
  rebalances: 'rebalance of ten legs',
} as const
export type RunKind = keyof typeof SCENARIO_OF
export const RUN_KINDS = Object.keys(SCENARIO_OF) as readonly RunKind[]

const figure = z.number().check(z.gte(0))

const runCounts = z.strictObject({
  /** Executions, those of legs too. */
  starts: figure,
  transitions: figure,
  /** Events of the longest history. */
  historyEvents: figure,
  invocations: figure,
  /** Of functions at work, reckoned (bench/cost/meter.ts). */
  functionSeconds: figure,
  /** Requests to the service. */
  serviceReads: figure,
  serviceSends: figure,
  /** Put on the bus. */
  events: figure,
  /** Seconds that the run takes: those in which a function works or the machine waits, of one execution. */
  seconds: figure,
  /** Capacity units, by key or list. */
  journal: z.record(z.string(), z.strictObject({ reads: figure, writes: figure })),
})
export type RunCounts = z.infer<typeof runCounts>

export const counts = z.strictObject({
  /** YYYY-MM-DD. */
  measuredAt: z.string(),
  /** How often each kind was run. */
  runs: figure,
  kinds: z.strictObject({
    conversions: runCounts,
    'slow-conversions': runCounts,
    withdrawals: runCounts,
    rebalances: runCounts,
  }),
  /** By how much a day's budget grows with each movement that it counts. */
  reservationBytes: figure,
  /** By how much the record of a withdrawal grows with each row of its asset that was there before. */
  knownRowBytes: figure,
})
export type Counts = z.infer<typeof counts>

export const COUNTS_FILE = fileURLToPath(new URL('counts.json', import.meta.url))

export function readCounts(): Counts {
  return counts.parse(JSON.parse(readFileSync(COUNTS_FILE, 'utf8')))
}
