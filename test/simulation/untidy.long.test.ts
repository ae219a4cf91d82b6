// Money moves at most once also where the service is untidy in every allowed way.
import { describe, expect, test } from 'vitest'
import { unchangedSimulation } from './bundle.ts'
import { withoutStacks } from './without-stacks.ts'

withoutStacks()

const { ALL_UNTIDY, drawSchedule, runCampaign, runSchedule, UNTIDY, untidyOf, WORLDS } = await unchangedSimulation()

/** Schedules of each world. CI's own step `npm run simulate` runs 5,000 of them. */
const SCHEDULES = 200
/** Schedules that are untidy in one way. CI's step has at least as many of each way, in each world. */
const OF_ONE_WAY = 20

describe('a world as untidy as the real one', () => {
  test.each(WORLDS)(`%s: ${SCHEDULES} schedules with every way to be untidy move money at most once`, async (world) => {
    const wanted = { firstSeed: 1, schedules: SCHEDULES, mostFailures: 1, world, untidy: ALL_UNTIDY }
    const { failures, outcomes } = await runCampaign(wanted)
    expect(failures).toEqual([])
    expect(outcomes.get('NEEDS_ATTENTION')).toBeGreaterThan(0)
  })

  test.each(ALL_UNTIDY.map((name) => [name, UNTIDY[name].about] as const))('%s: %s', async (name) => {
    const wanted = { firstSeed: 1, schedules: OF_ONE_WAY, mostFailures: 1, world: 'mixed', untidy: [name] } as const
    const { failures } = await runCampaign(wanted)
    expect(failures).toEqual([])
  })

  test(`of CI's 6,000 seeds, 5,000 are untidy in every way, and at least ${OF_ONE_WAY} in each way alone`, () => {
    const ways = Array.from({ length: 6_000 }, (_, at) => untidyOf(at + 1))
    expect(ways.filter((way) => way === ALL_UNTIDY)).toHaveLength(5_000)
    for (const name of ALL_UNTIDY)
      expect(ways.filter((way) => way.length === 1 && way[0] === name).length, name).toBeGreaterThanOrEqual(OF_ONE_WAY)
  })

  test('leaving out one way does not change the others', () => {
    const others = ALL_UNTIDY.filter((name) => name !== 'slow')
    for (let seed = 1; seed <= 50; seed += 1) {
      const whole = drawSchedule('mixed', seed)
      const { truth, past } = drawSchedule('mixed', seed, {}, others)
      expect(past).toEqual(whole.past)
      expect(truth.withdrawals.rowsAPage).toBe(whole.truth.withdrawals.rowsAPage)
      expect(truth.ids).toBe(whole.truth.ids)
    }
  })
})

describe('a journal that loses confirmed records', () => {
  const MOVEMENT_WORLDS = ['convert', 'withdraw', 'mixed'] as const
  async function findViolations(
    world: (typeof MOVEMENT_WORLDS)[number],
    losesUnsynced: boolean,
    most: number,
  ): Promise<readonly string[]> {
    for (let seed = 1; seed <= most; seed += 1) {
      const schedule = { ...drawSchedule(world, seed, {}, []), power: { losesUnsynced } }
      const { violations } = await runSchedule(schedule)
      if (violations.length > 0 && !losesUnsynced) return violations
      if (violations.some((violation) => violation.startsWith('2 movements for'))) return violations
    }
    return []
  }

  test.each(MOVEMENT_WORLDS)(
    '%s: when the power is cut, money moves twice: the simulation can see it',
    async (world) => {
      expect(await findViolations(world, true, 2_000)).not.toEqual([])
    },
  )

  test.each(MOVEMENT_WORLDS)('%s: with synced writes a power cut breaks nothing', async (world) => {
    expect(await findViolations(world, false, 100)).toEqual([])
  })
})
