// `sluice reconcile`: one audit of the journal, by the function that is deployed: on the embedded AWS of this process, at
// the desk of another, or on AWS. It shows the findings. The function changes nothing except its watermark.

import {
  AuditOutcome,
  type ReconcileInput,
  type ReconcileReport,
  reconcileInput,
} from '../../core/contract/reconcile.ts'
import { KeyRole, type Treasury } from '../../core/contract/treasury.ts'
import { printable } from '../../core/printable.ts'
import { admitService, assertAdmitted } from '../../operations/connection/account/admit-service.ts'
import { readNamedService, readTreasury } from '../../operations/connection/configuration.ts'
import { resolveTarget, type Settings } from '../../operations/connection/settings.ts'
import { withEmbeddedSession } from '../../operations/desk/embedded-session.ts'
import { ExitCode } from '../../operations/exit-code.ts'
import { auditAt } from '../../operations/journal/audit.ts'
import { usageError } from '../../operations/operation-error.ts'
import type { Column } from '../../operations/words/column.ts'
import { commandNeedingKeys, commandWith, type TargetFlags } from '../../operations/words/command-line.ts'
import { textLines } from '../../views/text/table.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList, screenWidth } from '../terminal/listing.ts'
import { createProgress } from '../terminal/progress.ts'

export interface ReconcileFlags extends TargetFlags, ListFlags {
  readonly since?: string
}

/** @throws OperationError when there is no report. */
export async function runReconcile(flags: ReconcileFlags, context: CommandContext): Promise<ExitCode> {
  assertListFlags(flags, context.output, FINDING_COLUMNS)
  const input = parseInput(flags)
  const settings = resolveTarget(flags, context.variables)
  const again = commandWith(flags.since === undefined ? 'reconcile' : `reconcile --since ${flags.since}`, flags)
  const treasury = readTreasury(settings.configFile)
  const isAws = flags.aws === true
  const report = isAws
    ? await auditAt({ environment: treasury.environment }, input, again)
    : await auditHere(input, { settings, treasury, again }, flags, context)
  printReport(report, flags, context)
  return report.outcome === AuditOutcome.TiesOut ? ExitCode.Done : ExitCode.DoesNotTieOut
}

/** @throws OperationError (exit 2) for a time that is none. */
function parseInput(flags: ReconcileFlags): ReconcileInput {
  const { since } = flags
  const parsed = reconcileInput.safeParse(since === undefined ? {} : { since })
  if (parsed.success) return parsed.data
  const message = `--since: expected an ISO-8601 time with its zone; got ${JSON.stringify(since)}`
  throw usageError('usage', message, commandWith('reconcile --since 2026-01-31T00:00:00Z', flags))
}

interface Setup {
  readonly settings: Settings
  readonly treasury: Treasury
  /** The same command again. */
  readonly again: string
}

/** In this process, or at the desk of the state directory. */
async function auditHere(
  input: ReconcileInput,
  { settings, treasury, again }: Setup,
  flags: ReconcileFlags,
  context: CommandContext,
): Promise<ReconcileReport> {
  const { stateDir } = settings
  const service = await readNamedService(settings, treasury, [KeyRole.Read], context.stdin)
  const options = {
    ...settings,
    treasury,
    service,
    command: 'reconcile',
    roles: [],
    prepare: () => admitService(stateDir, service, context.clock),
    onEvent: () => undefined,
    progress: createProgress(context.output, context.clock),
    again,
    leavesUnfinishedTo: commandNeedingKeys('serve', flags),
  }
  return withEmbeddedSession(
    options,
    context,
    ({ aws }) => auditAt(aws, input, again),
    async (desk) => {
      if (service !== undefined) await assertAdmitted(stateDir, service, context.clock)
      return auditAt(desk, input, again)
    },
  )
}

type Finding = ReconcileReport['findings'][number]

const FINDING_COLUMNS: readonly Column<Finding>[] = [
  { title: 'finding', text: ({ finding }) => finding },
  { title: 'message', text: ({ message }) => message, isDetail: true },
]

function findingLines({ finding, message }: Finding, width: number): string[] {
  return textLines(printable(`${finding}  ${message}`), width)
}

function printReport(report: ReconcileReport, flags: ReconcileFlags, context: CommandContext): void {
  const { output } = context
  const { findings, findingsTotal } = report
  if (output.json) {
    output.data(JSON.stringify(report))
    return
  }
  // Before the verdict: whoever has just moved something must not take it for judged.
  output.note(unjudgedText(report))
  if (flags.csv === true || flags.columns !== undefined) printList(FINDING_COLUMNS, findings, flags, context)
  else for (const line of findings.flatMap((one) => findingLines(one, screenWidth(context, flags)))) output.data(line)
  if (findingsTotal > findings.length) output.note(`… and ${findingsTotal - findings.length} more`)
  output.note(`${output.style(findingsTotal === 0 ? 'green' : 'red', report.outcome)}  ${judgedText(report)}`)
  if (report.clockSetBackFrom !== undefined) {
    output.note(
      `${output.style('yellow', 'clock')}  the last audit ended at ${report.clockSetBackFrom}, which is in the future: the clock was set back; this one looked back to ${report.since}, and --since TIME looks back further`,
    )
  }
  const goOn = isWhole(report)
    ? []
    : [
        `${commandWith(flags.since === undefined ? 'reconcile' : `reconcile --since ${report.through}`, flags)}   # goes on`,
      ]
  output.next([
    ...goOn,
    ...(findingsTotal === 0 ? [] : ['docs/runbook.md, "sluice-audit-finding", says what to do about each']),
    `${commandWith(`reconcile --since ${report.since}`, flags)}   # this stretch again, and what is old enough by then`,
  ])
}

/** Whether all was judged that is old enough. */
function isWhole({ through, youngSince }: ReconcileReport): boolean {
  return Date.parse(through) >= Date.parse(youngSince)
}

/** What the verdict does not cover, and from when on an audit does. */
function unjudgedText(report: ReconcileReport): string {
  const { through, youngSince, allFrom, waiting } = report
  const seen = waiting === 1 ? 'one finding' : `${waiting} findings`
  const early = waiting === 0 ? '' : `; ${seen} of the ledger may be too young, and the next audit tells what stays`
  const young = `what moved after ${youngSince} is too young: an audit from ${allFrom} on judges all that has moved by now`
  if (isWhole(report)) return `not judged: ${young}${early}`
  return `not judged: what moved after ${through}, because one audit takes a week, or 10,000 movements, and the next goes on from there; ${young}${early}`
}

function judgedText(report: ReconcileReport): string {
  const { orders, fills, withdrawals, entries, intents, foreign, since, againFrom, through } = report
  const others = foreign === 0 ? '' : `, ${foreign} of them by others`
  const open = `${intents} ${intents === 1 ? 'intent' : 'intents'}`
  const again = againFrom === undefined ? '' : `; what is dated after ${againFrom} was judged again`
  if (Date.parse(through) <= Date.parse(since)) {
    return `nothing that moved after ${since} is old enough to be judged; ${open} looked at`
  }
  return `${orders} orders, ${withdrawals} withdrawals${others}, ${entries} entries of the ledger, and ${open}, after ${since} through ${through}${again}; ${fills} fills were read`
}
