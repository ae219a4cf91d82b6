import { describe, expect, test } from 'vitest'
import { unchangedSimulation } from './bundle.ts'
import { NAIVE } from './naive.ts'
import { withoutStacks } from './without-stacks.ts'

withoutStacks()

/** The schedules are seeded, so they are the same each time. `npm run simulate -- --naive NAME` runs more. */
const SCHEDULES = 3_000

describe('naive variants of the product', () => {
  const CAUGHT = Object.entries(NAIVE).filter(([, { isRare }]) => !isRare)

  test.each(CAUGHT)('%s is caught', async (naive, { world, untidy }) => {
    const { runCampaign, ALL_UNTIDY } = await unchangedSimulation()
    const campaign = { world, untidy: untidy ?? ALL_UNTIDY, naive, firstSeed: 1, schedules: SCHEDULES, mostFailures: 1 }
    const [caught] = (await runCampaign(campaign)).failures
    expect(caught?.violations.join()).toMatch(/./)
    // A variant that cannot run proves nothing.
    expect(caught?.violations.join()).not.toMatch(/ReferenceError|TypeError|SyntaxError/)
  })
})
