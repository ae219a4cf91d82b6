// A rebalance takes the cheapest path to its targets, or the plan says why it cannot.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planRebalance } from '../../../core/policies/rebalance/planner.ts'
import { cases } from '../../helpers/cases.ts'
import { judgePortfolio } from './portfolio-runs.ts'

/** Number of portfolios. */
const PORTFOLIOS = 2_000

test('runs over any markets bring each asset into its band by the cheapest path, or the plan has a true reason', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: PORTFOLIOS }), (seed) => {
      expect(judgePortfolio(seed, planRebalance)).toEqual([])
    }),
    { numRuns: cases(200) },
  )
})
