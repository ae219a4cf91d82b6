import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { cases } from '../../helpers/cases.ts'
import { judgePortfolio } from './portfolio-runs.ts'

/** The same as those that each naive choice is caught in: see ways-mutants.test.ts, which tries all of them. */
const PORTFOLIOS = 2_000

test('runs over any markets bring each asset into its band by the cheapest way, or the plan has a true reason', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: PORTFOLIOS }), (seed) => {
      expect(judgePortfolio(seed, planRebalance)).toEqual([])
    }),
    { numRuns: cases(200) },
  )
})
