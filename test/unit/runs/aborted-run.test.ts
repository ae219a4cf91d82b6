// Tests a run whose execution was aborted before the run froze a leg. Nobody continues the run, so it ends, and leaves
// the list of open runs.
import { beforeEach, expect, test } from 'vitest'
import { LISTED_KEY, listing } from '../../../core/contract/records.ts'
import { planRun } from '../../../core/runs/plan/plan-run.ts'
import { endAborted } from '../../../functions/settle-run/settle-run.ts'
import { planning, type RunWorld, runWorld, START, START_MS } from '../../helpers/run-world.ts'

let world: RunWorld
beforeEach(() => {
  world = runWorld()
})
const plan = (execution: string, by: string) =>
  planRun(
    { execution, startedAt: START, request: { policy: 'weekly', trigger: { by, id: 'x' } } },
    planning,
    world.ports,
  )
const aborted = (name: string, status: 'ABORTED' | 'TIMED_OUT' = 'ABORTED') =>
  endAborted({ detail: { name, status, stopDate: START_MS + 60_000 } }, world.ports)
const find = (runId: string) => world.ports.runs.find(runId)
const openRuns = () =>
  [...world.store.records.values()].flatMap((each) => (each[LISTED_KEY] === listing.openRuns ? [each.pk.slice(2)] : []))

test('while it waited for its turn it leaves the list of open runs at once', async () => {
  await plan('run-1', 'person')
  expect(await plan('run-2', 'deposit')).toMatchObject({ outcome: 'WAIT' })
  expect(openRuns()).toEqual(['run-1', 'run-2'])
  expect(await aborted('run-2')).toEqual({ outcome: 'FAILED', runId: 'run-2' })
  expect(openRuns()).toEqual(['run-1'])
  expect(await find('run-2')).toMatchObject({
    ...{ outcome: 'FAILED', why: 'its execution ended ABORTED before any leg was planned' },
    endedAt: '2026-01-01T00:01:00.000Z',
  })
  // Reported twice, and entered again by a person.
  expect(await aborted('run-2')).toEqual({ outcome: 'FAILED', runId: 'run-2' })
  expect(await plan('run-2_2', 'deposit')).toMatchObject({ outcome: 'WAIT' })
})

test('with legs it is left to the step that settles it', async () => {
  await plan('run-1', 'person')
  expect(await aborted('run-1', 'TIMED_OUT')).toEqual({ outcome: 'RUNNING', runId: 'run-1' })
  expect((await find('run-1'))?.phases).toHaveLength(1)
})

test('for a former entry, an ended run or an unknown run, nothing is changed', async () => {
  await plan('run-1', 'person')
  await plan('run-2', 'deposit')
  await aborted('run-2')
  await plan('run-2_2', 'deposit')
  const before = await find('run-2')
  expect(await aborted('run-2')).toEqual({ outcome: 'RUNNING', runId: 'run-2' })
  expect(await find('run-2')).toEqual(before)
  expect(await aborted('run-9')).toEqual({ outcome: 'NOT_RECORDED', runId: 'run-9' })
})
