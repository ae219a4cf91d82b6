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

const ALL: Readonly<Record<string, SimulatedMutant>> = {
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

/**
 * Variants that 9,000 schedules do not catch since insiders also play the step that settles. Whether a world lacks their case
 * or another rule covers it is open, so each is to be caught or shown harmless.
 */
const UNCAUGHT_NAMES = ['price-of-the-record', 'send-believes-the-record', 'terms-of-a-quicker-run']
const withNames = (areUncaught: boolean) =>
  Object.fromEntries(Object.entries(ALL).filter(([name]) => UNCAUGHT_NAMES.includes(name) === areUncaught))
export const UNCAUGHT = withNames(true)

export const MUTANTS = withNames(false)
