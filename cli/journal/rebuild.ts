// `sluice journal rebuild`: writes records that a journal has lost, or has in an older version, from the executions and the
// service. Without --write it only prints them. It sends nothing, and never changes a record that says more.

import { randomUUID } from 'node:crypto'
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { Refused, Transient } from '../../core/errors.ts'
import { createHalts, EVERYTHING } from '../../core/journal/halts.ts'
import { stageOf } from '../../core/journal/own-key.ts'
import { createPinnedAccount } from '../../core/journal/pinned-account.ts'
import { acceptTable, UNACCEPTED } from '../../core/journal/table-identity.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import {
  assertSameAccount,
  auditedFrom,
  type OpenExport,
  openExport,
} from '../../operations/journal/export/open-export.ts'
import { type Pass, restoreExport } from '../../operations/journal/export/restore-export.ts'
import { type Finding, FindingKind, type Repair } from '../../operations/journal/judge.ts'
import { makeLostTable } from '../../operations/journal/lost-table.ts'
import { checkMovements } from '../../operations/journal/movements.ts'
import { assertOwnAccount } from '../../operations/journal/own-account.ts'
import { readSpan, type SpanFlags, tableState } from '../../operations/journal/span.ts'
import { type Survey, type SurveyedIntent, type SurveySpan, survey } from '../../operations/journal/survey.ts'
import { type Writing, writeIntent, writeRun } from '../../operations/journal/write-repair.ts'
import type { Consent } from '../../place/consent.ts'
import { readName } from '../../place/decider.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { evidenceFailure } from '../../place/journal/journal-failure.ts'
import type { RecordAccess } from '../../place/journal/journal-parts.ts'
import { type JournalConnection, withJournalConnection } from '../../place/journal-connection.ts'
import { withJournalService } from '../../place/place-service.ts'
import { counted, printable } from '../../views/text/shown.ts'
import type { ConsentFlags } from '../terminal/consent.ts'
import { withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { createProgress } from '../terminal/progress.ts'

interface RebuildFlags extends SpanFlags, ConsentFlags {
  readonly export?: string
  readonly write?: boolean
  readonly by?: string
}

interface Line {
  readonly about: string
  /** The state that is written, or would be. */
  readonly write: string
  readonly because: string
}

interface Rebuilt {
  readonly lines: readonly Line[]
  readonly failed: readonly Line[]
  readonly unclaimed: readonly Finding[]
  readonly contradictions: readonly Finding[]
  readonly executions: number
  readonly goOnBefore: string | undefined
  /** With an export: how many of its records were put back unchanged. */
  readonly asItWas?: number
  /** ISO-8601. Ids are unknown from this time until the first execution that was read. */
  readonly unknownFrom?: string | undefined
}

/** Maximum lines printed. --json has all. */
const MOST_PRINTED = 200

/** @throws OperationError */
export async function rebuildJournal(flags: RebuildFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, variables } = context
  const span = readSpan(flags, clock.nowMs())
  const by = flags.write === true ? readName(flags.by, variables) : undefined
  const exported = await openExport(flags.export)
  const work = async (consent: Consent) => {
    await makeLostTable(flags, context, {
      mayWrite: by !== undefined,
      progress: createProgress(context.output, context.clock),
    })
    return withJournalConnection(
      flags,
      context,
      (connection) =>
        withJournalService(connection, flags, context, (client) =>
          rebuild(connection, client, { span, by, consent, exported, nowMs: clock.nowMs() }),
        ).catch((error: unknown) => Promise.reject(evidenceFailure(error))),
      { asksService: true },
    )
  }
  const rebuilt = await withConsent(flags, context, work)
  print(rebuilt, by !== undefined, context)
  const isDone = rebuilt.failed.length === 0 && rebuilt.goOnBefore === undefined && rebuilt.contradictions.length === 0
  return isDone ? ExitCode.Done : ExitCode.NeedsPerson
}

interface Asked {
  readonly span: SurveySpan
  /** Absent: nothing is written. */
  readonly by: string | undefined
  readonly consent: Consent
  readonly exported: OpenExport | undefined
  readonly nowMs: number
}

