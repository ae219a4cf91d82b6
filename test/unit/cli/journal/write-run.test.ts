// A run whose policy is no longer in treasury.json is still written, at its end.
import { expect, test } from 'vitest'
import { StateMachine } from '../../../../core/contract/states.ts'
import { createRuns } from '../../../../core/runs/record/runs.ts'
import { loadTreasury } from '../../../../core/treasury/config.ts'
import { evidenceOfRunRecord, judgeRun } from '../../../../operations/journal/run-evidence.ts'
import { writeRun } from '../../../../operations/journal/write-repair.ts'
import { createMemoryStore } from '../../../helpers/memory-store.ts'

test.each([StateMachine.Rebalance, StateMachine.Sweep])(
  'a lost run of %s whose policy is gone has its record, and its id is planned by nobody again',
  async (stateMachine) => {
    const store = createMemoryStore()
    const runs = createRuns(store, () => 'stamp')
    const request = { policy: 'gone' }
    const seen = { runId: 'month-end', request, startedAt: '2026-11-23T00:00:00.000Z', entry: 1 }
    const evidence = { ...seen, hadLegs: true, outcome: 'SETTLED', isUnderWay: false }
    const judged = judgeRun(evidence, undefined, true)
    expect(judged).toMatchObject({ finding: { finding: 'LOST' } })
    const treasury = loadTreasury()
    const connection = { runJournal: { runs }, treasury } as unknown as Parameters<typeof writeRun>[1]

    expect(await writeRun({ evidence, run: undefined, stateMachine, ...judged }, connection)).toBe('SETTLED')
    const run = await runs.find('month-end')
    expect(run).toMatchObject({ policy: 'gone', outcome: 'SETTLED', phases: [], asPlanned: { mode: 'shadow' } })
    expect(judgeRun(run === undefined ? evidence : evidenceOfRunRecord(run), run, true)).toEqual({})
  },
)
