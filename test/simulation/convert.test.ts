// Conversions move money at most once, whatever crashes, freezes, clocks and doubled requests do.
import { describe, expect, test } from 'vitest'
import type { Timing } from '../../core/contract/timing.ts'
import { unchangedSimulation } from './bundle.ts'
import type { Truth } from './schedule.ts'
import { withoutStacks } from './without-stacks.ts'

withoutStacks()

const { drawSchedule, runCampaign, runSchedule } = await unchangedSimulation()

/** A difference between the service's real times (`truth`) and the configured times. The product does not know of it. */
interface Change {
  readonly timing?: Partial<Timing>
  readonly truth?: Partial<Truth>
}

/** Runs up to 3,000 schedules, until one moves money twice. Returns its violations; none if no schedule did. */
async function findViolations({ timing = {}, truth }: Change): Promise<readonly string[]> {
  for (let seed = 1; seed <= 3_000; seed += 1) {
    const schedule = drawSchedule('convert', seed, {}, [])
    const { violations } = await runSchedule({ ...schedule, timing, truth: { ...schedule.truth, ...truth } })
    if (violations.some((violation) => violation.startsWith('2 movements for'))) return violations
  }
  return []
}

describe('conversions in a simulated world', () => {
  test('500 schedules of crashes, freezes, changed clocks, lost, late and doubled requests move money at most once', async () => {
    const wanted = { world: 'convert', firstSeed: 1, schedules: 500, untidy: [], mostFailures: 1 } as const
    const { failures, outcomes, faults } = await runCampaign(wanted)
    expect(failures).toEqual([])
    // The schedules must reach every end under test, and meet every kind of fault.
    for (const end of ['FILLED', 'FAILED', 'REJECTED', 'EXPIRED_OUT', 'STUCK'])
      expect(outcomes.get(end), end).toBeGreaterThan(0)
    expect(faults.size).toBe(25)
  })

  test('without faults every order ends after one send, and one more for each process that held a replaced key', async () => {
    for (let seed = 1; seed <= 100; seed += 1) {
      const { halt: _, guards: _guards, ...schedule } = drawSchedule('convert', seed, { faults: 0, intents: 1 }, [])
      const truth = { ...schedule.truth, outageMs: 0 }
      const { ends, service } = await runSchedule({ ...schedule, truth })
      expect(ends).toHaveLength(schedule.entries.length + 1)
      const { orders, rotatesKey } = truth
      const { endsAs } = orders
      for (const end of ends) expect(end).toMatchObject({ outcome: endsAs, attempts: service.sentNonces.length })
      expect(service.sentNonces.length).toBeGreaterThanOrEqual(rotatesKey ? 2 : 1)
      expect(service.sentNonces.length).toBeLessThanOrEqual(rotatesKey ? 1 + schedule.entries.length : 1)
    }
  })

  test.each<[string, Change]>([
    [
      'accepts tokens for longer than the configured leeway',
      { timing: { leewaySeconds: 0, orderVisibilitySeconds: 0 } },
    ],
    ['shows orders later than the configured visibility', { timing: { orderVisibilitySeconds: 0 } }],
    [
      'tells a time that is ahead of the clock by which it checks tokens',
      { truth: { toldAheadMs: 120_000 }, timing: { orderVisibilitySeconds: 0 } },
    ],
  ])('the simulation catches a service that %s, because it moves money twice', async (_, change) => {
    expect(await findViolations(change)).not.toEqual([])
  })
})
