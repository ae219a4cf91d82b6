// Pays the rows of a payout file in one run of its policy, which plans them together and asks for one approval. A file with a
// fault pays nothing.

import { checkLines, type PayoutFinding } from '../../core/runs/payouts/check-lines.ts'
import type { PayoutFile } from '../../core/runs/payouts/payout-file.ts'
import type { OperationContext } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { usageError } from '../operation-error.ts'
import { runExitCode } from '../run-exit-code.ts'
import type { PolicyRunResult } from '../runs/policy-run.ts'
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

/** @throws OperationError (exit 2) with one line for each finding, and then nothing was sent */
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

/** @throws OperationError (exit 2) */
export function assertNoFindings(findings: readonly PayoutFinding[]): void {
  if (findings.length === 0) return
  throw usageError(
    'input',
    findings.map(findingText).join('\n'),
    'correct the file and run the command again; nothing was sent',
  )
}

export function findingText({ line, id, says }: PayoutFinding): string {
  return [line === undefined ? 'file' : `line ${line}`, id && `row ${id}`, says].filter(Boolean).join(': ')
}

/** Codes by their weight. */
const BY_WEIGHT = [ExitCode.NeedsPerson, ExitCode.DoesNotTieOut, ExitCode.AwaitsApproval, ExitCode.Failed]

/** The code of a file by those of its run and its rows: a run that had nothing to do has left rows that are not paid yet. */
export function heaviestOf(codes: readonly ExitCode[]): ExitCode {
  return BY_WEIGHT.find((code) => codes.includes(code)) ?? ExitCode.Done
}
