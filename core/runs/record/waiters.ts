// Which runs wait for their turn at a policy: the policy remembers a few of them, oldest first, and no more may wait.
// One that nobody has carried on is ended here, by the next run of its policy, so that it is in no list for good.
import { intentIdOf } from '../../contract/fields.ts'
import { RunEnd } from '../../contract/runs.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from './policy-record.ts'
import { holdingOf, RUNNING, type RunRecord } from './run-record.ts'

/** Each sees what all have come for; more than one, so that none is lost with another. */
export const MOST_WAITING = 3
/** So late for its next look, after all retries of a step, nobody carries it on. It may be aborted. */
const GONE_MS = 900_000

/** Those that still wait, oldest first, besides `run` itself. Of `run` those are told that are gone. @throws Transient */
export async function othersWaiting(
  { waiting = [] }: PolicyRecord,
  run: RunRecord,
  ports: Pick<RunPorts, 'runs' | 'service'>,
): Promise<RunRecord[]> {
  const others: RunRecord[] = []
  for (const holding of waiting) {
    if (holding === holdingOf(run)) continue
    const other = await ports.runs.find(intentIdOf(holding))
    // Ended, or begun again: then it has, or will have, a place of its own.
    if (other === undefined || other.outcome !== RUNNING || holdingOf(other) !== holding) continue
    if (isGone(other, ports)) await end(other, run, ports)
    else others.push(other)
  }
  return others
}

function dueAt({ waiting, startedAt }: RunRecord): string {
  return waiting?.nextAt ?? startedAt
}

function isGone(run: RunRecord, { service }: Pick<RunPorts, 'service'>): boolean {
  return service.clock.reachedMs() >= Date.parse(dueAt(run)) + GONE_MS
}

/** Nothing is lost with it: whoever ends it looks itself. */
async function end(gone: RunRecord, run: RunRecord, { runs, service }: Pick<RunPorts, 'runs' | 'service'>) {
  const why = `nobody has carried it on since ${dueAt(gone)}; run ${run.runId} of the policy looks for it`
  const endedAt = new Date(service.clock.nowMs()).toISOString()
  await runs.advance(gone, { outcome: RunEnd.AlreadyRunning, endedAt, why })
}
