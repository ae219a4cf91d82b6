// `sluice journal rebuild`: writes the records that a journal has lost, or has older than they were, from the executions and
// the service. Without --write it says what it would do. It sends nothing, and never changes a record that says more.
import { randomUUID } from 'node:crypto'
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { Refused, Transient } from '../../core/errors.ts'
import { createHalts, EVERYTHING } from '../../core/journal/halts.ts'
import { stageOf } from '../../core/journal/own-key.ts'
import { createPinnedAccount } from '../../core/journal/pinned-account.ts'
import { acceptTable, UNACCEPTED } from '../../core/journal/table-identity.ts'
import type { ServiceClient } from '../../core/service/service-client.ts'
import { evidenceFailure } from '../target/journal/journal-failure.ts'
import { withJournalService } from '../target/journal/journal-service.ts'
import { type JournalTarget, withJournalTarget } from '../target/journal/journal-target.ts'
import { commandWith } from '../terminal/command-line.ts'
import { type ConsentFlags, readName } from '../terminal/consent.ts'
import { type Consent, withConsent } from '../terminal/consent-apart.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { printable, printableJson } from '../terminal/printable.ts'
import { readSpan, type SpanFlags, tableState } from './flags.ts'
import type { Finding, Repair } from './judge.ts'
import { makeLostTable } from './lost-table.ts'
import { checkMovements, serviceNowMs } from './movements.ts'
import { type Survey, type SurveyedIntent, type SurveySpan, survey } from './survey.ts'
import { writeIntent, writeRun } from './write-repair.ts'

export interface RebuildFlags extends SpanFlags, ConsentFlags {
  readonly write?: boolean
  readonly by?: string
}

interface Line {
  readonly about: string
  /** What is written, or was. */
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
}

const MOST_PRINTED = 200

/** @throws CommandError */
export async function rebuildJournal(flags: RebuildFlags, context: CommandContext): Promise<ExitCode> {
  const { clock, variables } = context
  const span = readSpan('rebuild', flags, clock.nowMs())
  const by = flags.write === true ? readName(flags.by, variables) : undefined
  const work = async (consent: Consent) => {
    await makeLostTable(flags, context, by !== undefined)
    return withJournalTarget(
      flags,
      context,
      (target) =>
        withJournalService(target, flags, context, (client) =>
          rebuild(target, client, { span, by, consent, nowMs: clock.nowMs() }),
        ).catch((error: unknown) => Promise.reject(evidenceFailure(error, flags))),
      { asksService: true },
    )
  }
  const rebuilt = await withConsent(flags, context, work)
  print(rebuilt, by !== undefined, flags, context)
  const isDone = rebuilt.failed.length === 0 && rebuilt.goOnBefore === undefined && rebuilt.contradictions.length === 0
  return isDone ? ExitCode.Done : ExitCode.NeedsPerson
}

interface Asked {
  readonly span: SurveySpan
  /** Absent: nothing is written. */
  readonly by: string | undefined
  readonly consent: Consent
  readonly nowMs: number
}

async function rebuild(target: JournalTarget, client: ServiceClient, asked: Asked): Promise<Rebuilt> {
  const { by, consent, nowMs, span } = asked
  const before = await tableState(target)
  if (by !== undefined) {
    consent.to('halt sending, and rebuild the journal from its executions?')
    await closeJournal(target, client, by, nowMs)
  }
  const surveyed = await survey(target, client, span, !before.isOwn)
  const written = by === undefined ? [...dryLines(surveyed)] : await writeAll(target, surveyed, nowMs)
  const moved = await checkMovements(target, client, { sinceMs: span.sinceMs, untilMs: await serviceNowMs(client) })
  const about = new Set(plannedMovements(surveyed))
  return {
    lines: written.filter(({ isFailed }) => !isFailed),
    failed: written.filter(({ isFailed }) => isFailed),
    unclaimed: moved.unclaimed.filter((finding) => !about.has(finding.about)),
    contradictions: surveyed.findings.filter(({ finding }) => finding === 'CONTRADICTION'),
    executions: surveyed.executions,
    goOnBefore: surveyed.goOnBefore,
  }
}

