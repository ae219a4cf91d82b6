// Follows a log until the person stops it. It outlives the process that serves the state directory: the last entries of an
// ended process are read from the files, and the log continues with the next process. Reads only.
import { setTimeout as sleep } from 'node:timers/promises'
import type { Picker } from '../../operations/logs/latest-executions.ts'
import type { LogEntry, LogReader } from '../../operations/logs/log-reader.ts'
import type { LogPlace, LogPlaces } from '../../operations/logs/log-source.ts'
import { UncaughtFault } from '../../place/interruption.ts'
import type { CommandContext } from '../terminal/context.ts'

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
