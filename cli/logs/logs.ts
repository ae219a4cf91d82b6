// `sluice logs`: shows what happened, step by step and oldest first, in the words of `sluice serve`. Reads only: it takes no
// lock, needs no keys, and continues no execution.

import { setTimeout as sleep } from 'node:timers/promises'
import { styleText } from 'node:util'
import { isoTime } from '../../core/contract/fields.ts'
import { createLatestPicker, type Picker } from '../../operations/logs/latest-executions.ts'
import { createLogReader, type LogEntry, type LogReader } from '../../operations/logs/log-reader.ts'
import type { LogPlace, LogPlaces } from '../../operations/logs/log-source.ts'
import { createNamedPicker, parseId } from '../../operations/logs/named-executions.ts'
import { placesOf } from '../../operations/logs/places.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { UncaughtFault } from '../../place/interruption.ts'
import { journalFailure } from '../../place/journal/journal-failure.ts'
import type { ConnectionFlags } from '../../place/next-step.ts'
import { failedWith, type OperationError, unfit } from '../../place/operation-error.ts'
import { createServedLines } from '../../views/narration/served-events.ts'
import { printable } from '../../views/text/shown.ts'
import { type CommandContext, untilStdoutCloses } from '../terminal/context.ts'
import { readLimit } from '../terminal/listing.ts'
import { styles } from '../terminal/progress.ts'

interface LogsFlags extends ConnectionFlags {
  readonly follow?: true
  readonly limit?: string
  readonly since?: string
}

/** Executions, without and with --limit at most. */
const DEFAULT_LIMIT = 20
const MOST_EXECUTIONS = 1_000
/** Maximum tries after the desk ended during a read, and the pause between them: five seconds in all. */
const MOST_TRIES = 20
const AGAIN_MS = 250

interface Wanted {
  readonly id: string | undefined
  readonly limit: number
  readonly sinceMs: number | undefined
}

/** @throws OperationError: exit 2 for wrong flags, exit 1 for an unknown id */
export async function showLogs(id: string | undefined, flags: LogsFlags, context: CommandContext): Promise<ExitCode> {
  const wanted = readWanted(id, flags)
  const places = placesOf(flags, context)
  try {
    if (flags.follow === true) await followLog(wanted, places, context)
    else await printLog(wanted, places, context)
    return ExitCode.Done
  } catch (error) {
    throw journalFailure(error)
  } finally {
    places.destroy()
  }
}

function readWanted(id: string | undefined, { limit, since }: LogsFlags): Wanted {
  if (id !== undefined && limit !== undefined) {
    throw unfit('limit', 'is for the executions of all ids; got an id, too', 'leave --limit or the id out')
  }
  return {
    id: id === undefined ? undefined : parseId(id),
    limit: readLimit(limit, { usual: DEFAULT_LIMIT, most: MOST_EXECUTIONS }),
    sinceMs: since === undefined ? undefined : readTime(since),
  }
}

async function followLog(wanted: Wanted, places: LogPlaces, context: CommandContext): Promise<void> {
  const { clock, output } = context
  const reader = createLogReader(createServedLines, wanted.sinceMs)
  const signal = untilStdoutCloses(context)
  const nothing = wanted.id === undefined ? 'nothing has happened yet' : 'nothing is known by this id yet'
  await follow({
    places,
    reader,
    picker: pickerOf(wanted, reader, true),
    emit: (entry) => (output.json ? output.facts(logObject(entry)) : output.text(logLine(entry, context))),
    note: (text) => output.note(`${text}; Ctrl-C ends`),
    nothingYet: `${nothing}; waiting`,
    clock,
    signal,
  })
}

function pickerOf({ id, limit, sinceMs }: Wanted, reader: LogReader, isFollowing: boolean): Picker {
  return id === undefined ? createLatestPicker({ reader, limit, sinceMs, isFollowing }) : createNamedPicker(id, reader)
}

async function printLog(wanted: Wanted, places: LogPlaces, context: CommandContext): Promise<void> {
  const { output } = context
  const { picker, reader } = await readWhole(wanted, places, context)
  if (wanted.id !== undefined && !picker.hasFound) throw unknownId(wanted.id)
  const entries = reader.take()
  if (output.json) output.facts(entries.map(logObject))
  else for (const entry of entries) output.text(logLine(entry, context))
  if (entries.length === 0)
    output.note(wanted.sinceMs === undefined ? 'nothing has happened' : 'nothing has happened since')
  if (picker.hasMore) output.note(`the last ${wanted.limit} executions; there are more: --limit N shows N of them`)
  output.next([{ do: 'show-logs', isFollowed: true }, { do: 'list-cases' }])
}

