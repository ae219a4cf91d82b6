import { describe, expect, test } from 'vitest'
import { runCampaign, WORLDS } from './campaign.ts'
import { drawSchedule, type WorldName } from './schedules.ts'
import { ALL_UNTIDY, UNTIDY } from './untidiness.ts'
import { runSchedule } from './world.ts'

const isLong = process.env.SLUICE_TESTS === 'long'
/** `npm test` looks at the first 300 of each, and `npm run test:long` at those from there on. */
const SHORT = 300
const firstSeed = isLong ? SHORT + 1 : 1
const schedules = isLong ? 1_500 - SHORT : SHORT
/** Of one way to be untidy a third as many. */
const ofOneWay = { firstSeed: isLong ? SHORT / 3 + 1 : 1, schedules: schedules / 3 }

describe('a world as untidy as the real one', () => {
  // More of them are CI's own step: `npm run simulate`.
  test.each(isLong ? [] : WORLDS)(
    `%s: ${SHORT} schedules with every way to be untidy move money at most once`,
    async (world) => {
      const { failures, outcomes } = await runCampaign({ firstSeed: 1, schedules: SHORT, mostFailures: 1, world })
      expect(failures).toEqual([])
      expect(outcomes.get('NEEDS_ATTENTION')).toBeGreaterThan(0)
    },
    120_000,
  )

  test.each(ALL_UNTIDY.map((name) => [name, UNTIDY[name].about] as const))('%s: %s', async (name) => {
    const { failures } = await runCampaign({ ...ofOneWay, mostFailures: 1, world: 'mixed', untidy: [name] })
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
    for (let seed = firstSeed; seed < firstSeed + schedules; seed += 1) {
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
