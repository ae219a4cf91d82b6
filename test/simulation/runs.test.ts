// Whole runs of payout files pay each row at most once, and say of their legs what moved.
import { expect, test } from 'vitest'
import { unchangedSimulation } from './bundle.ts'
import { withoutStacks } from './without-stacks.ts'

withoutStacks()

const { runCampaign } = await unchangedSimulation()

/** Ends of plans that waited for people. */
const WAITED = ['AWAITING_APPROVAL', 'DISAPPROVED', 'APPROVAL_VOID']

test('100 schedules of files that come twice, corrected and to two policies, and of sweeps, move each row and sweep at most once, as people approved', async () => {
  const { failures, outcomes, faults } = await runCampaign({
    world: 'runs',
    firstSeed: 31,
    schedules: 100,
    mostFailures: 1,
  })
  expect(failures).toEqual([])
  for (const end of [
    'SETTLED',
    'PARTLY_SETTLED',
    'NOTHING_MOVED',
    'NOTHING_TO_DO',
    'GUARDED',
    'NEEDS_ATTENTION',
    ...WAITED,
  ])
    expect(outcomes.get(end), end).toBeGreaterThan(0)
  expect(faults.get('index late')).toBeGreaterThan(0)
})
