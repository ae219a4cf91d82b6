// Tests a run that loses a write, or its answer, at each single write. When the run is entered again, it continues with
// the same legs, moves each once, and ends as it would have without the loss.
import { expect, test } from 'vitest'
import type { WriteFault } from '../../helpers/memory-store.ts'
import { execute } from '../../helpers/run-execution.ts'
import { POLICY, runWorld } from '../../helpers/run-world.ts'

const request = { policy: 'weekly' }

/** Fails the write of this number, counted from 1, in this way. */
async function runWith(fault: WriteFault, at: number) {
  let writes = 0
  const world = runWorld({ weekly: POLICY }, {}, () => (++writes === at ? fault : undefined))
  // A child waits this long, until no send can be accepted any more.
  world.account.retryWaitSeconds = 31
  const result = await execute({ name: 'run-1', request }, world, world.ports)
  world.store.flush()
  return { world, result, writes }
}

const unharmed = await runWith('refused', 0)

test('a whole run takes a bounded number of writes', () => {
  expect(unharmed.result).toMatchObject({ outcome: 'SETTLED' })
  // The run's record four times, the policy's twice, and each of two legs four times, its claim among them.
  expect(unharmed.writes).toBe(14)
})

const points = Array.from({ length: unharmed.writes }, (_, index) => index + 1)
test.each((['refused', 'lost', 'late'] as const).flatMap((fault) => points.map((at) => [fault, at] as const)))(
  'a write that is %s, number %i, changes neither the legs nor the end',
  async (fault, at) => {
    const { world, result } = await runWith(fault, at)
    const again = await execute({ name: 'run-1_2', request }, world, world.ports)
    for (const said of [result, again].filter((each) => each !== undefined)) {
      expect(['SETTLED', 'PARTLY_SETTLED', 'NEEDS_ATTENTION', 'FAILED', 'SETTLE']).toContain(said?.outcome)
    }
    const run = await world.ports.runs.find('run-1')
    expect(run).toMatchObject({ outcome: 'SETTLED', tiesOut: true })
    expect(world.account.movements).toEqual(unharmed.world.account.movements)
    expect(world.account.balances).toEqual(unharmed.world.account.balances)
    expect(await world.ports.policies.find('weekly')).toMatchObject({ failuresInRow: 0, turnover: { value: '2005' } })
  },
)
