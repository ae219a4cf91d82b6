// Ends a run that held its policy: first what the policy remembers of it, counted once however often this is
// entered, then the run itself, which frees the policy. Owns the order of the writes; decides nothing about money.
import type { RunEnd } from '../../contract/runs.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyMove, PolicyRecord } from '../record/policy-record.ts'
import { holdingOf, type RunMove, type RunRecord } from '../record/run-record.ts'
import { failuresAfter, failuresTrip, trip } from './breaker.ts'

export type End = RunMove & {
  readonly outcome: RunEnd
  /** ISO-8601, service time. */
  readonly endedAt: string
}

/** What the end changes of the policy's memory, besides the count of failures. */
export type Remembered = (
  memory: PolicyRecord,
) => Omit<PolicyMove, 'holder' | 'failuresInRow' | 'lastRunId' | 'tripped'>

/** What is put right where the run was counted before, and not ended; undefined for nothing. */
export type Corrected = (memory: PolicyRecord) => PolicyMove | undefined

/**
 * `halting`: why the breaker halts the policy whatever the count. @throws Transient: enter again, and it goes on.
 */
export async function endRun(
  run: RunRecord,
  end: End,
  remembered: Remembered,
  ports: Pick<RunPorts, 'runs' | 'policies' | 'halts' | 'tell'>,
  halting?: string,
  corrected: Corrected = () => undefined,
): Promise<RunRecord> {
  const memory = await ports.policies.find(run.policy)
  if (memory.holder !== holdingOf(run)) return ports.runs.advance(run, end)
  const counted =
    memory.lastRunId === holdingOf(run)
      ? await correct(memory, corrected(memory), ports)
      : await count(run, end, remembered(memory), memory, ports, halting)
  if (counted.tripped !== undefined) {
    await trip({ policy: run.policy, runId: run.runId, because: counted.tripped }, end.endedAt, ports)
  }
  return ports.runs.advance(run, end)
}

/** @throws Transient */
export async function correct(
  memory: PolicyRecord,
  move: PolicyMove | undefined,
  { policies }: Pick<RunPorts, 'policies'>,
): Promise<PolicyRecord> {
  return move === undefined ? memory : policies.advance(memory, move)
}

async function count(
  run: RunRecord,
  { outcome, why }: End,
  move: ReturnType<Remembered>,
  memory: PolicyRecord,
  { policies }: Pick<RunPorts, 'policies'>,
  halting: string | undefined,
): Promise<PolicyRecord> {
  const failures = failuresAfter(memory.failuresInRow, outcome)
  const tripped = halting ?? (failures > memory.failuresInRow ? failuresTrip(failures, run.asPlanned, why) : undefined)
  return policies.advance(memory, {
    ...move,
    lastRunId: holdingOf(run),
    tripped,
    // Whoever resumes the policy gives it its whole row again.
    failuresInRow: tripped === undefined ? failures : 0,
  })
}
