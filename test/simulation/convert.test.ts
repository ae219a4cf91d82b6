import { describe, expect, test } from 'vitest'
import { runSchedule, type Schedule } from './convert-world.ts'
import { seededRandom } from './scheduler.ts'

/** Draws the service's true behaviour within what the default configuration allows for. */
function drawSchedule(seed: number): Schedule {
  const random = seededRandom(seed * 7919 + 1)
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
  return {
    seed,
    executions: pick([1, 1, 2, 3]),
    faults: pick([0, 1, 2, 4, 8]),
    truth: {
      leewayMs: pick([0, 5_000, 60_000]),
      visibilityMs: pick([0, 0, 3_000, 9_900]),
      quoteLifeMs: pick([5_000, 5_000, 200_000]),
      saysExpiry: pick([true, true, false]),
      nonceSpentOnRefusal: pick([true, false]),
      skewMs: pick([0, 200_000, -200_000]),
    },
  }
}

async function findFirstViolation(from: number, count: number, change: Partial<Schedule> = {}) {
  const outcomes: Record<string, number> = {}
  for (let seed = from; seed < from + count; seed += 1) {
    const world = await runSchedule({ ...drawSchedule(seed), ...change })
    if (world.violations.length > 0) return { seed, violations: world.violations }
    for (const end of world.ends) outcomes[end.outcome] = (outcomes[end.outcome] ?? 0) + 1
  }
  return { outcomes }
}

describe('conversions in a simulated world', () => {
  test('3,000 schedules of crashes, freezes, lost, late and doubled requests move money at most once', async () => {
    const found = await findFirstViolation(1, 3_000)
    expect(found).not.toHaveProperty('violations')
    // The schedules reach the ends that they are there to test.
    expect(found.outcomes).toMatchObject({ FILLED: expect.any(Number), REJECTED: expect.any(Number) })
  })

  test('without faults every schedule fills in one attempt', async () => {
    for (let seed = 1; seed <= 50; seed += 1) {
      const { ends } = await runSchedule({ ...drawSchedule(seed), faults: 0 })
      expect(ends.every((end) => end.outcome === 'FILLED' && end.attempts === 1)).toBe(true)
    }
  })

  test.each([
    ['accepts tokens for longer than the configured leeway', { timing: { leewaySeconds: 0 } }],
    ['shows orders later than the configured visibility', { timing: { orderVisibilitySeconds: 0 } }],
  ])('a service that %s is caught moving money twice: the simulation can see it', async (_, change) => {
    expect(await findFirstViolation(1, 3_000, change)).toHaveProperty('violations')
  })
})
