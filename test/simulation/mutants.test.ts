// The simulation catches each naive variant of the product.
import { describe, expect, test } from 'vitest'
import { loadMutant } from './bundle.ts'
import { huntMutant } from './mutants/hunt.ts'
import { HARMLESS, MUTANTS } from './mutants.ts'
import { withoutStacks } from './without-stacks.ts'

withoutStacks()

/** The schedules are seeded, so they are the same each time. `npm run simulate -- --mutant NAME` runs more. */
const SCHEDULES = 6_000

describe('naive variants of the product', () => {
  test.each(Object.keys(MUTANTS))('%s is caught', async (name) => {
    const caught = await huntMutant(name, { firstSeed: 1, schedules: SCHEDULES })
    expect(caught?.violations.join()).toMatch(/./)
    // A variant that cannot run proves nothing.
    expect(caught?.violations.join()).not.toMatch(/ReferenceError|TypeError|SyntaxError/)
  })

  test.each(Object.entries(HARMLESS))('%s is a variant of the product as it is', async (_, { edits }) => {
    await expect(loadMutant(edits)).resolves.toBeDefined()
  })
})
