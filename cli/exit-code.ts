// Exit codes of every command, and which of them a named end of a run becomes. Written once, here.
import { ConvertEnd } from '../functions/contract/outcomes.ts'

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
  Interrupted: 130,
} as const
export type ExitCode = (typeof ExitCode)[keyof typeof ExitCode]

const convertExitCodes: Readonly<Record<ConvertEnd, ExitCode>> = {
  [ConvertEnd.Filled]: ExitCode.Done,
  [ConvertEnd.PriceRefused]: ExitCode.Failed,
  [ConvertEnd.ExpiredOut]: ExitCode.Failed,
  [ConvertEnd.Rejected]: ExitCode.Failed,
  [ConvertEnd.Failed]: ExitCode.Failed,
  [ConvertEnd.Stuck]: ExitCode.NeedsPerson,
  [ConvertEnd.NeedsAttention]: ExitCode.NeedsPerson,
}

/** An outcome that is no named end is in doubt. */
export function convertExitCode(outcome: string): ExitCode {
  return Object.hasOwn(convertExitCodes, outcome) ? convertExitCodes[outcome as ConvertEnd] : ExitCode.NeedsPerson
}
