// `sluice journal audit`: audits the journal once. Shows the findings, and the time that is left for a later audit.

import { isWholeAudit, type ReconcileReport } from '../../core/contract/reconcile.ts'
import { auditExitCode, runAudit } from '../../operations/journal/run-audit.ts'
import type { ExitCode } from '../../place/exit-code.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { FINDING_COLUMNS, findingLines, judgedText, unjudgedText } from '../../views/audit-report.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList, screenWidth } from '../terminal/listing.ts'
import { createProgress } from '../terminal/progress.ts'

interface AuditFlags extends ConnectionFlags, ListFlags {
  readonly since?: string
}

/** @throws OperationError where no report could be made */
export async function auditJournal(flags: AuditFlags, context: CommandContext): Promise<ExitCode> {
  assertListFlags(flags, context.output, FINDING_COLUMNS)
  const progress = createProgress(context.output, context.clock)
  const report = await runAudit(flags, flags, progress, context)
  printReport(report, flags, context)
  return auditExitCode(report)
}

function printReport(report: ReconcileReport, flags: AuditFlags, context: CommandContext): void {
  const { output } = context
  const { findings, findingsTotal, open } = report
  if (output.json) {
    output.data(JSON.stringify(report))
    return
  }
  // This comes before the verdict, because the newest movements are not judged yet.
  output.note(unjudgedText(report))
  if (flags.csv === true || flags.columns !== undefined) printList(FINDING_COLUMNS, findings, flags, context)
  else
    for (const line of findings.flatMap((finding) => findingLines(finding, screenWidth(context, flags))))
      output.data(line)
  if (findingsTotal > findings.length) output.note(`… and ${findingsTotal - findings.length} more`)
  for (const line of open.flatMap((each) => findingLines(each, screenWidth(context, flags))))
    output.note(`reported before, and still open: ${line}`)
  output.note(
    `${output.style(findingsTotal + open.length === 0 ? 'green' : 'red', report.outcome)}  ${judgedText(report)}`,
  )
  if (report.clockSetBackFrom !== undefined) {
    output.note(
      `${output.style('yellow', 'clock')}  the last audit ended at ${report.clockSetBackFrom}, which is in the future: the clock was set back; this one judged from ${report.since} on, and --since TIME goes back further`,
    )
  }
  const since = flags.since === undefined ? undefined : report.through
  output.next([
    ...(isWholeAudit(report) ? [] : [{ do: 'audit', since, why: 'continues' } as const]),
    ...(findingsTotal + open.length === 0
      ? []
      : ['docs/runbook.md, "sluice-audit-finding", says what to do about each']),
    { do: 'audit', since: report.since, why: 'the same period again, and what is old enough then' },
  ])
}