/** No function reads or writes it from now on, until somebody accepts it; and then nothing is sent until sending is resumed. */
async function closeJournal(target: JournalTarget, client: ServiceClient, by: string, nowMs: number): Promise<void> {
  const at = new Date(nowMs).toISOString()
  const { accepted } = await tableState(target)
  if (accepted?.tableId !== UNACCEPTED) {
    await acceptTable(target.store, randomUUID, { tableId: UNACCEPTED, at, by, because: 'rebuilt from its executions' })
  }
  // Halts may be lost as well.
  // By the table itself: whoever rebuilds a journal writes it anyway, and functions refuse it for now.
  const halts = createHalts(target.store, randomUUID)
  if ((await halts.findOf(EVERYTHING)).length === 0) {
    await halts.halt({ scope: EVERYTHING, by, because: 'the journal was rebuilt from its executions', at })
  }
  // A person's word on a movement needs to know whose the journal is.
  const account = await client.accountOfKey()
  if (account !== undefined) {
    await createPinnedAccount(target.store, randomUUID).settle(account, stageOf(await client.keyInUse()))
  }
}

type Written = Line & { readonly isFailed: boolean }

async function writeAll(target: JournalTarget, { intents, runs }: Survey, nowMs: number): Promise<Written[]> {
  const lines: Written[] = []
  const attempt = async (about: string, because: string, write: () => Promise<string | undefined>) => {
    try {
      const done = await write()
      if (done !== undefined) lines.push({ about, write: done, because, isFailed: false })
    } catch (error) {
      // Somebody else wrote it meanwhile, or its id is another request's: it is looked at again next time.
      if (!(error instanceof Transient || error instanceof Refused)) throw error
      lines.push({ about, write: 'nothing', because: error.message, isFailed: true })
    }
  }
  // One after the other where they may share a list of lost withdrawals.
  for (const surveyed of intents.filter(({ repair }) => repair?.write === 'escalated')) {
    await attempt(surveyed.evidence.intentId, becauseOf(surveyed), () => writeIntent(surveyed, target, nowMs))
  }
  const others = intents.filter(({ repair }) => repair !== undefined && repair.write !== 'escalated')
  await mapBounded(others, READS_AT_ONCE, (surveyed) =>
    attempt(surveyed.evidence.intentId, becauseOf(surveyed), () => writeIntent(surveyed, target, nowMs)),
  )
  await mapBounded(runs, READS_AT_ONCE, (surveyed) =>
    attempt(surveyed.evidence.runId, surveyed.finding?.message ?? '', () => writeRun(surveyed, target)),
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

function print(rebuilt: Rebuilt, isWritten: boolean, flags: RebuildFlags, context: CommandContext): void {
  const { output } = context
  const { contradictions, executions, failed, goOnBefore, lines, unclaimed } = rebuilt
  if (output.json) {
    output.data(printableJson({ isWritten, ...rebuilt }))
    return
  }
  for (const { about, because, write } of [...lines, ...failed].slice(0, MOST_PRINTED)) {
    output.data(printable(`${about}  ${write}: ${because}`))
  }
  const more = lines.length + failed.length - MOST_PRINTED
  if (more > 0) output.note(`… and ${more} more; --json has all`)
  for (const { about, finding, message } of [...contradictions, ...unclaimed].slice(0, MOST_PRINTED)) {
    output.note(printable(`${finding}  ${about}: ${message}`))
  }
  const verb = isWritten ? 'written' : 'would be written'
  output.note(
    `${lines.length} records ${verb}, ${failed.length} not, from ${executions} executions; ${unclaimed.length} movements belong to no execution`,
  )
  if (isWritten) output.note('sending is halted, and every function refuses the journal until it is accepted')
  output.next([
    ...(goOnBefore === undefined
      ? []
      : [
          `${commandWith(`journal rebuild${isWritten ? ' --write' : ''} --before ${goOnBefore}`, flags)}   # the older executions`,
        ]),
    isWritten ? commandWith('journal verify', flags) : commandWith('journal rebuild --write --by NAME', flags),
    ...(unclaimed.length > 0
      ? [`${commandWith('foreign MOVEMENT --because TEXT', flags)}   # for each that others made`]
      : []),
  ])
}
