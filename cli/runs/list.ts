// `sluice runs list`: lists the runs of policies in a journal, latest first, and with --watch again and again. Reads
// only.

import { setTimeout as sleep } from 'node:timers/promises'
import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import { isShadow, type RunRecord } from '../../core/runs/record/run-record.ts'
import { findReadableOwnId } from '../../operations/movements/own-id.ts'
import type { RequestRow } from '../../operations/movements/request-row.ts'
import { listUnrecorded } from '../../operations/movements/unrecorded.ts'
import type { Column } from '../../operations/words/column.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { withJournalConnection } from '../../place/journal-connection.ts'
import { assertKnownPolicy, assertPolicyName } from '../../place/named-policy.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { shown } from '../../views/runs/figures.ts'
import { printable } from '../../views/text/shown.ts'
import { tableLines } from '../../views/text/table.ts'
import type { TextStream } from '../../views/text/width.ts'
import { type CommandContext, untilStdoutCloses } from '../terminal/context.ts'
import {
  assertListFlags,
  chosenColumns,
  isWatched,
  type ListFlags,
  printCsvRow,
  printCsvTitles,
  printList,
  readLimit,
  screenWidth,
} from '../terminal/listing.ts'

type Shown = 'kind' | 'endedAt' | 'trigger' | 'plan' | 'tiesOut' | 'why'

/** A run, or an execution that started and has no record. */
interface ListedRun extends Pick<RunRecord, 'runId' | 'policy' | 'startedAt'>, Partial<Pick<RunRecord, Shown>> {
  readonly outcome: string
  /** The id that a person gave to `sluice run`. */
  readonly ownId?: string | undefined
}

interface RunsFlags extends ConnectionFlags, ListFlags {
  readonly policy?: string
  readonly limit?: string
  readonly watch?: boolean
  readonly shadow?: boolean
}

const RUNS = { kind: 'run', outcome: undefined, sinceMs: undefined, beforeMs: undefined } as const
const DEFAULT_RUNS = 50
const MOST_RUNS = 10_000

const turnover = (text: (amount: string) => string): Column<ListedRun> => ({
  title: 'turnover',
  text: ({ plan }) => text(plan?.turnover ?? ''),
  isAmount: true,
})

const columns: readonly Column<ListedRun>[] = [
  { title: 'started', text: ({ startedAt }) => startedAt, isTime: true },
  { title: 'policy', text: ({ policy }) => policy, cutTo: 12 },
  { title: 'kind', text: ({ kind }) => kind ?? '', isDetail: true },
  { title: 'outcome', text: ({ outcome }) => outcome },
  turnover(shown),
  { title: 'in', text: ({ plan }) => plan?.valuationAsset ?? '' },
  { title: 'started by', text: ({ trigger }) => trigger?.by ?? '', isDetail: true },
  { title: 'own id', text: ({ ownId }) => ownId ?? '', isDetail: true },
  { title: 'run', text: ({ runId }) => runId, isId: true },
]

/** @throws OperationError (exit 2) for a wrong policy or limit */
export async function showRuns(flags: RunsFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  const { policy } = flags
  assertListFlags(flags, output, columns)
  if (policy !== undefined) assertPolicyName(policy)
  const limit = readLimit(flags.limit, { usual: DEFAULT_RUNS, most: MOST_RUNS })
  if (flags.watch === true) return watchRuns(flags, limit, context)
  const wanted = await listRuns(flags, limit, context)
  const found = wanted.slice(0, limit)
  if (output.json) output.facts({ runs: found.map(summaryOf), hasMore: wanted.length > found.length })
  else if (found.length > 0 || flags.csv === true) printList(columnsOf(flags), found, flags, context)
  if (found.length === 0)
    output.note(flags.shadow === true ? 'no runs' : 'no runs that move something; --shadow adds those that only plan')
  if (wanted.length > found.length) output.note(`the latest ${found.length}; there are more: --limit N shows N of them`)
  output.next(
    found.length === 0
      ? [{ do: 'list-policies' }]
      : [
          { do: 'show-run', id: found[0]?.runId ?? '' },
          { do: 'report-run', id: found[0]?.runId ?? '', why: 'as a page' },
        ],
  )
  return ExitCode.Done
}

/** A file has every digit, where a terminal has those that a person reads. */
function columnsOf({ csv }: RunsFlags): readonly Column<ListedRun>[] {
  if (csv !== true) return columns
  return columns.map((column) => (column.title === 'turnover' ? turnover((amount) => amount) : column))
}

