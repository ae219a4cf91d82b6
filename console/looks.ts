// What pages show, read by one poller for all of them: a page that is open watches a topic, and is told when the topic's
// data has become other. However many pages are open, a topic is read once at a time. Topics that nobody watches are
// read when a page asks for them, and are forgotten.
import type { Clock } from '../core/clock.ts'

/** What a page shows: how to read it, under a name that is the same for the same data. */
export interface Topic<Data> {
  readonly name: string
  read(): Promise<Data>
}

export interface Looks {
  /** What is known of a topic, at most a moment old. Rejects as the read does. */
  read<Data>(topic: Topic<Data>): Promise<Data>
  /** Calls `onChange` whenever the data has become other. The returned function ends it. */
  watch(topic: Topic<unknown>, onChange: () => void): () => void
  /** Something was done: everything that is watched is read anew, and told. */
  touch(): void
}

/** Pages that are watched at once. */
export const MOST_WATCHED = 32
const MOST_KEPT = 64
/** A page that is asked for right after its topic was read shows what was read. */
const FRESH_MS = 300

interface Look {
  topic: Topic<unknown>
  readonly listeners: Set<() => void>
  /** Of the last read, to tell whether it is other. */
  shown?: string
  reading?: Promise<unknown>
  read?: { readonly atMs: number; readonly data: unknown }
}

/**
 * `restMs`: the least time between two rounds. A round that took long is followed by a longer rest, so that the poller
 * never takes more than a small part of what it reads from.
 */
export function createLooks(clock: Clock, signal: AbortSignal, restMs: number, restShare: number): Looks {
  const looks = new Map<string, Look>()
  let isRound = false
  let mustTell = false

  function lookOf(topic: Topic<unknown>): Look {
    const known = looks.get(topic.name)
    const look: Look = known ?? { topic, listeners: new Set() }
    look.topic = topic
    // The one that was used last comes last.
    looks.delete(topic.name)
    looks.set(topic.name, look)
    for (const [name, { listeners, reading }] of looks) {
      if (looks.size <= MOST_KEPT) break
      if (listeners.size === 0 && reading === undefined) looks.delete(name)
    }
    return look
  }

  async function readNow(look: Look): Promise<unknown> {
    look.reading ??= look.topic.read().finally(() => {
      delete look.reading
    })
    const data = await look.reading
    look.read = { atMs: clock.nowMs(), data }
    return data
  }

  /** What cannot be read has become other, too: its page says why. */
  async function lookAgain(look: Look): Promise<void> {
    const shown = await readNow(look).then(
      (data) => JSON.stringify(data),
      (error: unknown) => `unreadable: ${error instanceof Error ? error.message : ''}`,
    )
    const isOther = look.shown !== undefined && look.shown !== shown
    look.shown = shown
    if (isOther) for (const listener of look.listeners) listener()
  }

  async function rounds(): Promise<void> {
    if (isRound) return
    isRound = true
    try {
      while (!signal.aborted) {
        const watched = [...looks.values()].filter(({ listeners }) => listeners.size > 0)
        if (watched.length === 0) return
        const fromMs = clock.nowMs()
        for (const look of watched) if (!signal.aborted) await lookAgain(look)
        if (mustTell) {
          mustTell = false
          for (const { listeners } of watched) for (const listener of listeners) listener()
        }
        const tookMs = Math.max(0, clock.nowMs() - fromMs)
        await clock.sleep(Math.max(restMs, tookMs * restShare))
      }
    } finally {
      isRound = false
    }
  }

  return {
    async read<Data>(topic: Topic<Data>): Promise<Data> {
      const look = lookOf(topic)
      const isFresh = look.read !== undefined && Math.abs(clock.nowMs() - look.read.atMs) < FRESH_MS
      // The topic's name says of which data it is.
      return (isFresh ? look.read?.data : await readNow(look)) as Data
    },
    watch(topic, onChange) {
      const look = lookOf(topic)
      look.listeners.add(onChange)
      void rounds()
      return () => look.listeners.delete(onChange)
    },
    touch() {
      mustTell = true
      for (const look of looks.values()) delete look.read
    },
  }
}
