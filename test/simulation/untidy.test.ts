import { describe, expect, test } from 'vitest'
import { runCampaign, WORLDS } from './campaign.ts'
import { drawSchedule, type WorldName } from './schedules.ts'
import { ALL_UNTIDY, UNTIDY } from './untidiness.ts'
import { runSchedule } from './world.ts'

/** `npm test` looks at a fifth of what `npm run test:long` looks at. */
const schedules = process.env.SLUICE_TESTS === 'long' ? 1_500 : 300
const wanted = { firstSeed: 1, schedules, mostFailures: 1 }

describe('a world as untidy as the real one', () => {
  test.each(WORLDS)(
    `%s: ${schedules} schedules with every way to be untidy move money at most once`,
    async (world) => {
      const { failures, outcomes } = await runCampaign({ ...wanted, world })
      expect(failures).toEqual([])
      expect(outcomes.get('NEEDS_ATTENTION')).toBeGreaterThan(0)
    },
    120_000,
  )

  test.each(ALL_UNTIDY.map((name) => [name, UNTIDY[name].about] as const))('%s: %s', async (name) => {
    const { failures } = await runCampaign({
      ...wanted,
      schedules: Math.ceil(schedules / 3),
      world: 'mixed',
      untidy: [name],
    })
    expect(failures).toEqual([])
  })

  test('what is left out leaves the rest as it was', () => {
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

describe('a journal that loses what it has confirmed', () => {
  async function findViolations(world: WorldName, losesUnsynced: boolean): Promise<readonly string[]> {
    for (let seed = 1; seed <= schedules; seed += 1) {
      const schedule = { ...drawSchedule(world, seed, {}, []), power: { losesUnsynced } }
      const { violations } = await runSchedule(schedule)
      if (violations.length > 0 && !losesUnsynced) return violations
      if (violations.some((violation) => violation.startsWith('2 movements for'))) return violations
    }
    return []
  }

  test.each(WORLDS)(
    '%s: when the power is cut, money moves twice: the simulation can see it',
    async (world) => {
      expect(await findViolations(world, true)).not.toEqual([])
    },
    120_000,
  )

  test.each(WORLDS)(
    '%s: with synced writes a power cut breaks nothing',
    async (world) => {
      expect(await findViolations(world, false)).toEqual([])
    },
    120_000,
  )
})
