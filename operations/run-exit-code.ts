// Owns the exit code for each end of a run of a policy. The names of these ends load the schema library, and help must
// not wait for that. So this file is separate from exit-code.ts.
import { RunEnd } from '../core/contract/runs.ts'
import { RUNNING } from '../core/runs/record/run-record.ts'
import { ExitCode, exitCodeIn } from '../place/exit-code.ts'

const runExitCodes: Readonly<Record<RunEnd, ExitCode>> = {
  [RunEnd.Settled]: ExitCode.Done,
  [RunEnd.PartlySettled]: ExitCode.Failed,
  [RunEnd.NothingMoved]: ExitCode.Failed,
  [RunEnd.NothingToDo]: ExitCode.Done,
  [RunEnd.OffTarget]: ExitCode.Failed,
  [RunEnd.Shadowed]: ExitCode.Done,
  [RunEnd.Guarded]: ExitCode.Failed,
  [RunEnd.Halted]: ExitCode.Failed,
  // Another run does the policy's work. This run did not do what it was asked.
  [RunEnd.AlreadyRunning]: ExitCode.Failed,
  [RunEnd.AwaitingApproval]: ExitCode.AwaitsApproval,
  [RunEnd.Disapproved]: ExitCode.Failed,
  [RunEnd.ApprovalVoid]: ExitCode.Failed,
  [RunEnd.Failed]: ExitCode.Failed,
  [RunEnd.OwnFault]: ExitCode.NeedsPerson,
  [RunEnd.NeedsAttention]: ExitCode.NeedsPerson,
}

/**
 * The code for an end of a run. `tiesOut` is that of its report. A need for a person takes precedence over everything
 * else.
 */
export function runExitCode(outcome: string, tiesOut: boolean | undefined): ExitCode {
  const code = exitCodeIn(runExitCodes, outcome)
  return tiesOut === false && code !== ExitCode.NeedsPerson ? ExitCode.DoesNotTieOut : code
}

/** The code of a command that only shows a run. A run under way is no failure. */
export function exitCodeOf({
  outcome,
  tiesOut,
}: {
  readonly outcome: string
  readonly tiesOut?: boolean | undefined
}): ExitCode {
  return outcome === RUNNING ? ExitCode.Done : runExitCode(outcome, tiesOut)
}
