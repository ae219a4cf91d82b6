import { describe, expect, test } from 'vitest'
import { runCampaign } from './campaign.ts'
import { drawWithdrawals } from './schedules.ts'
import { runWithdrawals } from './withdraw-world.ts'

describe('withdrawals in a simulated world', () => {
  test('1,500 schedules of crashes, freezes, changed clocks, lost, late and doubled requests move money at most once', async () => {
    const wanted = { world: 'withdraw', firstSeed: 1, schedules: 1_500, mostFailures: 1 } as const
    const { failures, outcomes, faults } = await runCampaign(wanted)
    expect(failures).toEqual([])
    for (const end of ['COMPLETED', 'FAILED_REFUNDED', 'REJECTED', 'EXHAUSTED', 'NEEDS_ATTENTION', 'STUCK'])
      expect(outcomes.get(end), end).toBeGreaterThan(0)
    expect(faults.size).toBe(25)
  })

  test.each([
    ['accepts tokens for longer than the configured leeway', { leewaySeconds: 0, visibilitySeconds: 0 }],
    ['shows withdrawals later than the configured visibility', { visibilitySeconds: 0 }],
  ])('a service that %s is caught moving money twice: the simulation can see it', async (_, timing) => {
    let caught = false
    for (let seed = 1; seed <= 2_000 && !caught; seed += 1) {
      const { violations } = await runWithdrawals({ ...drawWithdrawals(seed), timing })
      caught = violations.some((violation) => /2 movements|with a movement/.test(violation))
    }
    expect(caught).toBe(true)
  })
})
