// Pays the rows of a payout file: part by part, each as one run of the policy. A file with a fault pays nothing. It stops at a
// part that needs a person or did not run, because the next part would meet the same.
import { RunEnd } from '../../core/contract/runs.ts'
import type { OperationContext } from '../context.ts'
import { ExitCode } from '../exit-code.ts'
import { usageError } from '../operation-error.ts'
import { runExitCode } from '../run-exit-code.ts'
import type { PolicyRunResult } from '../runs/policy-run.ts'
import { checkLines, checkPayouts, type PayoutFinding } from './check-payouts.ts'
import type { PayoutFile } from './payout-file.ts'
import { type PayoutDesk, partsOf, type Reporting, runPart } from './payout-runs.ts'

export interface PaidPart {
  readonly part: number
  readonly result: PolicyRunResult
}

export interface PaidFile {
  readonly parts: readonly PaidPart[]
  /** Parts that were not begun. */
  readonly left: number
  /** By the ends of the runs alone. Rows that they left out may not be paid. */
  readonly exitCode: ExitCode
}

export interface Paying {
  readonly runId: string
  readonly requester: string | undefined
  /** The command that continues. */
  readonly again: string
  readonly onPart: (part: number, of: number) => void
}

/** Ends after which the next part is run: what did not move is certified, and the others may go. */
const GOES_ON: ReadonlySet<string> = new Set([
  RunEnd.Settled,
  RunEnd.NothingToDo,
  RunEnd.PartlySettled,
  RunEnd.NothingMoved,
])

/** @throws OperationError (exit 2) with one line for each finding, and then nothing was sent */
export async function payFile(
  file: PayoutFile,
  desk: PayoutDesk,
  { runId, requester, again, onPart }: Paying,
  reporting: Reporting,
  context: OperationContext,
): Promise<PaidFile> {
  assertNoFindings(checkLines(desk.name, file).findings)
  const parts = partsOf(file.rows)
  // A run checks its own rows whole. Only more than one run needs the check of all.
  if (parts.length > 1) {
    const { findings } = await checkPayouts(file, desk, again, reporting, context)
    // After a crash the file's own rows are in doubt, and its runs settle them.
    assertNoFindings(findings.filter(({ isDoubt }) => isDoubt !== true))
  }
  const paid: PaidPart[] = []
  for (const [at, rows] of parts.entries()) {
    const part = at + 1
    onPart(part, parts.length)
    const name = parts.length === 1 ? runId : `${runId}-${part}`
    const result = await runPart(desk, { rows, runId: name, requester, again }, reporting, context)
    paid.push({ part, result })
    if (!GOES_ON.has(result.outcome)) break
  }
  return { parts: paid, left: parts.length - paid.length, exitCode: exitCodeOf(paid) }
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

function exitCodeOf(parts: readonly PaidPart[]): ExitCode {
  return heaviestOf(
    parts.map(({ result }) => runExitCode(result.outcome, 'tiesOut' in result ? result.tiesOut : undefined)),
  )
}

/** Codes by their weight. */
const BY_WEIGHT = [ExitCode.NeedsPerson, ExitCode.DoesNotTieOut, ExitCode.AwaitsApproval, ExitCode.Failed]

/** The code of a file by those of its parts and rows: a run that had nothing to do has left rows that are not paid yet. */
export function heaviestOf(codes: readonly ExitCode[]): ExitCode {
  return BY_WEIGHT.find((code) => codes.includes(code)) ?? ExitCode.Done
}
