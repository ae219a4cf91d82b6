// Finds runs that a fault of ours ended before they began anything. Nobody continues such a run, and only the next run
// of its policy makes up for it. Step Functions knows which executions failed. Reads only.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { intentIdOf } from '../../core/contract/fields.ts'
import { findReadable, type OnMisfit } from '../../core/journal/listed-records.ts'
import { isUnbegun, type RunRecord } from '../../core/runs/record/run-record.ts'
import type { Executions } from '../../place/executions/executions.ts'
import type { RunAccess } from '../../place/journal/journal-parts.ts'
import { type Advice, advice, option } from '../../place/next-step.ts'
import { MACHINES_OF } from '../movements/record-kind.ts'

export interface UnbegunRun {
  readonly runId: string
  readonly policy: string
  readonly startedAt: string
  readonly why: string
}

interface Looking {
  /** Maximum failed executions of each machine. */
  readonly failed: number
  readonly onMisfit: OnMisfit
  readonly onCutOff: (message: Advice) => void
}

/** Returns the newest such run of each policy, unless a later run of the policy began. Sorted by the id. */
export async function findUnbegun(
  { runJournal, listExecutions }: RunAccess & Pick<Executions, 'listExecutions'>,
  { failed, onMisfit, onCutOff }: Looking,
): Promise<readonly UnbegunRun[]> {
  const listed = await Promise.all(
    MACHINES_OF.run.map(async (machine) => {
      const { names, isCutOff } = await listExecutions(machine, 'failed', failed)
      if (isCutOff)
        onCutOff(
          advice`the newest ${names.length} of the failed executions of ${machine} were read: ${option('failed')} N reads more`,
        )
      return names
    }),
  )
  const ids = [...new Set(listed.flat().map(intentIdOf))]
  const found = await mapBounded(ids, READS_AT_ONCE, async (runId) => {
    const run = await findReadable(() => runJournal.runs.find(runId), onMisfit)
    return run !== undefined && isUnbegun(run) ? [run] : []
  })
  const newest = await mapBounded(newestOfEach(found.flat()), READS_AT_ONCE, async (run) =>
    (await hasBegunSince(run, runJournal, onMisfit)) ? [] : [run],
  )
  return newest
    .flat()
    .map(({ runId, policy, startedAt, why = 'no reason was recorded' }) => ({ runId, policy, startedAt, why }))
    .sort((one, other) => (one.runId < other.runId ? -1 : 1))
}

function newestOfEach(runs: readonly RunRecord[]): readonly RunRecord[] {
  const newest = new Map<string, RunRecord>()
  for (const run of runs) {
    const known = newest.get(run.policy)
    if (known === undefined || Date.parse(run.startedAt) > Date.parse(known.startedAt)) newest.set(run.policy, run)
  }
  return [...newest.values()]
}

/** Whether a later run has held the policy. The policy's record names its holder, and the run that was counted last. */
async function hasBegunSince(
  run: RunRecord,
  { runs, policy }: RunAccess['runJournal'],
  onMisfit: OnMisfit,
): Promise<boolean> {
  const { holder, lastRunId } = (await findReadable(() => policy(run.policy), onMisfit)) ?? {}
  const ids = [...new Set([holder, lastRunId].flatMap((name) => (name === undefined ? [] : [intentIdOf(name)])))]
  const others = await mapBounded(ids, READS_AT_ONCE, (id) => findReadable(() => runs.find(id), onMisfit))
  const isLater = ({ startedAt }: RunRecord) => Date.parse(startedAt) > Date.parse(run.startedAt)
  return others.some((other) => other !== undefined && isLater(other) && !isUnbegun(other))
}
