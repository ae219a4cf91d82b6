// The turn of a run that nobody starts again: what a deposit brought is converted by the run that it starts, or by
// none. So where another run has the policy, this one waits, holds nothing, and looks again; a few at once, each by
// itself, as one that relied on a single other would be lost with it. Owns how long and how often; every other second
// start ends.
import { type PlanOutput, RunStep } from '../../contract/runs.ts'
import { HELD_WAIT, waitAfter } from '../../movements/polling.ts'
import type { RunPorts } from '../ports.ts'
import { holdingOf, type RunRecord } from '../record/run-record.ts'
import { MOST_WAITING, othersWaiting } from '../record/waiters.ts'
import { saying } from './answers.ts'

/**
 * It waits as long as a run of its policy lives, and so much longer: one that nobody carries on frees the policy 300 s
 * after its time, and its time begins with its figures, which may take it minutes of retries to read.
 */
const PATIENCE_SECONDS = 900

/** Whoever enters it. Every other run is started again by whoever or whatever asked for it. */
export function mayWait({ trigger }: Pick<RunRecord, 'trigger'>): boolean {
  return trigger?.by === 'deposit'
}

/** Where the youngest of those that wait began at most so long ago, its patience is as good as this one's. */
const AS_GOOD_AS_MS = 300_000

/**
 * The run is recorded as waiting; or why it waits no longer, or not at all. The clock has been measured.
 * `busy`: one sentence, why the policy is not free. @throws Transient
 */
export async function waitForTurn(
  run: RunRecord,
  busy: string,
  phase: number,
  ports: Pick<RunPorts, 'runs' | 'policies' | 'service'>,
): Promise<{ readonly answer: PlanOutput } | { readonly why: string }> {
  const { runId, policy, kind, asPlanned } = run
  const nowMs = ports.service.clock.nowMs()
  const longestMs = (asPlanned.runLifeSeconds + PATIENCE_SECONDS) * 1000
  const { until, waits } = run.waiting ?? { until: timeText(nowMs + longestMs), waits: 0 }
  const leftSeconds = Math.ceil((Date.parse(until) - nowMs) / 1000)
  if (leftSeconds <= 0) return { why: `${busy}; this one waited for its turn until ${until}` }
  const instead = await takePlace(run, until, ports)
  if (instead !== undefined) {
    return { why: `${busy}; runs ${instead.join(', ')} wait for their turn and will see what this one would` }
  }
  const why = `${busy}; this one waits for its turn until ${until}`
  // Never past the last moment, so that the last look is at that moment.
  const waitSeconds = Math.min(waitAfter(waits, HELD_WAIT), leftSeconds)
  const nextAt = timeText(nowMs + waitSeconds * 1000)
  await ports.runs.advance(run, { waiting: { until, waits: waits + 1, nextAt }, why })
  return { answer: { ...saying(runId, phase, RunStep.Wait, why), policy, kind, waitSeconds } }
}

/**
 * A place among those that wait; or the ids of those that have all of them, where it needs none. As a run reads
 * balances when its turn comes, each of them will see what any deposit before that has brought. @throws Transient
 */
async function takePlace(
  run: RunRecord,
  until: string,
  ports: Pick<RunPorts, 'runs' | 'policies' | 'service'>,
): Promise<string[] | undefined> {
  const memory = await ports.policies.find(run.policy)
  const own = holdingOf(run)
  if (memory.waiting?.includes(own)) return undefined
  const others = await othersWaiting(memory, run, ports)
  const youngest = others.at(-1)
  if (others.length >= MOST_WAITING && youngest !== undefined) {
    // Its place went to a younger one, which is more patient.
    const hasLostItsPlace = run.waiting?.nextAt !== undefined
    const isAsPatient = Date.parse(until) - Date.parse(youngest.waiting?.until ?? until) <= AS_GOOD_AS_MS
    if (hasLostItsPlace || isAsPatient) return others.map(({ runId }) => runId)
  }
  const staying = others.slice(Math.max(0, others.length - MOST_WAITING + 1))
  await ports.policies.advance(memory, { waiting: [...staying.map(holdingOf), own] })
  return undefined
}

function timeText(epochMs: number): string {
  return new Date(epochMs).toISOString()
}
