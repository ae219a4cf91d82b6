import { describe, expect, test } from 'vitest'
import type { Timing } from '../../functions/contract/timing.ts'
import { runSchedule, type Schedule } from './convert-world.ts'
import { seededRandom } from './scheduler.ts'
import type { ServiceTruth } from './service-model.ts'

/** What the configuration, or the service, has that the other does not allow for. */
interface Change {
  readonly timing?: Partial<Timing>
  readonly truth?: Partial<ServiceTruth>
}

/** Draws the service's true behaviour within what the default configuration allows for. */
function drawSchedule(seed: number, change: Change = {}): Schedule {
  const random = seededRandom(seed * 7919 + 1)
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
  return {
    ...(change.timing && { timing: change.timing }),
    seed,
    executions: pick([1, 1, 2, 3]),
    faults: pick([0, 1, 2, 4, 8, 40]),
    truth: {
      leewayMs: pick([0, 5_000, 60_000]),
      visibilityMs: pick([0, 0, 3_000, 9_900]),
      quoteLifeMs: pick([5_000, 5_000, 200_000]),
      saysExpiry: pick([true, true, false]),
      nonceSpentOnRefusal: pick([true, false]),
      usedQuoteMovesAgain: pick([true, false]),
      skewMs: pick([0, 200_000, -200_000]),
      toldAheadMs: 0,
      settleMs: pick([0, 0, 1_000, 60_000]),
      endsAs: pick(['FILLED', 'FILLED', 'FAILED']),
      fillsLagMs: pick([0, 0, 5_000]),
      rotatesKey: pick([false, false, false, true]),
      outageMs: pick([0, 0, 0, 30_000, 600_000]),
      ...change.truth,
    },
    isHalted: pick([false, false, true]),
  }
}

interface Found {
  readonly outcomes: Record<string, number>
  readonly first?: { readonly seed: number; readonly violations: readonly string[] }
}

/** Runs schedules until one breaks an invariant that is asked about. */
async function findViolation(change: Change = {}, isAskedAbout = (_: string) => true): Promise<Found> {
  const outcomes: Record<string, number> = {}
  for (let seed = 1; seed <= 3_000; seed += 1) {
    const { ends, violations } = await runSchedule(drawSchedule(seed, change))
    if (violations.some(isAskedAbout)) return { outcomes, first: { seed, violations } }
    for (const end of ends) outcomes[end.outcome] = (outcomes[end.outcome] ?? 0) + 1
  }
  return { outcomes }
}

describe('conversions in a simulated world', () => {
  test('3,000 schedules of crashes, freezes, changed clocks, lost, late and doubled requests move money at most once', async () => {
    const { first, outcomes } = await findViolation()
    expect(first).toBeUndefined()
    // The schedules reach the ends that they are there to test.
    for (const end of ['FILLED', 'FAILED', 'REJECTED', 'EXPIRED_OUT', 'NEEDS_ATTENTION', 'STUCK'])
      expect(outcomes[end], end).toBeGreaterThan(0)
  })

  test('without faults every schedule comes to the end of its order with one send, and one more for each process that held a replaced key', async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const schedule = drawSchedule(seed)
      const truth = { ...schedule.truth, outageMs: 0 }
      const { ends, service } = await runSchedule({ ...schedule, truth, faults: 0, isHalted: false })
      expect(ends).toHaveLength(schedule.executions + 1)
      const { endsAs, rotatesKey } = schedule.truth
      for (const end of ends) expect(end).toMatchObject({ outcome: endsAs, attempts: service.sentNonces.length })
      expect(service.sentNonces.length).toBeGreaterThanOrEqual(rotatesKey ? 2 : 1)
      expect(service.sentNonces.length).toBeLessThanOrEqual(rotatesKey ? 1 + schedule.executions : 1)
    }
  })

  test.each<[string, Change]>([
    ['accepts tokens for longer than the configured leeway', { timing: { leewaySeconds: 0 } }],
    ['shows orders later than the configured visibility', { timing: { orderVisibilitySeconds: 0 } }],
    ['tells a later time than it judges tokens by', { truth: { toldAheadMs: 120_000 } }],
  ])('a service that %s is caught moving money twice: the simulation can see it', async (_, change) => {
    const { first } = await findViolation(change, (violation) => violation === '2 movements for one intent')
    expect(first).toBeDefined()
  })
})
