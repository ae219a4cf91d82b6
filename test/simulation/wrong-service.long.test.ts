// A service that breaks what the product assumes of it moves money twice, and the simulation sees it.
import { expect, test } from 'vitest'
import type { Timing } from '../../core/contract/timing.ts'
import { unchangedSimulation } from './bundle.ts'
import type { Truth } from './schedule.ts'
import { withoutStacks } from './without-stacks.ts'

withoutStacks()

const { drawSchedule, runSchedule } = await unchangedSimulation()

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

test.each<[string, Change]>([
  ['accepts tokens for longer than the configured leeway', { timing: { leewaySeconds: 0, orderVisibilitySeconds: 0 } }],
  ['shows orders later than the configured visibility', { timing: { orderVisibilitySeconds: 0 } }],
  [
    'tells a time that is ahead of the clock by which it checks tokens',
    { truth: { toldAheadMs: 120_000 }, timing: { orderVisibilitySeconds: 0 } },
  ],
])('the simulation catches a service that %s, because it moves money twice', async (_, change) => {
  expect(await findViolations(change)).not.toEqual([])
})

test.each([
  ['accepts tokens for longer than the configured leeway', { leewaySeconds: 0, visibilitySeconds: 0 }],
  ['shows withdrawals later than the configured visibility', { leewaySeconds: 20, visibilitySeconds: 0 }],
])('the simulation catches a service that %s, because it moves money twice', async (_, timing) => {
  let caught = false
  for (let seed = 1; seed <= 2_000 && !caught; seed += 1) {
    const { violations } = await runSchedule({ ...drawSchedule('withdraw', seed, {}, []), timing })
    caught = violations.some((violation) => /2 movements|with a movement/.test(violation))
  }
  expect(caught).toBe(true)
})
