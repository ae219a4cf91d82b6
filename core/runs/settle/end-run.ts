// Ends a run that held its policy, in two writes. The first updates the policy's record, and counts the run there only once.
// The second writes the run's end, which frees the policy. Owns the order of the writes and the time of the end. It decides
// nothing about money.
import type { RunEnd } from '../../contract/runs.ts'
import { SluiceError } from '../../errors.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyMove, PolicyRecord } from '../record/policy-record.ts'
import { holdingOf, type RunMove, type RunRecord } from '../record/run-record.ts'
import { failedInDoubtAfter, failuresAfter, failuresTrip, trip } from './breaker.ts'

export type End = RunMove & {
  readonly outcome: RunEnd
  /** ISO-8601, service time. */
  readonly endedAt: string
}

/** Fields that count the runs of a policy. */
type Counted = 'failuresInRow' | 'failedInDoubt' | 'lastRunId' | 'tripped'

export interface Ending {
  readonly run: RunRecord
  readonly end: End
  /** Returns changes of the policy's record at this end, besides the count of failures. Absent: no change. */
  readonly remembered?: (memory: PolicyRecord) => Omit<PolicyMove, 'holder' | Counted>
  /** Returns changes for a run that an earlier entry counted, but did not end. Absent, or undefined: no change. */
  readonly corrected?: (memory: PolicyRecord) => PolicyMove | undefined
  /** Whether another run has begun all rows of the run, which is then no failure of its policy. */
  readonly isOthers?: boolean
  /** Reason to halt the policy, whatever the number of failures. */
  readonly halting?: string
}

/** A second call continues where the first stopped. @throws Transient */
export async function endRun(
  { run, end, remembered, corrected, isOthers = false, halting }: Ending,
  ports: RunPorts,
): Promise<RunRecord> {
  const memory = await ports.policies.find(run.policy)
  if (memory.holder !== holdingOf(run)) return ports.runs.advance(run, end)
  const counted =
    memory.lastRunId === holdingOf(run)
      ? await correct(memory, corrected?.(memory), ports)
      : await ports.policies.advance(memory, {
          ...remembered?.(memory),
          ...countOf({ run, end, isOthers, halting }, memory),
        })
  if (counted.tripped === undefined) return ports.runs.advance(run, end)
  const { tripped: because } = counted
  await trip({ policy: run.policy, runId: run.runId, because }, end.endedAt, ports)
  // `trip` has written the halt already. This field only shows it in the run's report.
  return ports.runs.advance(run, { ...end, tripped: { because, at: end.endedAt } })
}

/** @throws Transient */
export async function correct(
  memory: PolicyRecord,
  move: PolicyMove | undefined,
  { policies }: RunPorts,
): Promise<PolicyRecord> {
  return move === undefined ? memory : policies.advance(memory, move)
}

function countOf(
  {
    run,
    end: { outcome, why },
    isOthers,
    halting,
  }: Pick<Ending, 'run' | 'end'> & { readonly isOthers: boolean; readonly halting: string | undefined },
  memory: PolicyRecord,
): Pick<PolicyMove, Counted> {
  const { failuresInRow } = memory
  const failures = failuresAfter(failuresInRow, outcome, isOthers)
  const tripped = halting ?? (failures > failuresInRow ? failuresTrip(failures, run.asPlanned, why) : undefined)
  // Starts the count again for the time after a person resumes the policy.
  const row = tripped === undefined ? failures : 0
  const failedInDoubt = failedInDoubtAfter(run, outcome, row, memory)
  return { lastRunId: holdingOf(run), tripped, failuresInRow: row, failedInDoubt }
}

/**
 * Returns the end time of a run, in epoch ms of the service's clock. If the service does not answer, returns the time of
 * `knownAt` (ISO-8601), because the run must end even then.
 */
export async function serviceTimeMs(knownAt: string, { service }: RunPorts): Promise<number> {
  try {
    await service.clock.measure()
    return service.clock.nowMs()
  } catch (error) {
    if (error instanceof SluiceError) return Date.parse(knownAt)
    throw error
  }
}
