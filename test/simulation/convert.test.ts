// Conversions move money at most once, whatever crashes, freezes, clocks and doubled requests do.
import { describe, expect, test } from 'vitest'
import { unchangedSimulation } from './bundle.ts'
import { withoutStacks } from './without-stacks.ts'

withoutStacks()

const { drawSchedule, runCampaign, runSchedule } = await unchangedSimulation()

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
})
