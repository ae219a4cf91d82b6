// `sluice journal verify`: checks the journal against itself, the executions, and the movements at the service. It changes
// nothing, unless a person accepts a table without findings.

import { randomUUID } from 'node:crypto'
import { acceptTable } from '../../core/journal/table-identity.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { holdExport } from '../../operations/journal/export/hold-export.ts'
import {
  assertSameAccount,
  auditedFrom,
  type OpenExport,
  openExport,
} from '../../operations/journal/export/open-export.ts'
import type { Finding } from '../../operations/journal/judge.ts'
import { makeLostTable } from '../../operations/journal/lost-table.ts'
import { checkMovements, serviceNowMs } from '../../operations/journal/movements.ts'
import { assertOwnAccount } from '../../operations/journal/own-account.ts'
import { claimedUntilMs, readSpan, type SpanFlags, type TableState, tableState } from '../../operations/journal/span.ts'
import { checkRecords, type SurveySpan, survey } from '../../operations/journal/survey.ts'
import type { Consent } from '../../place/consent.ts'
import { readName, readReason } from '../../place/decider.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { evidenceFailure } from '../../place/journal/journal-failure.ts'
import { type JournalConnection, withJournalConnection } from '../../place/journal-connection.ts'
import type { Advice } from '../../place/next-step.ts'
import { OperationError, unfit } from '../../place/operation-error.ts'
import { withJournalService } from '../../place/place-service.ts'
import { counted, printable } from '../../views/text/shown.ts'
import type { DecisionFlags } from '../terminal/consent.ts'
import { withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { createProgress } from '../terminal/progress.ts'

interface VerifyFlags extends SpanFlags, DecisionFlags {
  readonly export?: string
  readonly accept?: boolean
}

interface Report {
  readonly table: TableState
  readonly findings: readonly Finding[]
  readonly records: number
  readonly executions: number
  readonly movements: number
  readonly young: number
  readonly entries: number
  readonly isLedgerCutOff: boolean
  readonly goOnBefore: string | undefined
  readonly goOnAfter: string | undefined
}

/** Maximum findings printed. --json has all. */
const MOST_PRINTED = 200

/** @throws OperationError */
export async function verifyJournal(flags: VerifyFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, variables } = context
  const span = readSpan(flags, clock.nowMs())
  if (flags.accept === true && flags.before !== undefined) {
    const problem = 'expected no --before beside it, as the newest executions must be checked'
    throw unfit('accept', problem, 'leave out --before, with a higher --limit')
  }
  if (flags.accept === true && flags.since !== undefined) {
    const problem = 'expected no --since beside it, as what moved before it may be missing, too'
    throw unfit('accept', problem, 'leave out --since')
  }
  const decision =
    flags.accept === true
      ? {
          by: readName(flags.by, variables),
          because: readReason(flags.because),
          at: new Date(clock.nowMs()).toISOString(),
        }
      : undefined
  const exported = await openExport(flags.export)
  await makeLostTable(flags, context, { mayWrite: false, progress: createProgress(context.output, context.clock) })
  const work = (consent: Consent) =>
    withJournalConnection(
      flags,
      context,
      (connection) =>
        withJournalService(connection, flags, context, async (client) => {
          const report = await verify(connection, client, { span, exported })
          if (decision === undefined || !isClean(report)) return { report, isAccepted: false }
          if (report.table.isOwn) return { report, isAccepted: true }
          const { accepted, tableId } = report.table
          consent.to(`say that the table ${tableId} is the journal, in place of ${accepted?.tableId ?? 'none'}?`)
          await acceptTable(connection.store, randomUUID, { tableId, ...decision })
          return { report, isAccepted: true }
        }).catch((error: unknown) => Promise.reject(evidenceFailure(error))),
      { asksService: true },
    )
  const { report, isAccepted } = await withConsent(flags, context, work)
  print(report, isAccepted, context)
  if (decision !== undefined && !isAccepted) throw notAccepted(report)
  return isClean(report) && (report.table.isOwn || isAccepted) ? ExitCode.Done : ExitCode.NeedsPerson
}

type Client = Parameters<typeof checkMovements>[1] &
  Parameters<typeof survey>[1] &
  Pick<ServiceClient, 'accountOfKey' | 'clock' | 'keyInUse'>

interface Asked {
  readonly span: SurveySpan
  readonly exported: OpenExport | undefined
}

