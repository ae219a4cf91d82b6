// Ends a run that held its policy. First it writes what the policy remembers of the run, counted once however often it is
// entered. Then it writes the end of the run, which frees the policy. Owns the order of the writes, and the time of the end. It
// decides nothing about money.
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
  /** Changes of the policy's memory at this end, besides the count of failures. Absent: no change. */
  readonly remembered?: (memory: PolicyRecord) => Omit<PolicyMove, 'holder' | 'failuresInRow' | 'lastRunId' | 'tripped'>
  /** Corrections for a run that was counted before and did not end then. Absent, or undefined: no change. */
  readonly corrected?: (memory: PolicyRecord) => PolicyMove | undefined
  /** Reason to halt the policy, whatever the count. */
  readonly halting?: string
}

/** @throws Transient: the next entry continues */
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
  // For the report of the end: the halt itself is in force already.
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

function countOf(
  run: RunRecord,
  { outcome, why }: End,
  { failuresInRow }: PolicyRecord,
  halting: string | undefined,
): Pick<PolicyMove, 'failuresInRow' | 'lastRunId' | 'tripped'> {
  const failures = failuresAfter(failuresInRow, outcome)
  const tripped = halting ?? (failures > failuresInRow ? failuresTrip(failures, run.asPlanned, why) : undefined)
  // The count starts again once a person resumes the policy.
  return { lastRunId: holdingOf(run), tripped, failuresInRow: tripped === undefined ? failures : 0 }
}

/**
 * The end time of a run: epoch ms of the service's clock. Where the service does not answer, perhaps the reason for the end,
 * `startedAt` (ISO-8601) is used.
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
