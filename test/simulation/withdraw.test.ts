import { describe, expect, test } from 'vitest'
import { seededRandom } from './scheduler.ts'
import { runWithdrawals, type WithdrawSchedule } from './withdraw-world.ts'

/** Draws the service's true behaviour within what the default configuration allows for. */
function drawSchedule(seed: number): WithdrawSchedule {
  const random = seededRandom(seed * 7919 + 2)
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T
  return {
    seed,
    intents: pick([1, 1, 2, 3]),
    executions: pick([1, 1, 2]),
    feeMode: pick(['deduct', 'add']),
    faults: pick([0, 1, 2, 4, 8, 40]),
    truth: {
      leewayMs: pick([0, 5_000, 60_000]),
      visibilityMs: pick([0, 0, 3_000, 59_000]),
      nonceSpentOnRefusal: pick([true, false]),
      skewMs: pick([0, 200_000, -200_000]),
      settleMs: pick([0, 0, 1_000, 60_000]),
      endsAs: pick(['COMPLETED', 'COMPLETED', 'FAILED']),
      refundLagMs: pick([0, 5_000]),
      changesFee: pick([false, false, true]),
      garblesAnswer: pick([false, false, false, true]),
      outageMs: pick([0, 0, 0, 30_000, 600_000]),
      foreignRows: pick([0, 0, 0, 2]),
      balance: pick(['1000', '1000', '150']),
    },
  }
}

interface Found {
  readonly outcomes: Record<string, number>
  readonly first?: { readonly seed: number; readonly violations: readonly string[] }
}

async function findViolation(
  change: Partial<WithdrawSchedule> = {},
  isAskedAbout = (_: string) => true,
): Promise<Found> {
  const outcomes: Record<string, number> = {}
  for (let seed = 1; seed <= 2_000; seed += 1) {
    const { ends, violations } = await runWithdrawals({ ...drawSchedule(seed), ...change })
    if (violations.some(isAskedAbout)) return { outcomes, first: { seed, violations } }
    for (const end of ends) outcomes[end.outcome] = (outcomes[end.outcome] ?? 0) + 1
  }
  return { outcomes }
}

describe('withdrawals in a simulated world', () => {
  test('2,000 schedules of crashes, freezes, changed clocks, lost, late and doubled requests move money at most once', async () => {
    const { first, outcomes } = await findViolation()
    expect(first).toBeUndefined()
    for (const end of ['COMPLETED', 'FAILED_REFUNDED', 'REJECTED', 'EXHAUSTED', 'NEEDS_ATTENTION'])
      expect(outcomes[end], end).toBeGreaterThan(0)
  })

  test.each([
    ['accepts tokens for longer than the configured leeway', { timing: { leewaySeconds: 0, visibilitySeconds: 0 } }],
    ['shows withdrawals later than the configured visibility', { timing: { visibilitySeconds: 0 } }],
  ])('a service that %s is caught moving money twice: the simulation can see it', async (_, change) => {
    const { first } = await findViolation(change, (violation) => /2 movements|with a movement/.test(violation))
    expect(first).toBeDefined()
  })
})