async function verify(connection: JournalConnection, client: Client, { exported, span }: Asked): Promise<Report> {
  await assertOwnAccount(connection, client)
  if (exported !== undefined) await assertSameAccount(connection, client, exported)
  const table = await tableState(connection)
  const edited = exported?.edited ?? []
  const kept = exported === undefined ? [] : await holdExport(connection, exported)
  const checked = await checkRecords(connection)
  const { executions, findings, goOnBefore } = await survey(connection, client, span, !table.isOwn)
  const broken = new Set(checked.findings.map(({ about }) => about))
  const others = [...kept, ...findings].filter(({ about }) => !broken.has(about))
  // Movements come last: whatever was claimed until then has its record.
  const untilMs = claimedUntilMs(table, connection.treasury.timing, await serviceNowMs(client))
  const moved = await checkMovements(connection, client, { sinceMs: auditedFrom(span.sinceMs, exported), untilMs })
  // Others write to a shared account, and nothing here claims their movements.
  const unclaimed = connection.treasury.service.shared === true ? [] : moved.unclaimed
  return {
    table,
    // A broken record is also unreadable, and is reported once.
    findings: [...checked.findings, ...edited, ...others, ...unclaimed],
    records: checked.records,
    executions,
    movements: moved.movements,
    young: moved.young,
    entries: moved.entries,
    isLedgerCutOff: moved.isLedgerCutOff,
    goOnBefore,
    goOnAfter: checked.goOnAfter,
  }
}

function isClean({ findings, goOnAfter, goOnBefore }: Report): boolean {
  return findings.length === 0 && goOnBefore === undefined && goOnAfter === undefined
}

function print(report: Report, isAccepted: boolean, context: CommandContext): void {
  const { output } = context
  const { table, findings, ...counts } = report
  if (output.json) {
    const shown = { tableId: table.tableId, written: table.accepted?.tableId, isOwn: table.isOwn || isAccepted }
    output.facts({ table: shown, ...counts, findingsTotal: findings.length, findings })
    return
  }
  for (const { finding, about, message } of findings.slice(0, MOST_PRINTED)) {
    output.text(`${finding}  ${printable(about)}: ${printable(message)}`)
  }
  if (findings.length > MOST_PRINTED) output.note(`… and ${findings.length - MOST_PRINTED} more; --json has all`)
  output.note(
    isAccepted && !table.isOwn ? `accepted: the table ${table.tableId} is the journal from now on` : tableText(table),
  )
  const young = report.young === 0 ? '' : `, ${report.young} of them too young to be claimed yet`
  output.note(
    `${findings.length === 0 ? 'nothing found' : counted(findings.length, 'finding')}: ${counted(report.records, 'record')}, ${counted(report.executions, 'execution')}, ${counted(report.movements, 'movement')}${young}, ${counted(report.entries, 'entry', 'entries')} of the ledger`,
  )
  if (report.isLedgerCutOff)
    output.note('the ledger has more entries than are read: other movements are known from the lists alone')
  output.next(nextOf(report, isAccepted))
}

function tableText({ accepted, isOwn, tableId }: TableState): string {
  if (isOwn) return `the table ${tableId} is the journal's own`
  if (accepted === undefined) return `nobody has accepted the table ${tableId} as the journal`
  return `the journal was written in ${accepted.tableId}, and the table is ${tableId}: every function refuses it`
}

function nextOf({ findings, goOnAfter, goOnBefore, table }: Report, isAccepted: boolean): readonly Advice[] {
  const further = { do: 'verify-journal', before: goOnBefore, why: 'the older executions' } as const
  const older = goOnBefore === undefined ? [] : [further]
  if (goOnAfter !== undefined) return [...older, 'ask for help: the journal has more records than one command reads']
  const why = 'what it would write; docs/runbook.md, "The journal is lost or restored"'
  if (findings.length > 0) return [...older, { do: 'rebuild-journal', why }]
  return [...older, table.isOwn || isAccepted ? { do: 'list-cases' } : { do: 'accept-journal' }]
}

function notAccepted({ findings, goOnBefore }: Report): OperationError {
  const why =
    findings.length > 0
      ? `it has ${counted(findings.length, 'finding')}`
      : `it was not checked completely (${goOnBefore})`
  return new OperationError({
    exitCode: ExitCode.NeedsPerson,
    code: 'does_not_tie_out',
    message: `not accepted: ${why}; nothing was recorded`,
    next: { do: 'rebuild-journal', why: 'or settle what is found, or a higher --limit' },
  })
}
