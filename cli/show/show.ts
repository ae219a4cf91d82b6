// `sluice show`: shows one run as the journal has it. Reads only.
import { RunEnd } from '../../core/contract/runs.ts'
import { reportOfRun } from '../../core/runs/record/run-record.ts'
import { reportLines } from '../report/report-text.ts'
import { withJournalTarget } from '../target/journal/journal-target.ts'
import { findRun } from '../target/named-run.ts'
import { commandIn, commandNeedingKeys, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import type { ExitCode } from '../terminal/exit-code.ts'
import { screenWidth, type WideFlag } from '../terminal/listing.ts'
import { exitCodeOf } from '../terminal/run-exit-code.ts'
import { printableJson } from '../terminal/table.ts'

export interface ShowFlags extends TargetFlags, WideFlag {}

/** Exits with the code that the run itself would have. */
export async function showRun(runId: string, flags: ShowFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const report = reportOfRun(await withJournalTarget(flags, context, (target) => findRun(runId, flags, target)))
  if (output.json) output.data(printableJson(report))
  else for (const line of reportLines(report, screenWidth(context, flags))) output.data(line)
  output.next(nextOf(report.outcome, runId, flags))
  return exitCodeOf(report)
}

function nextOf(outcome: string, runId: string, flags: TargetFlags): string[] {
  const page = `${commandIn(`report ${runId}`, flags)}   # as a page`
  if (outcome === RunEnd.AwaitingApproval) {
    return [`${commandNeedingKeys(`approve ${runId} --because TEXT`, flags)}   # or reject`, page]
  }
  if (outcome === RunEnd.NeedsAttention) return [`${commandIn('attention', flags)}   # what is in doubt`, page]
  return [page, commandIn('runs', flags)]
}
