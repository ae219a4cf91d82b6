// Ends a run that held its policy. It first writes what the policy remembers of the run, counted once however often
// this is entered. Then it writes the end of the run itself, which frees the policy. Owns the order of the writes,
// and the time of the end. It decides nothing about money.
import type { RunEnd } from '../../contract/runs.ts'
import { SluiceError } from '../../errors.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyMove, PolicyRecord } from '../record/policy-record.ts'
import { holdingOf, type RunMove, type RunRecord } from '../record/run-record.ts'
import { failuresAfter, failuresTrip, trip } from './breaker.ts'

export type End = RunMove & {
  readonly outcome: RunEnd
  /** ISO-8601, service time. */
  readonly endedAt: string
}

export interface Ending {
  readonly run: RunRecord
  readonly end: End
  /** What the end changes of the policy's memory, besides the count of failures. Absent: nothing. */
  readonly remembered?: (memory: PolicyRecord) => Omit<PolicyMove, 'holder' | 'failuresInRow' | 'lastRunId' | 'tripped'>
  /** What is put right where the run was counted before, and not ended. Absent, or undefined: nothing. */
  readonly corrected?: (memory: PolicyRecord) => PolicyMove | undefined
  /** Why the breaker halts the policy whatever the count. */
  readonly halting?: string
}

/** @throws Transient: enter again, and it goes on */
export async function endRun(
  { run, end, remembered, corrected, halting }: Ending,
  ports: Pick<RunPorts, 'runs' | 'policies' | 'halts' | 'logTrip'>,
): Promise<RunRecord> {
  const memory = await ports.policies.find(run.policy)
  if (memory.holder !== holdingOf(run)) return ports.runs.advance(run, end)
  const counted =
    memory.lastRunId === holdingOf(run)
      ? await correct(memory, corrected?.(memory), ports)
      : await ports.policies.advance(memory, { ...remembered?.(memory), ...countOf(run, end, memory, halting) })
  if (counted.tripped === undefined) return ports.runs.advance(run, end)
  const { tripped: because } = counted
  await trip({ policy: run.policy, runId: run.runId, because }, end.endedAt, ports)
  // For whoever hears of the end: the halt itself is in force already.
  return ports.runs.advance(run, { ...end, tripped: { because, at: end.endedAt } })
}

/** @throws Transient */
export async function correct(
  memory: PolicyRecord,
  move: PolicyMove | undefined,
  { policies }: Pick<RunPorts, 'policies'>,
): Promise<PolicyRecord> {
  return move === undefined ? memory : policies.advance(memory, move)
}

/** The run's part in the row of failures. */
function countOf(
  run: RunRecord,
  { outcome, why }: End,
  { failuresInRow }: PolicyRecord,
  halting: string | undefined,
): Pick<PolicyMove, 'failuresInRow' | 'lastRunId' | 'tripped'> {
  const failures = failuresAfter(failuresInRow, outcome)
  const tripped = halting ?? (failures > failuresInRow ? failuresTrip(failures, run.asPlanned, why) : undefined)
  // Whoever resumes the policy gives it its whole row again.
  return { lastRunId: holdingOf(run), tripped, failuresInRow: tripped === undefined ? failures : 0 }
}

/**
 * The time at which a run ends: epoch ms of the service's clock. Where the service does not tell the time, the run may
 * have ended for that very reason: then `startedAt` (ISO-8601) has to do.
 */
export async function serviceTimeMs(startedAt: string, { service }: Pick<RunPorts, 'service'>): Promise<number> {
  try {
    await service.clock.measure()
    return service.clock.nowMs()
  } catch (error) {
    if (error instanceof SluiceError) return Date.parse(startedAt)
    throw error
  }
}
