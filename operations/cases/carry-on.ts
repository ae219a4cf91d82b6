// Carries out, after a resume, what people decided while sending was halted. On AWS a function does so automatically. At a desk
// the command does so, because without `serve` nothing else runs there. A run that cannot be continued here keeps waiting.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { endOfWait } from '../../core/runs/approval/end-of-wait.ts'
import type { OperationContext, Progress } from '../../place/context.ts'
import { ExitCode } from '../../place/exit-code.ts'
import type { HaltAccess, RunAccess } from '../../place/journal/journal-parts.ts'
import type { ConnectionFlags, Step } from '../../place/next-step.ts'
import { operationErrorOf } from '../../place/operation-error.ts'
import { isOnAws } from '../../place/settings.ts'
import { RequestKind } from '../movements/record-kind.ts'
import type { NamedRun } from '../words/run-name.ts'
import { enterCases } from './enter-cases.ts'

/** Maximum runs that one resume continues. Each policy has at most one run with a decided plan. */
const MOST = 100

/** The runs whose wait for people is over, and that no halt holds. Reads only. */
export async function findDecided(
  { runJournal, halts }: RunAccess & Pick<HaltAccess, 'halts'>,
  nowMs: number,
): Promise<readonly NamedRun[]> {
  const over = (await runJournal.awaiting()).filter((run) => endOfWait(run, nowMs) !== undefined).slice(0, MOST)
  const free = await mapBounded(over, READS_AT_ONCE, async ({ runId, policy, startedAt }) =>
    (await halts.find(policy)) === undefined ? [{ runId, policy, startedAt }] : [],
  )
  return free.flat()
}

/** A run that a resume let continue. */
export type Carried = NamedRun &
  (
    | { readonly outcome: string; readonly why: string | null; readonly exitCode: ExitCode }
    /** Another process continues the run, at once or within minutes. */
    | { readonly isByItself: true }
    /** The run could not be continued here, and keeps waiting. */
    | { readonly error: string; readonly next: Step }
  )

/** Continues each run to its end. An error of one does not keep the others from continuing. */
export async function carryOn(
  runs: readonly NamedRun[],
  flags: ConnectionFlags,
  beginProgress: () => Progress,
  context: OperationContext,
): Promise<readonly Carried[]> {
  if (isOnAws(flags)) return runs.map((run) => ({ ...run, isByItself: true }))
  if (runs.length === 0) return []
  const progress = beginProgress()
  const carried: Carried[] = []
  try {
    for (const run of runs) carried.push(await carryOnOne(run, flags, progress, context))
  } finally {
    progress.end()
  }
  return carried
}

async function carryOnOne(
  run: NamedRun,
  flags: ConnectionFlags,
  progress: Progress,
  context: OperationContext,
): Promise<Carried> {
  try {
    const { entered } = await enterCases({ id: run.runId, kind: RequestKind.Run }, flags, progress, context)
    const { outcome = 'unknown', why = null, exitCode = ExitCode.NeedsPerson } = entered[0] ?? {}
    return { ...run, outcome, why, exitCode }
  } catch (error) {
    const next = { do: 'enter-again', id: run.runId, why: 'or serve, which does it within minutes' } as const
    return { ...run, error: operationErrorOf(error).message, next }
  }
}

/** Exit code of a resume that ended with `resumed`: 3 where a run that it let continue needs a person. */
export function carriedExitCode(resumed: ExitCode, carried: readonly Carried[]): ExitCode {
  const isInNeed = carried.some((each) => 'exitCode' in each && each.exitCode === ExitCode.NeedsPerson)
  return resumed === ExitCode.Done && isInNeed ? ExitCode.NeedsPerson : resumed
}