/** Starts again where the process that serves the directory ends during the read. Nothing has been printed then. */
async function readWhole(wanted: Wanted, places: LogPlaces, { clock }: CommandContext) {
  for (let tries = 1; ; tries += 1) {
    const reader = createLogReader(createServedLines, wanted.sinceMs)
    const picker = pickerOf(wanted, reader, false)
    const { source } = places.current()
    try {
      await picker.pick(source)
      await reader.read(source)
      return { picker, reader }
    } catch (error) {
      if (!(await places.isPassing(error))) throw error
      if (tries === MOST_TRIES) throw places.failureOf(error)
      await clock.sleep(AGAIN_MS)
    }
  }
}

function readTime(text: string): number {
  const parsed = isoTime.safeParse(text)
  if (parsed.success) return Date.parse(parsed.data)
  const problem = 'expected an ISO-8601 time with its zone; got something else'
  throw unfit('since', problem, 'such as --since 2026-01-31T00:00:00Z')
}

function unknownId(id: string): OperationError {
  return failedWith(
    'refused',
    `no execution has the id ${id}: expected the id of a run or an intent, or an execution's name`,
    { do: 'show-logs', why: 'the last ones, with their names' },
  )
}

/** In columns. Most names fit. */
const MACHINE_WIDTH = 16
const LABEL_WIDTH = 15

/** Times are UTC, in whole seconds. */
function logLine(
  { at, event, execution, stateMachine, text, tone }: LogEntry,
  { stdout }: Pick<CommandContext, 'stdout'>,
): string {
  // With a stream, styleText follows NO_COLOR, FORCE_COLOR and the terminal's own depth.
  const label = styleText(styles[tone], printable(event).padEnd(LABEL_WIDTH), { stream: stdout })
  const time = styleText('dim', `${at.slice(0, 19)}Z`, { stream: stdout })
  return `${time}  ${printable(stateMachine).padEnd(MACHINE_WIDTH)}  ${printable(execution)}  ${label}  ${printable(text)}`
}

function logObject({ at, event, stateMachine, execution, text }: LogEntry): object {
  return { at, event, stateMachine, execution, text }
}

interface FollowOptions {
  readonly places: LogPlaces
  readonly picker: Picker
  readonly reader: LogReader
  readonly emit: (entry: LogEntry) => void
  readonly note: (text: string) => void
  /** A note for the case that the first read finds no entry. */
  readonly nothingYet: string
  readonly clock: CommandContext['clock']
  readonly signal: AbortSignal
}

/** Maximum failures in a row, each followed by the longest pause. A desk may need this time to be joined. */
const MOST_FAILURES = 20
const FAILURE_PAUSE_MS = 250

/** Resolves when the signal is aborted. Rejects where the log can no longer be read. */
export async function follow(options: FollowOptions): Promise<void> {
  const { signal } = options
  const { promise: aborted, resolve } = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => resolve(), { once: true })
  // A pending request must not delay Ctrl-C.
  await Promise.race([readOn(options), aborted])
  if (signal.reason instanceof UncaughtFault) throw signal.reason.cause
}

async function readOn({ places, picker, reader, emit, note, nothingYet, clock, signal }: FollowOptions): Promise<void> {
  let at: LogPlace | undefined
  let listedMs = Number.NEGATIVE_INFINITY
  let pauseMs = 0
  let failures = 0
  let isFirst = true
  while (!signal.aborted) {
    const place = places.current()
    if (place.key !== at?.key) {
      note(at?.isLive === true && !place.isLive ? `the process that ran has ended; ${place.words}` : place.words)
      listedMs = Number.NEGATIVE_INFINITY
      pauseMs = place.pace.firstMs
    }
    at = place
    const isDue = clock.nowMs() - listedMs >= place.listMs
    try {
      if (isDue) await picker.pick(place.source)
      if (isDue || place.isLive) await reader.read(place.source)
      if (isDue) listedMs = clock.nowMs()
      failures = 0
    } catch (error) {
      failures += 1
      if (signal.aborted) return
      if (!(await places.isPassing(error))) throw error
      if (failures > MOST_FAILURES) throw places.failureOf(error)
    }
    if (signal.aborted) return
    const entries = reader.take()
    for (const entry of entries) emit(entry)
    if (isFirst && failures === 0 && !picker.hasFound) note(nothingYet)
    if (failures === 0) isFirst = false
    pauseMs = entries.length > 0 ? place.pace.firstMs : Math.min(pauseMs * 2, place.pace.longestMs)
    // Ctrl-C ends the wait, and is not an error.
    const waitMs = failures > 0 ? Math.max(FAILURE_PAUSE_MS, place.pace.longestMs) : pauseMs
    await sleep(waitMs, undefined, { signal }).catch(() => undefined)
  }
}
