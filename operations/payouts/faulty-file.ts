// Defines the refusal of a payout file, with each of its findings. Commands print them as lines, and pages as a table.
import type { PayoutFinding } from '../../core/runs/payouts/check-lines.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { OperationError } from '../../place/operation-error.ts'

/** Its message has a line for each finding. */
export class FaultyFile extends OperationError {
  readonly findings: readonly PayoutFinding[]

  constructor(findings: readonly PayoutFinding[], next: string) {
    const message = findings.map(findingText).join('\n')
    super({ exitCode: ExitCode.Usage, code: 'input', message, next: `${next}; nothing was sent` })
    this.findings = findings
  }
}

/** @throws FaultyFile (exit 2) */
export function assertNoFindings(
  findings: readonly PayoutFinding[],
  next = 'correct the file and run the command again',
): void {
  if (findings.length > 0) throw new FaultyFile(findings, next)
}

export function findingText({ line, id, says }: PayoutFinding): string {
  return [line === undefined ? 'file' : `line ${line}`, id && `row ${id}`, says].filter(Boolean).join(': ')
}
