// One execution's file: a line of JSON for each event, appended in one write before the effect
// that it announces. Its start is on disk when this returns; later lines when their writer has synced them, which it
// does before their effect leaves the process.
// A last line that was cut off is dropped, because nothing that it announces has happened. Each line opens with a
// checksum of its rest, so that one that was damaged is never believed.
import { closeSync, fstatSync, readSync, truncateSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { appendWhole, type Disk } from '../disk.ts'
import { openOwn, readOwnBytes, readOwnText } from '../own-file.ts'
import { Refusal } from '../refusal.ts'
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
  /** Absent where it was not started by another execution's Task. */
  readonly startedBy?: StartedBy
}

/** The attempt of a Task that started an execution: the same attempt finds it again, another one does not. */
export interface StartedBy {
  readonly executionArn: string
  /** Number of the TaskStateEntered. */
  readonly enteredId: number
  /** Redrives of that execution and retries of the state before it. */
  readonly attempt: string
  /** Whether the Task waits for its end, and stops it when it is stopped itself. */
  readonly waits: boolean
}

export interface LoggedExecution {
  readonly header: ExecutionHeader
  readonly events: readonly HistoryEvent[]
  /** The events in their branches, and the retries between them. */
  readonly steps: readonly LogStep[]
}

/** A file that nobody can go by any more. Its execution is not gone: it is not known. */
export class DamagedLog extends Error {
  override readonly name = 'DamagedLog'
}

export type LogStep = BranchEvent<HistoryEvent> | BranchRetries

export interface BranchRetries {
  readonly branch: Branch
  /** Of the state that the branch entered last. */
  readonly retries: RetryProgress
}

/** A line without a branch is the execution's own. */
type Line =
  | { readonly header: ExecutionHeader }
  | {
      readonly branch?: Branch
      readonly event: Omit<HistoryEvent, 'timestamp'> & { readonly timestamp: number }
      /** Of an iteration that failed. */
      readonly failure?: FailureDetails
    }
  | { readonly branch?: Branch; readonly retries: RetryProgress }

export function loggedExecution(header: ExecutionHeader, steps: readonly LogStep[]): LoggedExecution {
  return { header, steps, events: steps.flatMap((step) => ('event' in step ? step.event : [])) }
}

/** Creates the file with its first events, in one write. Throws EEXIST where there is one. */
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

/** Appends events in one write. Throws HistoryFull where it would be too long to still end. */
export function appendEvents(
  path: string,
  drafts: readonly BranchEvent[],
  numbers: EventNumbers,
  nowMs: number,
): readonly BranchEvent<HistoryEvent>[] {
  const isEnd = drafts.some(({ event }) => (statusAfter(event) ?? 'RUNNING') !== 'RUNNING')
  // The last place is kept for the event that ends the execution.
  if (numbers.last + drafts.length > (isEnd ? HISTORY_LIMIT : HISTORY_LIMIT - 1)) throw new HistoryFull(HISTORY_LIMIT)
  const events = numbers.place(drafts, nowMs)
  appendWhole(path, textOf(events.map(lineOf)))
  return events
}

export function appendRetries(path: string, { branch, retries }: BranchRetries): void {
  appendWhole(path, textOf([branch === ROOT ? { retries } : { branch, retries }]))
}

/** Reads a file; undefined where it holds no complete start, so that nothing of it ever happened. @throws DamagedLog */
export function readLog(path: string): LoggedExecution | undefined {
  const text = readOwnLog(path)
  // What follows the last line break was cut off.
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

/** @throws DamagedLog for one that another user may have put there: nobody has started it */
function readOwnLog(path: string): string {
  try {
    return readOwnText(path)
  } catch (error) {
    throw error instanceof Refusal ? new DamagedLog(error.message) : error
  }
}

/** More than any first line has: it holds names, ARNs and a hash, and no input. The last line of most fits too. */
const END_BYTES = 8_192

/** What the first and the last line of a file tell. */
export interface Skimmed {
  readonly startMs: number
  /** Undefined where the last line is no end, or cannot be read by itself. */
  readonly ended: ExecutionStatus | undefined
}

/** Without the lines between; undefined where the first cannot be read. */
export function skimLog(path: string): Skimmed | undefined {
  const { head, tail } = endsOf(path)
  const first = readLine(head.split('\n', 1)[0])
  if (first === undefined || !('header' in first)) return undefined
  // What follows the last line break was cut off, and what stands before the first one may begin in a line's middle.
  const last = readLine(tail.split('\n').slice(1, -1).at(-1))
  const status = last !== undefined && 'event' in last ? statusAfter(last.event) : undefined
  return { startMs: first.header.startMs, ended: status === 'RUNNING' ? undefined : status }
}

/** Whoever reads the whole file hears what is wrong with it. */
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

/** Cuts a half-written last line off, so that what is appended next stands on a line of its own. */
export function repairLog(path: string): void {
  const bytes = readOwnBytes(path)
  const end = bytes.lastIndexOf('\n') + 1
  if (end < bytes.length) truncateSync(path, end)
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
  } catch {
    // Said below.
  }
  throw damagedLine(place)
}

function damagedLine(place: string): DamagedLog {
  return new DamagedLog(`${place} is not an event: the file was changed by something else`)
}
