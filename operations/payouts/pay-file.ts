// Pays the rows of a payout file in one run of its policy, which plans them together and asks for one approval. A file with a
// fault pays nothing.

import { checkLines } from '../../core/runs/payouts/check-lines.ts'
import type { PayoutFile } from '../../core/runs/payouts/payout-file.ts'
import type { OperationContext } from '../../place/context.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { runExitCode } from '../run-exit-code.ts'
import type { PolicyRunResult } from '../runs/policy-run.ts'
import { assertNoFindings } from './faulty-file.ts'
import { type PayoutDesk, type Reporting, runFile } from './payout-runs.ts'

export interface PaidFile {
  readonly result: PolicyRunResult
  /** By the end of the run alone. Rows that it left out may not be paid. */
  readonly exitCode: ExitCode
}

export interface Paying {
  readonly runId: string
  /** The command that continues. */
  readonly again: string
}

/** @throws FaultyFile (exit 2), and then nothing was sent */
export async function payFile(
  file: PayoutFile,
  desk: PayoutDesk,
  paying: Paying,
  reporting: Reporting,
  context: OperationContext,
): Promise<PaidFile> {
  assertNoFindings(checkLines(desk.name, file).findings)
  const result = await runFile(desk, { rows: file.rows, ...paying }, reporting, context)
  const exitCode = runExitCode(result.outcome, 'tiesOut' in result ? result.tiesOut : undefined)
  return { result, exitCode }
}

/** Codes by their weight. */
const BY_WEIGHT = [ExitCode.NeedsPerson, ExitCode.DoesNotTieOut, ExitCode.AwaitsApproval, ExitCode.Failed]

/** The code of a file by those of its run and its rows: a run that had nothing to do has left rows that are not paid yet. */
export function heaviestOf(codes: readonly ExitCode[]): ExitCode {
  return BY_WEIGHT.find((code) => codes.includes(code)) ?? ExitCode.Done
}
