// Lists the naive variants of the product that the simulation must catch. Each is a text change of the product's files,
// made in memory when the simulation is bundled. This folder holds texts only.
import type { SimulatedMutant } from './mutant.ts'
import { BESIDE_MUTANTS } from './mutants/beside.ts'
import { DOUBT_MUTANTS } from './mutants/doubts.ts'
import { END_MUTANTS } from './mutants/ends.ts'
import { GUARD_MUTANTS } from './mutants/guards.ts'
import { INSIDER_MUTANTS } from './mutants/insiders.ts'
import { KEY_MUTANTS } from './mutants/keys.ts'
import { PLAN_MUTANTS } from './mutants/plans.ts'
import { QUOTE_MUTANTS } from './mutants/quotes.ts'
import { ROW_MUTANTS } from './mutants/rows.ts'
import { RUN_MUTANTS } from './mutants/runs.ts'
import { SEND_MUTANTS } from './mutants/sends.ts'
import { WRITE_MUTANTS } from './mutants/writes.ts'

export { HARMLESS } from './mutants/harmless.ts'

export const MUTANTS: Readonly<Record<string, SimulatedMutant>> = {
  ...SEND_MUTANTS,
  ...DOUBT_MUTANTS,
  ...ROW_MUTANTS,
  ...RUN_MUTANTS,
  ...BESIDE_MUTANTS,
  ...QUOTE_MUTANTS,
  ...WRITE_MUTANTS,
  ...KEY_MUTANTS,
  ...END_MUTANTS,
  ...GUARD_MUTANTS,
  ...PLAN_MUTANTS,
  ...INSIDER_MUTANTS,
}
