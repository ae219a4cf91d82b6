// Lists the naive variants of the product that the simulation must catch. They run with the product's own code, as it is.
import type { Naive } from './naive/at-port.ts'
import { NAIVE_DOUBTS } from './naive/doubts.ts'
import { NAIVE_GUARDS } from './naive/guards.ts'
import { NAIVE_ROWS } from './naive/rows.ts'
import { NAIVE_RUNS } from './naive/runs.ts'
import { NAIVE_SENDS } from './naive/sends.ts'
import { NAIVE_WRITES } from './naive/writes.ts'

export const NAIVE: Readonly<Record<string, Naive>> = {
  ...NAIVE_SENDS,
  ...NAIVE_DOUBTS,
  ...NAIVE_ROWS,
  ...NAIVE_WRITES,
  ...NAIVE_GUARDS,
  ...NAIVE_RUNS,
}