/** The latest runs, and one more than the limit, which shows whether there are more. */
function listRuns(flags: RunsFlags, limit: number, context: CommandContext): Promise<readonly ListedRun[]> {
  const { policy, shadow } = flags
  const nowMs = context.clock.nowMs()
  const isWanted = (run: RunRecord) => shadow === true || !isShadow(run)
  return withJournalConnection(
    flags,
    context,
    async (connection) => {
      const { runJournal } = connection
      const most = limit + 1
      const found = await (policy === undefined
        ? runJournal.list(most, nowMs, isWanted)
        : runJournal.listOf(policy, most, nowMs, isWanted))
      const recorded = await mapBounded(found, READS_AT_ONCE, async (run) => {
        return { ...run, ownId: await findReadableOwnId('run', run.runId, connection) }
      })
      // A watched list reads each two seconds, and asks Step Functions for nothing.
      const unrecorded = flags.watch === true ? [] : await listUnrecorded(RUNS, connection)
      const named = unrecorded.filter((row) => policy === undefined || row.policy === policy)
      if (policy !== undefined && found.length + named.length === 0) await assertKnownPolicy(policy, connection, nowMs)
      return [...recorded, ...named.map(unrecordedRun)]
        .toSorted((one, other) => Date.parse(other.startedAt) - Date.parse(one.startedAt))
        .slice(0, most)
    },
    { showsTour: true },
  )
}

function unrecordedRun({ id: runId, policy = '', at: startedAt, state: outcome }: RequestRow): ListedRun {
  return { runId, policy, startedAt, outcome }
}

/** Ends with Ctrl-C, which is not a failure. */
async function watchRuns(flags: RunsFlags, limit: number, context: CommandContext): Promise<ExitCode> {
  const { output, stdout, clock, variables } = context
  const read = async () => (await listRuns(flags, limit, context)).slice(0, limit)
  const chosen = chosenColumns(columnsOf(flags), flags)
  const changedOf = onlyChanged(({ runId }: ListedRun) => runId)
  const isRedrawn = isWatched(context) && flags.csv !== true && variables.TERM !== 'dumb'
  if (flags.csv === true) printCsvTitles(chosen, context)
  const append = (rows: readonly ListedRun[]) => {
    // Latest last, like the lines of a log.
    for (const run of changedOf(rows).toReversed()) {
      if (output.json) output.facts(summaryOf(run))
      else if (flags.csv === true) printCsvRow(chosen, run, context)
      else output.data(lineOf(chosen, run))
    }
  }
  const draw = (rows: readonly ListedRun[]) => {
    const at = new Date(clock.nowMs()).toISOString().slice(11, 19)
    const list = rows.length === 0 ? ['no runs'] : tableLines(chosen, rows, screenWidth(context, flags))
    redraw([`runs at ${at} UTC; Ctrl-C ends`, '', ...list], stdout)
  }
  await watch({ read, show: isRedrawn ? draw : append, signal: untilStdoutCloses(context) })
  return ExitCode.Done
}

/** A run on a line whose layout does not depend on the other runs. */
function lineOf(chosen: readonly Column<ListedRun>[], run: ListedRun): string {
  return chosen.map(({ text }) => printable(text(run)) || '-').join('  ')
}

/** A run without its plan and its legs, which `sluice runs show` prints. */
export function summaryOf({
  runId,
  ownId,
  policy,
  kind,
  outcome,
  startedAt,
  endedAt,
  trigger,
  plan,
  tiesOut,
  why,
}: ListedRun) {
  const turnover = plan && { amount: plan.turnover, asset: plan.valuationAsset }
  return { runId, ownId, policy, kind, outcome, startedAt, endedAt, trigger, turnover, tiesOut, why }
}

/** At two seconds each, about a day. To go further, start the command again. */
const MOST_READS = 43_200
const READ_WAIT_MS = 2_000

interface WatchOptions<Row> {
  read(): Promise<readonly Row[]>
  show(rows: readonly Row[]): void
  readonly signal: AbortSignal
  readonly waitMs?: number
  readonly mostReads?: number
}

/** Resolves when the signal is aborted, or after the last read. Rejects where a read fails. */
export async function watch<Row>({
  read,
  show,
  signal,
  waitMs = READ_WAIT_MS,
  mostReads = MOST_READS,
}: WatchOptions<Row>): Promise<void> {
  for (let count = 1; count <= mostReads && !signal.aborted; count++) {
    const rows = await read()
    if (signal.aborted) return
    show(rows)
    if (count === mostReads) return
    // Ctrl-C ends the wait, and is not an error.
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  }
}

/** Returns the rows that are new or have changed. `keyOf` is the same for the same row. */
export function onlyChanged<Row>(keyOf: (row: Row) => string): (rows: readonly Row[]) => readonly Row[] {
  let known = new Map<string, string>()
  return (rows) => {
    const seen = new Map(rows.map((row) => [keyOf(row), JSON.stringify(row)]))
    const changed = rows.filter((row) => known.get(keyOf(row)) !== seen.get(keyOf(row)))
    known = seen
    return changed
  }
}

/** Rows of a screen that reports 0, as some do. */
const DEFAULT_ROWS = 24

/** Draws the lines over the earlier lines, as many as fit the screen. */
export function redraw(lines: readonly string[], stdout: TextStream & { readonly rows?: number }): void {
  const room = Math.max(2, (stdout.rows || DEFAULT_ROWS) - 1)
  const shown =
    lines.length <= room ? lines : [...lines.slice(0, room - 1), `… and ${lines.length - room + 1} lines more`]
  // Moves to the corner, clears the end of each line, and then everything below.
  stdout.write(`\u001b[H${shown.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
}
