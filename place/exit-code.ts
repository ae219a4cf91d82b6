// Owns the exit codes of every command, and which of them each end of a conversion or a withdrawal has.
// operations/run-exit-code.ts says which each end of a run has.
import { ConvertEnd, WithdrawEnd } from '../core/contract/outcomes.ts'

export const ExitCode = {
  Done: 0,
  /** Failed or refused: nothing is in doubt. */
  Failed: 1,
  /** Bad usage or configuration: nothing was sent. */
  Usage: 2,
  /** An outcome is in doubt: do not retry blindly. */
  NeedsPerson: 3,
  AwaitsApproval: 4,
  DoesNotTieOut: 5,
  /** The proof is whole, but no key was given to check it: anybody may have signed it. */
  NotPinned: 6,
  /** The file loosens a bound of the deployment. Only `setup diff --exit-code` ends with it, for pipelines. */
  Loosened: 7,
  /** Nothing is deployed that a file could be compared with. */
  NothingDeployed: 8,
  Interrupted: 130,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

const convertExitCodes: Readonly<Record<ConvertEnd, ExitCode>> = {
  [ConvertEnd.Filled]: ExitCode.Done,
  [ConvertEnd.PriceRefused]: ExitCode.Failed,
  [ConvertEnd.ExpiredOut]: ExitCode.Failed,
  [ConvertEnd.Rejected]: ExitCode.Failed,
  [ConvertEnd.Failed]: ExitCode.Failed,
  [ConvertEnd.OwnFault]: ExitCode.NeedsPerson,
  [ConvertEnd.Stuck]: ExitCode.NeedsPerson,
  [ConvertEnd.NeedsAttention]: ExitCode.NeedsPerson,
}

const withdrawExitCodes: Readonly<Record<WithdrawEnd, ExitCode>> = {
  [WithdrawEnd.Completed]: ExitCode.Done,
  [WithdrawEnd.Rejected]: ExitCode.Failed,
  [WithdrawEnd.Exhausted]: ExitCode.Failed,
  [WithdrawEnd.FailedRefunded]: ExitCode.Failed,
  [WithdrawEnd.OwnFault]: ExitCode.NeedsPerson,
  [WithdrawEnd.Stuck]: ExitCode.NeedsPerson,
  [WithdrawEnd.NeedsAttention]: ExitCode.NeedsPerson,
}

export const convertExitCode = (outcome: string): ExitCode => exitCodeIn(convertExitCodes, outcome)
/** `isByBalance`: only the balance shows the refund. A person looks for it before it is paid again. */
export const withdrawExitCode = (outcome: string, isByBalance?: true): ExitCode =>
  isByBalance ? ExitCode.NeedsPerson : exitCodeIn(withdrawExitCodes, outcome)

/** An outcome without a code of its own counts as in doubt. */
export function exitCodeIn(codes: Readonly<Record<string, ExitCode>>, outcome: string): ExitCode {
  const known = Object.hasOwn(codes, outcome) ? codes[outcome] : undefined
  return known ?? ExitCode.NeedsPerson
}
