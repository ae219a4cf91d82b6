// Picks the executions of a log without an id. These are the last executions of all our state machines and, where the
// log is followed, each later execution.
import { StateMachine } from '../../core/contract/states.ts'
import type { ListedExecution } from '../../place/executions/executions.ts'
import type { LogReader } from './log-reader.ts'
import type { LogSource } from './log-source.ts'

/** Adds the executions that are to be read to a reader. */
export interface Picker {
  /** Reads the lists again, and adds new executions to the reader. */
  pick(source: LogSource): Promise<void>
  readonly hasFound: boolean
  /** Whether older executions were left out. */
  readonly hasMore: boolean
}

interface LatestOptions {
  readonly reader: LogReader
  readonly limit: number
  /** Only executions that were under way at or after this time. */
  readonly sinceMs: number | undefined
  /** Whether executions under way are followed, even if they are not among the last executions. */
  readonly isFollowing: boolean
}

/** Maximum executions of one machine that are read to find those under way since a time. */
const MOST_LOOKED = 1_000
const MOST_PAGE = 1_000
/** Maximum executions of one machine that are under way, in addition to the last executions. */
const MOST_RUNNING = 200
/** New executions come before known executions, but AWS may list an execution late. */
const KNOWN_IN_A_ROW = 20
/** Maximum new executions in a turn. The next turn reads the rest. */
const MOST_NEW = 1_000

interface Window {
  readonly stateMachine: StateMachine
  readonly listed: readonly ListedExecution[]
  readonly isFull: boolean
}

export function createLatestPicker(options: LatestOptions): Picker {
  const { reader, limit, isFollowing } = options
  let oldest: ReadonlyMap<StateMachine, number> | undefined
  let hasMore = false
  let hasFound = false

  async function begin(source: LogSource): Promise<void> {
    const windows = await Promise.all(Object.values(StateMachine).map((machine) => windowOf(machine, source, options)))
    const running = isFollowing
      ? await Promise.all(Object.values(StateMachine).map((machine) => runningOf(machine, source)))
      : []
    const all = windows.flatMap(({ listed }) => listed)
    const wanted = all.filter(wantedSince(options.sinceMs)).sort((left, right) => right.startedMs - left.startedMs)
    for (const execution of wanted.slice(0, limit)) reader.add(execution)
    if (isFollowing) for (const execution of [...all, ...running.flat()]) reader.add(execution, { isMuted: true })
    hasFound = wanted.length > 0
    hasMore = wanted.length > limit
    oldest = new Map(windows.map((window) => [window.stateMachine, oldestIn(window)]))
  }

  return {
    get hasMore() {
      return hasMore
    },
    get hasFound() {
      return hasFound
    },
    async pick(source) {
      if (oldest === undefined) return begin(source)
      for (const [stateMachine, oldestMs] of oldest) await addNew(stateMachine, oldestMs, { source, reader })
    },
  }
}

function wantedSince(sinceMs = Number.NEGATIVE_INFINITY): (listed: ListedExecution) => boolean {
  return ({ endedMs = Number.POSITIVE_INFINITY }) => endedMs >= sinceMs
}

async function windowOf(
  stateMachine: StateMachine,
  source: LogSource,
  { limit, sinceMs }: LatestOptions,
): Promise<Window> {
  const isWanted = wantedSince(sinceMs)
  const listed: ListedExecution[] = []
  let wanted = 0
  const pageSize = sinceMs === undefined ? Math.min(limit + 1, MOST_PAGE) : MOST_PAGE
  for await (const execution of source.walk(stateMachine, { pageSize })) {
    listed.push(execution)
    if (isWanted(execution)) wanted += 1
    // One more than the limit shows that more exist.
    if (wanted > limit || listed.length === Math.max(MOST_LOOKED, limit)) return { stateMachine, listed, isFull: true }
  }
  return { stateMachine, listed, isFull: false }
}

async function runningOf(stateMachine: StateMachine, source: LogSource): Promise<ListedExecution[]> {
  const found: ListedExecution[] = []
  for await (const execution of source.walk(stateMachine, { pageSize: MOST_RUNNING, isRunning: true })) {
    found.push(execution)
    if (found.length === MOST_RUNNING) break
  }
  return found
}

/** Executions that started earlier were left out, and stay left out. */
function oldestIn({ isFull, listed }: Window): number {
  return isFull ? Math.min(...listed.map(({ startedMs }) => startedMs)) : Number.NEGATIVE_INFINITY
}

async function addNew(
  stateMachine: StateMachine,
  oldestMs: number,
  { reader, source }: { readonly reader: LogReader; readonly source: LogSource },
): Promise<void> {
  let knownInARow = 0
  let added = 0
  for await (const execution of source.walk(stateMachine, { pageSize: KNOWN_IN_A_ROW })) {
    const isNew = execution.startedMs >= oldestMs && reader.add(execution)
    if (isNew) added += 1
    knownInARow = isNew ? 0 : knownInARow + 1
    if (knownInARow === KNOWN_IN_A_ROW || added === MOST_NEW) return
  }
}