async function rebuild(connection: JournalConnection, client: ServiceClient, asked: Asked): Promise<Rebuilt> {
  const { by, consent, exported, nowMs, span } = asked
  await assertOwnAccount(connection, client)
  if (exported !== undefined) await assertSameAccount(connection, client, exported)
  const before = await tableState(connection)
  if (by !== undefined) {
    consent.to('halt sending, and rebuild the journal from its executions?')
    await closeJournal(connection, client, by, nowMs)
  }
  const restored: Written[] = []
  let asItWas = 0
  const restore = async (pass: Pass) => {
    if (exported === undefined) return
    await restoreExport(connection, exported, {
      pass,
      mayWrite: by !== undefined,
      onRestored(record) {
        if (record.isAsItWas && !record.isFailed) asItWas += 1
        else restored.push(record)
      },
    })
  }
  // Records at their end come first, complete. For the others, executions may prove more than the export knows.
  await restore('ended')
  const surveyed = await survey(connection, client, span, !before.isOwn)
  const written = by === undefined ? [...dryLines(surveyed)] : await writeAll(connection, surveyed, nowMs)
  await restore('underWay')
  // Without --write the holders are not written yet, so each claim would be reported.
  if (by !== undefined) await restore('claims')
  const sinceMs = auditedFrom(span.sinceMs, exported)
  const moved = await checkMovements(connection, client, { sinceMs, untilMs: Number.POSITIVE_INFINITY })
  const planned = new Set(plannedMovements(surveyed))
  const unreadable = surveyed.findings
    .filter(({ finding }) => finding === FindingKind.Unreadable)
    .map(({ about, message }) => ({ about, write: 'nothing', because: message, isFailed: true }))
  const lines = [...written, ...restored, ...unreadable]
  return {
    lines: lines.filter(({ isFailed }) => !isFailed),
    failed: lines.filter(({ isFailed }) => isFailed),
    unclaimed: moved.unclaimed.filter((finding) => !planned.has(finding.about)),
    contradictions: surveyed.findings.filter(({ finding }) => finding === 'CONTRADICTION'),
    executions: surveyed.executions,
    goOnBefore: surveyed.goOnBefore,
    ...(exported !== undefined && { asItWas, unknownFrom: unknownFrom(exported, span) }),
  }
}

/** Where the export is older than the first execution that was read, nothing shows the ids in between. */
function unknownFrom({ manifest }: OpenExport, { sinceMs }: SurveySpan): string | undefined {
  return Date.parse(manifest.startedAt) < sinceMs ? manifest.startedAt : undefined
}

/**
 * From now on no function reads or writes the journal, until a person accepts it. Then nothing is sent until sending is
 * resumed.
 */
async function closeJournal(connection: RecordAccess, client: ServiceClient, by: string, nowMs: number): Promise<void> {
  const at = new Date(nowMs).toISOString()
  const { accepted } = await tableState(connection)
  if (accepted?.tableId !== UNACCEPTED) {
    await acceptTable(connection.store, randomUUID, {
      tableId: UNACCEPTED,
      at,
      by,
      because: 'rebuilt from its executions',
    })
  }
  // Halts may be lost as well. The halt is written directly: this command writes the table anyway, and functions refuse it.
  const halts = createHalts(connection.store, randomUUID)
  if ((await halts.findOf(EVERYTHING)).length === 0) {
    await halts.halt({ scope: EVERYTHING, by, because: 'the journal was rebuilt from its executions', at })
  }
  // A person's later decision on a movement needs to know which account the journal belongs to.
  const account = await client.accountOfKey()
  if (account !== undefined) {
    await createPinnedAccount(connection.store, randomUUID).settle(account, stageOf(await client.keyInUse()))
  }
}

type Written = Line & { readonly isFailed: boolean }

