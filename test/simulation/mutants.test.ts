import { describe, expect, test } from 'vitest'
import { loadSimulation } from './bundle.ts'
import { HARMLESS, MUTANTS } from './mutants.ts'
import { ALL_UNTIDY } from './untidiness.ts'
import { withoutStacks } from './without-stacks.ts'

withoutStacks()

/** Seeded, so the same ones each time; `npm run simulate -- --mutant NAME` runs more. */
const SCHEDULES = 2_000

describe('naive variants of the product', () => {
  test.each(Object.entries(MUTANTS))('%s is caught', async (_, { world, edits, untidy = ALL_UNTIDY }) => {
    const { runCampaign } = await loadSimulation(edits)
    const { failures } = await runCampaign({ world, untidy, firstSeed: 1, schedules: SCHEDULES, mostFailures: 1 })
    expect(failures).toHaveLength(1)
    // A variant that cannot run has shown nothing.
    expect(failures[0]?.violations.join()).not.toMatch(/ReferenceError|TypeError|SyntaxError/)
  })

  test.each(Object.entries(HARMLESS))('%s is a variant of the product as it is', async (_, { edits }) => {
    await expect(loadSimulation(edits)).resolves.toBeDefined()
  })
})
