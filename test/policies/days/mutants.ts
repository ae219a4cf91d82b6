// Lists naive variants of the product's guards and plans, which the observer must catch.
import { BOUND_MUTANTS } from './mutants/bounds.ts'
import type { DaysMutant } from './mutants/mutant.ts'
import { PAYOUT_MUTANTS } from './mutants/payouts.ts'
import { PLAN_MUTANTS } from './mutants/plans.ts'
import { SEND_MUTANTS } from './mutants/sends.ts'

export const MUTANTS: Readonly<Record<string, DaysMutant>> = {
  ...BOUND_MUTANTS,
  ...SEND_MUTANTS,
  ...PLAN_MUTANTS,
  ...PAYOUT_MUTANTS,
}
