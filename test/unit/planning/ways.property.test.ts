import fc from 'fast-check'
import { expect, test } from 'vitest'
import { planRebalance } from '../../../core/planning/rebalance/rebalance.ts'
import { cases } from '../../helpers/cases.ts'
import { judgePortfolio } from './portfolio-runs.ts'

test('runs over any markets bring each asset into its band by the cheapest way, or the plan has a true reason', () => {
  fc.assert(
    fc.property(fc.nat(), (seed) => {
      expect(judgePortfolio(seed, planRebalance)).toEqual([])
    }),
    // `SLUICE_CASES=10` draws 2,000.
    { numRuns: cases(200) },
  )
})
