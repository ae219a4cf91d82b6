// The turn of a run that nobody starts again: what a deposit brought is converted by the run that it starts, or by
// none. So where another run has the policy, this one waits, holds nothing, and looks again; each by itself, because
// one that relied on another that waits would be lost with it. Owns how long and how often; every other second start ends.
import { type PlanOutput, RunStep } from '../../contract/runs.ts'
import { HELD_WAIT, waitAfter } from '../polling.ts'
import { saying } from './planning.ts'
import type { RunPorts } from './ports.ts'
import type { RunRecord } from './run-record.ts'

/**
 * It waits as long as a run of its policy lives, and so much longer: one that nobody carries on frees the policy 300 s
 * after its time, and its time begins with its figures, which may take it minutes of retries to read.
 */
const PATIENCE_SECONDS = 900

/** Whoever enters it. Every other run is started again by whoever or whatever asked for it. */
export function mayWait({ trigger }: Pick<RunRecord, 'trigger'>): boolean {
  return trigger?.by === 'deposit'
}

/**
 * The run is recorded as waiting; `undefined` once it has waited as long as it may. The clock has been measured.
 * `busy`: one sentence, why the policy is not free. @throws Transient
 */
export async function waitForTurn(
  run: RunRecord,
  busy: string,
  phase: number,
  { runs, service }: Pick<RunPorts, 'runs' | 'service'>,
): Promise<PlanOutput | undefined> {
  const { runId, policy, kind, asPlanned } = run
  const nowMs = service.clock.nowMs()
  const longestMs = (asPlanned.runLifeSeconds + PATIENCE_SECONDS) * 1000
  const { until, waits } = run.waiting ?? { until: new Date(nowMs + longestMs).toISOString(), waits: 0 }
  const leftSeconds = Math.ceil((Date.parse(until) - nowMs) / 1000)
  if (leftSeconds <= 0) return undefined
  const why = `${busy}; this one waits for its turn until ${until}`
  await runs.advance(run, { waiting: { until, waits: waits + 1 }, why })
  // Never past the last moment, so that the last look is at that moment.
  const waitSeconds = Math.min(waitAfter(waits, HELD_WAIT), leftSeconds)
  return { ...saying(runId, phase, RunStep.Wait, why), policy, kind, waitSeconds }
}
