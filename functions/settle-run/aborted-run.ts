// A run whose execution was stopped from outside, or ran out of time, before any leg was frozen: nothing of it moved,
// and nobody carries it on. It is ended, so that it is in no list of what is under way. One with legs is let be: what
// became of these is for whoever enters it again, or for the next run of its policy.
import { intentIdOf } from '../../core/contract/fields.ts'
import { RunEnd } from '../../core/contract/runs.ts'
import type { RunAborted } from '../../core/contract/triggers.ts'
import type { RunPorts } from '../../core/runs/ports.ts'
import { entryOf } from '../../core/runs/record/legs.ts'
import { RUNNING } from '../../core/runs/record/run-record.ts'

/** @returns how the run stands. @throws Transient where a step that was still at work moved it: it is looked at again */
export async function endAborted(
  { detail: { name, status, stopDate } }: RunAborted,
  { runs }: Pick<RunPorts, 'runs'>,
): Promise<{ readonly outcome: string; readonly runId: string }> {
  const runId = intentIdOf(name)
  const run = await runs.find(runId)
  if (run === undefined) return { outcome: 'NOT_RECORDED', runId }
  const isCarriedOn = run.entry > entryOf(name)
  if (run.outcome !== RUNNING || run.phases.length > 0 || isCarriedOn) return { outcome: run.outcome, runId }
  const why = `its execution ended ${status} before any leg was planned`
  const endedAt = new Date(stopDate).toISOString()
  const { outcome } = await runs.advance(run, { outcome: RunEnd.Failed, endedAt, why })
  return { outcome, runId }
}
