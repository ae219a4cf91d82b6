// Owns the file of one execution: one line of JSON for each event, appended before the effect that the event announces.
// The start of the execution is on disk when `createLog` returns. The file's writer syncs later lines before their
// effects leave the process. A partial last line is ignored, because nothing that it announces has happened. Each line
// begins with a checksum of the rest, so a damaged line is never used.
import { closeSync, fstatSync, readSync } from 'node:fs'
import { Refusal } from '../aws-error.ts'
import type { Disk } from '../disk.ts'
import { openOwn, readOwnBytes, readOwnText } from '../own-file.ts'
import { type Branch, ROOT } from './branch.ts'
import { EventNumbers } from './event-numbers.ts'
import {
  type BranchEvent,
  type EventDraft,
  type ExecutionStatus,
  type FailureDetails,
  HISTORY_LIMIT,
  type HistoryEvent,
  statusAfter,
} from './history.ts'
import { HistoryFull } from './json.ts'
import type { RetryProgress } from './retry.ts'

/** Not imported, because loading the module takes 1 ms of each command, and most commands read no such file. */
const crc32 = (text: string) => process.getBuiltinModule('node:zlib').crc32(text)

/** The identity of an execution, in the first line of its file. */
export interface ExecutionHeader {
  readonly executionArn: string
  readonly name: string
  readonly stateMachineArn: string
  readonly stateMachineName: string
  /** Hash of the definition that it was started with (see definition-store.ts). */
  readonly definitionHash: string
  readonly roleArn: string
  readonly startMs: number
  /** Proves the task tokens of this execution. */
  readonly tokenSecret: string
  /** Set when another execution's Task started it. */
  readonly startedBy?: StartedBy
}

/** The attempt of a Task that started an execution. Only the same attempt finds the execution again. */
export interface StartedBy {
  readonly executionArn: string
  /** Number of the TaskStateEntered event. */
  readonly enteredId: number
  /** The redrives of that execution and earlier retries of the state. */
  readonly attempt: string
  /** Whether the Task waits for its end, and stops it when stopped itself. */
  readonly waits: boolean
}

export interface LoggedExecution {
  readonly header: ExecutionHeader
  readonly events: readonly HistoryEvent[]
  /** The events with their branches, and the retries between them. */
  readonly steps: readonly LogStep[]
}

/** An unreadable file. Its execution exists, but its state is unknown. */
export class DamagedLog extends Error {
  override readonly name = 'DamagedLog'
}

export type LogStep = BranchEvent<HistoryEvent> | BranchRetries

export interface BranchRetries {
  readonly branch: Branch
  /** Retries of the state that the branch entered last. */
  readonly retries: RetryProgress
}

/** A line without a branch belongs to the execution itself. */
type Line =
  | { readonly header: ExecutionHeader }
  | {
      readonly branch?: Branch
      readonly event: Omit<HistoryEvent, 'timestamp'> & { readonly timestamp: number }
      /** Set for a failed iteration. */
      readonly failure?: FailureDetails
    }
  | { readonly branch?: Branch; readonly retries: RetryProgress }

export function loggedExecution(header: ExecutionHeader, steps: readonly LogStep[]): LoggedExecution {
  return { header, steps, events: steps.flatMap((step) => ('event' in step ? step.event : [])) }
}

/** Creates the file with its first events, in one write. Throws EEXIST if the file exists. */
export function createLog(
  disk: Disk,
  path: string,
  header: ExecutionHeader,
  drafts: readonly EventDraft[],
): LoggedExecution {
  const numbers = new EventNumbers([])
  const events = numbers.place(
    drafts.map((event) => ({ branch: ROOT, event })),
    header.startMs,
  )
  disk.create(path, textOf([{ header }, ...events.map(lineOf)]))
  return loggedExecution(header, events)
}

/** Appends events in one write. Throws HistoryFull when no place would remain for the end. */
export function appendEvents(
  disk: Disk,
  path: string,
  drafts: readonly BranchEvent[],
  numbers: EventNumbers,
  nowMs: number,
): readonly BranchEvent<HistoryEvent>[] {
  const isEnd = drafts.some(({ event }) => (statusAfter(event) ?? 'RUNNING') !== 'RUNNING')
  // The last place is reserved for the event that ends the execution.
  if (numbers.last + drafts.length > (isEnd ? HISTORY_LIMIT : HISTORY_LIMIT - 1)) throw new HistoryFull(HISTORY_LIMIT)
  const events = numbers.place(drafts, nowMs)
  disk.note(path, textOf(events.map(lineOf)))
  return events
}

