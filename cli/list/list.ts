// `sluice list`: lists everything that was asked for, newest first. The journal has no list of all intents, so all of it is
// looked through, up to the bound of every scan. Reads only.
import * as z from 'zod/mini'
import { isoTime } from '../../core/contract/fields.ts'
import { recordKey } from '../../core/contract/records.ts'
import { Defect } from '../../core/errors.ts'
import { intentOfRecord } from '../../core/journal/intent-record.ts'
import type { StoredRecord } from '../../core/journal/record-store.ts'
import { runOfRecord } from '../../core/runs/record/run-record.ts'
import { AskedKind, readKind } from '../show/asked-kind.ts'
import { type JournalTarget, withJournalTarget } from '../target/journal/journal-target.ts'
import { CommandError, usageError } from '../terminal/command-error.ts'
import { commandIn, quoted, type TargetFlags } from '../terminal/command-line.ts'
import type { CommandContext } from '../terminal/context.ts'
import { ExitCode } from '../terminal/exit-code.ts'
import { assertListFlags, type ListFlags, printList } from '../terminal/listing.ts'
import { printable, printableJson } from '../terminal/printable.ts'
import type { Column } from '../terminal/table.ts'
import {
  type AskedRow,
  isAskedFor,
  newestFirst,
  type RowFilter,
  readOutcome,
  rowOfIntent,
  rowOfRun,
  standingOf,
} from './asked-row.ts'

export interface ListAskedFlags extends TargetFlags, ListFlags {
  readonly kind?: string
  readonly outcome?: string
  readonly since?: string
  readonly before?: string
  readonly limit?: string
}

const DEFAULT_ROWS = 20
const MOST_ROWS = 10_000
/** Rows that are held before the oldest are let go. */
const MOST_HELD = 4 * MOST_ROWS

const columns: readonly Column<AskedRow>[] = [
  { title: 'asked at', text: ({ at }) => at, isTime: true },
  { title: 'kind', text: ({ kind }) => kind },
  { title: 'asked', text: ({ asked }) => asked, cutTo: 16 },
  { title: 'outcome', text: standingOf },
  { title: 'policy', text: ({ policy = '' }) => policy, isDetail: true },
  { title: 'run', text: ({ run = '' }) => run, isDetail: true },
  { title: 'event', text: ({ requestId = '' }) => requestId, isDetail: true },
  { title: 'id', text: ({ id }) => id, isId: true },
  { title: 'movement', text: ({ movementId = '' }) => movementId, isId: true },
]

/** @throws CommandError: exit 2 for a filter that is none, exit 1 for a journal that is too long to look through */
export async function list(flags: ListAskedFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, columns)
  const filter: RowFilter = {
    kind: readKind(flags.kind),
    outcome: readOutcome(flags.outcome),
    sinceMs: readTime('--since', flags.since),
    beforeMs: readTime('--before', flags.before),
  }
  const limit = readLimit(flags.limit)
  const { rows, unreadable } = await withJournalTarget(flags, context, (target) => readRows(target, filter, limit))
  const shown = firstOf(rows, limit)
  const hasMore = rows.length > shown.length
  if (output.json) output.data(printableJson({ asked: shown, hasMore, unreadable }))
  else if (shown.length > 0 || flags.csv === true) printList(columns, shown, flags, context)
  if (shown.length === 0) output.note('nothing was asked for that fits')
  for (const message of unreadable) output.note(`not in the list, as it cannot be read: ${printable(message)}`)
  const last = shown.at(-1)
  if (hasMore) output.note(`the newest ${shown.length}; there are more, asked for before ${last?.at}`)
  output.next(nextOf(flags, hasMore ? last?.at : undefined, shown[0]?.id))
  return ExitCode.Done
}

function nextOf(flags: ListAskedFlags, before: string | undefined, newest: string | undefined): string[] {
  const { kind, outcome, since, limit, wide: _wide, csv: _csv, columns: _columns, before: _before, ...target } = flags
  const given = Object.entries({ kind, outcome, since, limit, before })
  const words = given.flatMap(([name, value]) => (value === undefined ? [] : [`--${name} ${quoted(value)}`]))
  return [
    ...(before === undefined ? [] : [commandIn(`list ${words.join(' ')}`, target)]),
    ...(newest === undefined ? [] : [`${commandIn(`show ${quoted(newest)}`, target)}   # or explain; any id will do`]),
  ]
}

/** So many, and those that were asked for in the same moment as the last one: `--before` goes on behind them. */
function firstOf(rows: readonly AskedRow[], limit: number): readonly AskedRow[] {
  const last = rows[limit - 1]
  if (last === undefined) return rows
  const next = rows.findIndex((row, index) => index >= limit && row.at !== last.at)
  return next === -1 ? rows : rows.slice(0, next)
}

interface ReadRows {
  /** The newest, and one more at least where there are more than the limit. */
  readonly rows: readonly AskedRow[]
  /** What is wrong with records that do not fit. */
  readonly unreadable: readonly string[]
}

async function readRows({ scan }: Pick<JournalTarget, 'scan'>, filter: RowFilter, limit: number): Promise<ReadRows> {
  let rows: AskedRow[] = []
  const unreadable: string[] = []
  for await (const record of scan(prefixesOf(filter.kind), tooLong)) {
    const row = rowOf(record, unreadable)
    if (row === undefined || !isAskedFor(row, filter)) continue
    rows.push(row)
    if (rows.length >= MOST_HELD) rows = rows.sort(newestFirst).slice(0, MOST_HELD / 2)
  }
  return { rows: rows.sort(newestFirst).slice(0, Math.max(limit, MOST_ROWS) + 1), unreadable }
}

function prefixesOf(kind: AskedKind | undefined): string[] {
  const [intents, runs] = [recordKey.intent(''), recordKey.run('')]
  if (kind === undefined) return [intents, runs]
  return kind === AskedKind.Run ? [runs] : [intents]
}

/** One that cannot be read hides none of the others. */
function rowOf(record: StoredRecord, unreadable: string[]): AskedRow | undefined {
  try {
    const isRun = record.pk.startsWith(recordKey.run(''))
    return isRun ? rowOfRun(runOfRecord(record)) : rowOfIntent(intentOfRecord(record))
  } catch (error) {
    if (!(error instanceof Defect)) throw error
    unreadable.push(error.message)
    return undefined
  }
}

function tooLong(message: string): CommandError {
  return new CommandError({
    exitCode: ExitCode.Failed,
    code: 'refused',
    message: `${message}: too many to look through`,
    next: 'show ID finds one by its id, and runs --policy NAME lists runs by the index',
  })
}

function readTime(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const isDay = z.iso.date().safeParse(text).success
  if (isDay || isoTime.safeParse(text).success) return Date.parse(isDay ? `${text}T00:00:00Z` : text)
  const expected = 'a day such as 2026-01-31 (UTC), or a moment with its zone such as 2026-01-31T09:00:00Z'
  throw usageError('usage', `${flag}: expected ${expected}; got another`, `correct ${flag}`)
}

function readLimit(text: string | undefined): number {
  if (text === undefined) return DEFAULT_ROWS
  const limit = /^[1-9][0-9]{0,4}$/.test(text) ? Number(text) : 0
  if (limit >= 1 && limit <= MOST_ROWS) return limit
  throw usageError('usage', `--limit: expected a whole number from 1 to ${MOST_ROWS}; got another`, 'correct --limit')
}
