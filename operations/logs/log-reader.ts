// Reads the histories of the executions that it is given, and of those that they start, into entries of a log. Each
// event is read once, whichever source it comes from. It knows no stream and no clock.

import { mapBounded, READS_AT_ONCE } from '../../core/bounded.ts'
import type { Tone } from '../progress.ts'
import type { LinesOf } from '../runs/execution-events.ts'
import type { HistoryCursor, ListedExecution, LogSource } from './log-source.ts'

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

type Given = Pick<ListedExecution, 'executionArn' | 'redrives' | 'endedMs'>

interface Watched extends HistoryCursor {
  input: string | undefined
  redrives: number
  /** Time of its last event. A clock that was set back does not change the order of its events. */
  lastMs: number
  /** Whether what happened until now is left out. */
  isMuted: boolean
}

export interface LogReader {
  /** False where it is known already. One that was let go on after its end is read on. */
  add(execution: Given, options?: { readonly isMuted: boolean }): boolean
  /** Reads what is new. What was read before a failure is kept. */
  read(source: LogSource): Promise<void>
  /** What was read since the last time, oldest first. */
  take(): LogEntry[]
}

/** Of executions that have ended and are not read any more: more than are ever listed again. */
const MOST_KNOWN = 10_000

/** `linesOf`: makes the words for events. `sinceMs`: what happened before it is left out. */
export function createLogReader(linesOf: LinesOf, sinceMs = Number.NEGATIVE_INFINITY): LogReader {
  const known = new Map<string, Watched>()
  const open = new Set<Watched>()
  let collected: { readonly orderMs: number; readonly entry: LogEntry }[] = []
  const lineOf = linesOf((executionArn) => known.get(executionArn)?.input)

  const add: LogReader['add'] = ({ executionArn, redrives, endedMs }, { isMuted } = { isMuted: false }) => {
    const before = known.get(executionArn)
    if (before === undefined) {
      const isOver = isMuted && endedMs !== undefined
      const one = { executionArn, redrives, isMuted, isOver, lastId: 0, lastMs: 0, input: undefined }
      known.set(executionArn, one)
      if (!isOver) open.add(one)
      forgetOldest(known)
      return true
    }
    if (redrives > before.redrives) {
      Object.assign(before, { redrives, isOver: false })
      open.add(before)
    }
    return false
  }

  async function readOne(one: Watched, source: LogSource): Promise<void> {
    for await (const { atMs, event, started } of source.events(one)) {
      one.input ??= event.executionStartedEventDetails?.input
      one.lastMs = Math.max(one.lastMs, atMs)
      for (const executionArn of started) add({ executionArn, redrives: 0 }, one)
      const line = lineOf(one.executionArn, event)
      if (line === undefined || one.isMuted || atMs < sinceMs) continue
      const { execution, label, stateMachine, text, tone } = line
      const entry = { at: new Date(atMs).toISOString(), stateMachine, execution, event: label, text, tone }
      collected.push({ orderMs: one.lastMs, entry })
    }
    one.isMuted = false
    if (one.isOver) open.delete(one)
  }

  return {
    add,
    async read(source) {
      const done = new Set<Watched>()
      // Those that are found meanwhile are read in the same turn.
      for (;;) {
        const next = [...open].filter((one) => !done.has(one))
        if (next.length === 0) return
        await mapBounded(next, READS_AT_ONCE, async (one) => {
          done.add(one)
          await readOne(one, source)
        })
      }
    },
    take() {
      const entries = collected.sort((left, right) => left.orderMs - right.orderMs).map(({ entry }) => entry)
      collected = []
      return entries
    },
  }
}

function forgetOldest(known: Map<string, Watched>): void {
  if (known.size <= MOST_KNOWN) return
  for (const { executionArn, isOver } of known.values()) {
    if (!isOver) continue
    known.delete(executionArn)
    return
  }
}