export function appendRetries(disk: Disk, path: string, { branch, retries }: BranchRetries): void {
  disk.note(path, textOf([branch === ROOT ? { retries } : { branch, retries }]))
}

/**
 * Reads a file; undefined when it has no complete start, so that nothing of it happened.
 * @throws DamagedLog
 */
export function readLog(path: string): LoggedExecution | undefined {
  const text = readOwnLog(path)
  // Text after the last line break is a partial line.
  const complete = text.split('\n').slice(0, -1)
  const [first, ...lines] = complete.map((line, index) => parseLine(line, `${path}:${index + 1}`))
  if (first === undefined) return undefined
  if (!('header' in first)) throw damagedLine(`${path}:1`)
  const logged = loggedExecution(
    first.header,
    lines.flatMap((line) => stepOf(line)),
  )
  return logged.events.length < 2 ? undefined : logged
}

/** @throws DamagedLog for a file that another user may have written, because nobody started its execution */
function readOwnLog(path: string): string {
  try {
    return readOwnText(path)
  } catch (error) {
    throw error instanceof Refusal ? new DamagedLog(error.message) : error
  }
}

/**
 * Bytes read from each end of a file. First lines are shorter: they hold names, ARNs and a hash, but no input. Most
 * last lines fit too.
 */
const END_BYTES = 8_192

/** The facts in the first and last line of a file. */
export interface LogEnds {
  readonly startMs: number
  /** Undefined when the last line is not an end, or when the line alone is unreadable. */
  readonly ended: ExecutionStatus | undefined
}

/** Reads the first and last line; undefined when the first is unreadable. */
export function readLogEnds(path: string): LogEnds | undefined {
  const { head, tail } = endsOf(path)
  const first = readLine(head.split('\n', 1)[0])
  if (first === undefined || !('header' in first)) return undefined
  // Text after the last line break is a partial line, and text before the first one may be part of a line.
  const last = readLine(tail.split('\n').slice(1, -1).at(-1))
  const status = last !== undefined && 'event' in last ? statusAfter(last.event) : undefined
  return { startMs: first.header.startMs, ended: status === 'RUNNING' ? undefined : status }
}

/** Returns undefined for a damaged line. Reading the whole file reports the damage. */
function readLine(text: string | undefined): Line | undefined {
  try {
    return text === undefined ? undefined : parseLine(text, '')
  } catch (error) {
    if (error instanceof DamagedLog) return undefined
    throw error
  }
}

function endsOf(path: string): { readonly head: string; readonly tail: string } {
  const descriptor = openOwn(path)
  try {
    const bytes = Buffer.alloc(END_BYTES)
    const read = (fromByte: number) => bytes.toString('utf8', 0, readSync(descriptor, bytes, 0, END_BYTES, fromByte))
    const head = read(0)
    const { size } = fstatSync(descriptor)
    return { head, tail: size <= END_BYTES ? head : read(size - END_BYTES) }
  } finally {
    closeSync(descriptor)
  }
}

function stepOf(line: Line): readonly LogStep[] {
  if ('header' in line) return []
  const branch = line.branch ?? ROOT
  if ('retries' in line) return [{ branch, retries: line.retries }]
  const { event, failure } = line
  const read = { ...event, timestamp: new Date(event.timestamp) }
  return [{ branch, event: read, ...(failure !== undefined && { failure }) }]
}

/** Removes a partial last line, so that the next append starts on its own line. */
export function repairLog(disk: Disk, path: string): void {
  const bytes = readOwnBytes(path)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) disk.truncate(path, end)
}

function lineOf({ branch, event, failure }: BranchEvent<HistoryEvent>): Line {
  const written = { ...event, timestamp: event.timestamp.getTime() }
  return { ...(branch !== ROOT && { branch }), event: written, ...(failure !== undefined && { failure }) }
}

function textOf(lines: readonly Line[]): string {
  return lines
    .map((line) => JSON.stringify(line))
    .map((text) => `{"crc":${crc32(text)},${text.slice(1)}\n`)
    .join('')
}

function parseLine(text: string, place: string): Line {
  const [opening = '', crc] = /^\{"crc":(\d+),/.exec(text) ?? []
  const plain = `{${text.slice(opening.length)}`
  if (crc === undefined || crc32(plain) !== Number(crc)) throw damagedLine(place)
  try {
    const line = JSON.parse(plain)
    if ('header' in line || 'event' in line || 'retries' in line) return line
  } catch {}
  throw damagedLine(place)
}

function damagedLine(place: string): DamagedLog {
  return new DamagedLog(`${place} is not an event: the file was changed by something else`)
}
