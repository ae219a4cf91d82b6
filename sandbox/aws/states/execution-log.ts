// One execution's file: a line of JSON for each event, appended in one write before the effect
// that it announces. Survives the death of the process (not of the machine: nothing is synced).
// A last line that was cut off is dropped, because nothing that it announces has happened.
import { appendFileSync, closeSync, openSync, readFileSync, truncateSync, writeSync } from 'node:fs'
import { type EventDraft, HISTORY_LIMIT, type HistoryEvent, statusAfter } from './history.ts'
import { StateFailure, StatesError } from './json.ts'
import type { RetryProgress } from './run.ts'

/** What an execution is; the first line of its file. */
export interface ExecutionHeader {
  readonly executionArn: string
  readonly name: string
  readonly stateMachineArn: string
  readonly stateMachineName: string
  /** Names the definition that it was started with (see definition-store.ts). */
  readonly definitionHash: string
  readonly roleArn: string
  readonly startMs: number
}

export interface LoggedExecution {
  readonly header: ExecutionHeader
  readonly events: readonly HistoryEvent[]
  /** Retries of the state that was entered last. */
  readonly retries: RetryProgress | undefined
}

type Line =
  | { readonly header: ExecutionHeader }
  | { readonly event: Omit<HistoryEvent, 'timestamp'> & { readonly timestamp: number } }
  | { readonly retries: RetryProgress }

/** Creates the file with its first events, in one write. Throws EEXIST where there is one. */
export function createLog(
  path: string,
  header: ExecutionHeader,
  drafts: readonly EventDraft[],
): readonly HistoryEvent[] {
  const events = place(drafts, 0, header.startMs)
  const file = openSync(path, 'wx', 0o600)
  try {
    writeSync(file, textOf([{ header }, ...events.map(lineOf)]))
  } finally {
    closeSync(file)
  }
  return events
}

/** Appends events after number `lastId`. Throws StateFailure where the history would be too long to still end. */
export function appendEvents(
  path: string,
  drafts: readonly EventDraft[],
  lastId: number,
  nowMs: number,
): readonly HistoryEvent[] {
  const isEnd = drafts.some((draft) => (statusAfter(draft) ?? 'RUNNING') !== 'RUNNING')
  // The last place is kept for the event that ends the execution.
  if (lastId + drafts.length > (isEnd ? HISTORY_LIMIT : HISTORY_LIMIT - 1)) {
    const reason = `The execution reached the maximum number of history events (${HISTORY_LIMIT}).`
    throw new StateFailure(StatesError.Runtime, reason)
  }
  const events = place(drafts, lastId, nowMs)
  appendFileSync(path, textOf(events.map(lineOf)))
  return events
}

export function appendRetries(path: string, retries: RetryProgress): void {
  appendFileSync(path, textOf([{ retries }]))
}

/** Reads a file; undefined where it holds no complete start, so that nothing of it ever happened. */
export function readLog(path: string): LoggedExecution | undefined {
  const text = readFileSync(path, 'utf8')
  // What follows the last line break was cut off.
  const complete = text.split('\n').slice(0, -1)
  const [first, ...lines] = complete.map((line, index) => parseLine(line, `${path}:${index + 1}`))
  if (first === undefined || !('header' in first)) return undefined
  const events: HistoryEvent[] = []
  let retries: RetryProgress | undefined
  for (const line of lines) {
    if ('retries' in line) {
      retries = line.retries
    } else if ('event' in line) {
      events.push({ ...line.event, timestamp: new Date(line.event.timestamp) })
      if (startsAfresh(line.event)) retries = undefined
    }
  }
  return events.length < 2 ? undefined : { header: first.header, events, retries }
}

/** Cuts a half-written last line off, so that what is appended next stands on a line of its own. */
export function repairLog(path: string): void {
  const bytes = readFileSync(path)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) truncateSync(path, end)
}

/** A state's retries are forgotten when another state is entered, and by a redrive. */
function startsAfresh(event: Pick<HistoryEvent, 'type'>): boolean {
  return event.type.endsWith('StateEntered') || event.type === 'ExecutionRedriven'
}

function place(drafts: readonly EventDraft[], lastId: number, nowMs: number): readonly HistoryEvent[] {
  return drafts.map((draft, index) => {
    const id = lastId + index + 1
    // AWS gives the first two events no predecessor.
    return { id, previousEventId: id <= 2 ? 0 : id - 1, timestamp: new Date(nowMs), ...draft }
  })
}

function lineOf(event: HistoryEvent): Line {
  return { event: { ...event, timestamp: event.timestamp.getTime() } }
}

function textOf(lines: readonly Line[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

function parseLine(text: string, place: string): Line {
  try {
    return JSON.parse(text) as Line
  } catch {
    throw new Error(`${place} is not an event: the file was changed by something else`)
  }
}
