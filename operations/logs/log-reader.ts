// Reads the histories of given executions, and of those that they start, into entries of a log. Each event is read
// once, from whichever source. It knows no stream and no clock.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import type { Tone } from '../../place/context.ts'
import type { HistoryCursor, ListedExecution } from '../../place/executions/executions.ts'
import type { LinesOf } from '../runs/execution-events.ts'
import type { LogSource } from './log-source.ts'

export interface LogEntry {
  /** ISO-8601, UTC. */
  readonly at: string
  readonly stateMachine: string
  readonly execution: string
  /** A state's name, or `started`, `ended` or `fault`. */
  readonly event: string
  readonly text: string
  readonly tone: Tone
}

interface Collected {
  readonly orderMs: number
  /** When its execution started. */
  readonly startedMs: number
  readonly entry: LogEntry
}

type Given = Pick<ListedExecution, 'executionArn' | 'redrives' | 'endedMs'>

interface Watched extends HistoryCursor {
  input: string | undefined
  redrives: number
  /** Time of its first event. An execution starts no later than those that it starts. */
  startedMs: number | undefined
  /** Time of its last event. A clock that was set back does not change the order of its events. */
  lastMs: number
  /** Whether its events until now are left out. */
  isMuted: boolean
}

export interface LogReader {
  /** False where it is known already. An execution that was redriven after its end is read again. */
  add(execution: Given, options?: { readonly isMuted: boolean }): boolean
  /** Reads what is new. Entries that were read before a failure are kept. */
  read(source: LogSource): Promise<void>
  /** The entries since the last call, oldest first. */
  take(): LogEntry[]
}

/**
 * Maximum executions that are remembered, ended executions included. The maximum is larger than any list of executions.
 */
const MOST_KNOWN = 10_000

/** `linesOf`: makes the lines for events. `sinceMs`: earlier events are left out. */
export function createLogReader(linesOf: LinesOf, sinceMs = Number.NEGATIVE_INFINITY): LogReader {
  const known = new Map<string, Watched>()
  const open = new Set<Watched>()
  let collected: Collected[] = []
  const lineOf = linesOf((executionArn) => known.get(executionArn)?.input)

  const add: LogReader['add'] = ({ executionArn, redrives, endedMs }, { isMuted } = { isMuted: false }) => {
    const before = known.get(executionArn)
    if (before === undefined) {
      const isOver = isMuted && endedMs !== undefined
      const watched = {
        executionArn,
        redrives,
        isMuted,
        isOver,
        lastId: 0,
        lastMs: 0,
        startedMs: undefined,
        input: undefined,
      }
      known.set(executionArn, watched)
      if (!isOver) open.add(watched)
      forgetOldest(known)
      return true
    }
    if (redrives > before.redrives) {
      Object.assign(before, { redrives, isOver: false })
      open.add(before)
    }
    return false
  }

  async function readOne(watched: Watched, source: LogSource): Promise<void> {
    for await (const { atMs, event, started } of source.events(watched)) {
      watched.input ??= event.executionStartedEventDetails?.input
      watched.startedMs ??= atMs
      watched.lastMs = Math.max(watched.lastMs, atMs)
      for (const executionArn of started) add({ executionArn, redrives: 0 }, watched)
      const line = lineOf(watched.executionArn, event)
      if (line === undefined || watched.isMuted || atMs < sinceMs) continue
      const { execution, label, stateMachine, text, tone } = line
      const entry = { at: new Date(atMs).toISOString(), stateMachine, execution, event: label, text, tone }
      collected.push({ orderMs: watched.lastMs, startedMs: watched.startedMs, entry })
    }
    watched.isMuted = false
    if (watched.isOver) open.delete(watched)
  }

  return {
    add,
    async read(source) {
      const done = new Set<Watched>()
      // Executions that are found meanwhile are read in the same turn.
      for (;;) {
        const next = [...open].filter((watched) => !done.has(watched))
        if (next.length === 0) return
        await mapBounded(next, READS_AT_ONCE, async (watched) => {
          done.add(watched)
          await readOne(watched, source)
        })
      }
    },
    take() {
      const entries = collected.sort(compareTimes).map(({ entry }) => entry)
      collected = []
      return entries
    },
  }
}

/**
 * Orders by time. Where two executions have events of the same millisecond, the one that started earlier comes first. Then the
 * names decide, so that the order does not depend on what was asked for.
 */
function compareTimes(left: Collected, right: Collected): number {
  const byTime = left.orderMs - right.orderMs || left.startedMs - right.startedMs
  if (byTime !== 0) return byTime
  const names = [nameOf(left.entry), nameOf(right.entry)] as const
  return names[0] < names[1] ? -1 : names[0] > names[1] ? 1 : 0
}

const nameOf = ({ stateMachine, execution }: LogEntry) => `${stateMachine} ${execution}`

function forgetOldest(known: Map<string, Watched>): void {
  if (known.size <= MOST_KNOWN) return
  for (const { executionArn, isOver } of known.values()) {
    if (!isOver) continue
    known.delete(executionArn)
    return
  }
}