async function writeAll(connection: Writing, { intents, runs }: Survey, nowMs: number): Promise<Written[]> {
  const lines: Written[] = []
  const attempt = async (about: string, because: string, write: () => Promise<string | undefined>) => {
    try {
      const done = await write()
      if (done !== undefined) lines.push({ about, write: done, because, isFailed: false })
    } catch (error) {
      // Another process wrote it meanwhile, or its id belongs to another request. The next run checks it again.
      if (!(error instanceof Transient || error instanceof Refused)) throw error
      lines.push({ about, write: 'nothing', because: error.message, isFailed: true })
    }
  }
  // One after the other, because they may share a list of lost withdrawals.
  for (const surveyed of intents.filter(({ repair }) => repair?.write === 'escalated')) {
    await attempt(surveyed.evidence.intentId, becauseOf(surveyed), () => writeIntent(surveyed, connection, nowMs))
  }
  const others = intents.filter(({ repair }) => repair !== undefined && repair.write !== 'escalated')
  await mapBounded(others, READS_AT_ONCE, (surveyed) =>
    attempt(surveyed.evidence.intentId, becauseOf(surveyed), () => writeIntent(surveyed, connection, nowMs)),
  )
  await mapBounded(runs, READS_AT_ONCE, (surveyed) =>
    attempt(surveyed.evidence.runId, surveyed.finding?.message ?? '', () => writeRun(surveyed, connection)),
  )
  return lines
}

function* dryLines({ intents, runs }: Survey): Generator<Written, void> {
  for (const surveyed of intents) {
    const { evidence, repair } = surveyed
    if (repair === undefined) continue
    yield { about: evidence.intentId, write: repairText(repair), because: becauseOf(surveyed), isFailed: false }
  }
  for (const { end, evidence, finding } of runs) {
    if (end === undefined) continue
    yield { about: evidence.runId, write: end.outcome, because: finding?.message ?? '', isFailed: false }
  }
}

function repairText(repair: Repair): string {
  if (repair.write === 'done') return `DONE by ${repair.movementId}`
  return repair.write === 'zero' ? `${repair.zero.state} (${repair.zero.outcome})` : 'ESCALATED'
}

function becauseOf({ finding, repair }: SurveyedIntent): string {
  const why = repair?.write === 'escalated' ? `; ${repair.because}` : ''
  return `${finding?.message ?? ''}${why}`
}

function plannedMovements({ intents }: Survey): string[] {
  return intents.flatMap(({ repair }) => (repair?.write === 'done' ? [repair.movementId] : []))
}

function print(rebuilt: Rebuilt, isWritten: boolean, context: CommandContext): void {
  const { output } = context
  const { asItWas, contradictions, executions, failed, goOnBefore, lines, unclaimed, unknownFrom } = rebuilt
  if (output.json) {
    output.facts({ isWritten, ...rebuilt })
    return
  }
  for (const { about, because, write } of [...lines, ...failed].slice(0, MOST_PRINTED)) {
    output.text(printable(`${about}  ${write}: ${because}`))
  }
  const more = lines.length + failed.length - MOST_PRINTED
  if (more > 0) output.note(`… and ${more} more; --json has all`)
  for (const { about, finding, message } of [...contradictions, ...unclaimed].slice(0, MOST_PRINTED)) {
    output.note(printable(`${finding}  ${about}: ${message}`))
  }
  const verb = isWritten ? 'written' : 'would be written'
  output.note(
    `${counted(lines.length, 'record')} ${verb}, ${failed.length} not, from ${counted(executions, 'execution')}; without an execution: ${counted(unclaimed.length, 'movement')}`,
  )
  if (asItWas !== undefined)
    output.note(`${isWritten ? 'put back' : 'to be put back'} from the export unchanged: ${counted(asItWas, 'record')}`)
  if (unknownFrom !== undefined) {
    output.note(
      `between ${unknownFrom} and the first execution that was read, ids are unknown: use no id of that time again; a movement of that time without a claim is reported as UNCLAIMED`,
    )
  }
  if (isWritten) output.note('sending is halted, and every function refuses the journal until it is accepted')
  output.next([
    ...(goOnBefore === undefined
      ? []
      : [{ do: 'rebuild-journal', isWritten, before: goOnBefore, why: 'the older executions' } as const]),
    isWritten ? { do: 'verify-journal' } : { do: 'rebuild-journal', isWritten: true },
    ...(unclaimed.length > 0 ? [{ do: 'declare-foreign', why: 'for each that others made' } as const] : []),
  ])
}
