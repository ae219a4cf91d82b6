// Polls the data of open pages. A page watches a topic, and is notified when the topic's data has changed. However many pages
// are open, a topic is read once at a time. A topic that nobody watches is read when a page asks for it, and forgotten later.
import type { Clock } from '../core/clock.ts'

/** The data of a page: how to read it, under a name that is the same for the same data. */
export interface Topic<Data> {
  readonly name: string
  read(): Promise<Data>
}

export interface TopicPoller {
  /** Returns the topic's data, at most FRESH_MS old. Rejects as the topic's own read does. */
  read<Data>(topic: Topic<Data>): Promise<Data>
  /** Calls `onChange` whenever the data has changed. The returned function ends the watch. */
  watch(topic: Topic<unknown>, onChange: () => void): () => void
  /** Called after an act: all watched topics are read again, and their pages notified. */
  touch(): void
}

/** Maximum topics kept, besides those that are watched or being read. */
const MOST_KEPT = 64
/** Data this young is shown again without another read. */
const FRESH_MS = 300

interface PolledTopic {
  topic: Topic<unknown>
  readonly listeners: Set<() => void>
  /** The last read data as JSON, to detect a change. */
  shown?: string
  reading?: Promise<unknown>
  read?: { readonly atMs: number; readonly data: unknown }
}

/**
 * `restMs` is the least time between two rounds. The rest after a long round is longer: `restShare` times the round, so that
 * polling uses only a small part of its source's time.
 */
export function createTopicPoller(clock: Clock, signal: AbortSignal, restMs: number, restShare: number): TopicPoller {
  const topics = new Map<string, PolledTopic>()
  let isRound = false
  let mustNotify = false

  function polledOf(topic: Topic<unknown>): PolledTopic {
    const known = topics.get(topic.name)
    const polled: PolledTopic = known ?? { topic, listeners: new Set() }
    polled.topic = topic
    // The last used topic is last in the map.
    topics.delete(topic.name)
    topics.set(topic.name, polled)
    for (const [name, { listeners, reading }] of topics) {
      if (topics.size <= MOST_KEPT) break
      if (listeners.size === 0 && reading === undefined) topics.delete(name)
    }
    return polled
  }

  async function readNow(polled: PolledTopic): Promise<unknown> {
    polled.reading ??= polled.topic.read().finally(() => {
      delete polled.reading
    })
    const data = await polled.reading
    polled.read = { atMs: clock.nowMs(), data }
    return data
  }

  /** An unreadable topic counts as a change too, because its page then says why. */
  async function readAgain(polled: PolledTopic): Promise<void> {
    const shown = await readNow(polled).then(
      (data) => JSON.stringify(data),
      (error: unknown) => `unreadable: ${error instanceof Error ? error.message : ''}`,
    )
    const isChanged = polled.shown !== undefined && polled.shown !== shown
    polled.shown = shown
    if (isChanged) for (const listener of polled.listeners) listener()
  }

  async function rounds(): Promise<void> {
    if (isRound) return
    isRound = true
    try {
      while (!signal.aborted) {
        const watched = [...topics.values()].filter(({ listeners }) => listeners.size > 0)
        if (watched.length === 0) return
        const fromMs = clock.nowMs()
        for (const polled of watched) if (!signal.aborted) await readAgain(polled)
        if (mustNotify) {
          mustNotify = false
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
      const polled = polledOf(topic)
      const isFresh = polled.read !== undefined && Math.abs(clock.nowMs() - polled.read.atMs) < FRESH_MS
      // The topic's name decides the type of its data.
      return (isFresh ? polled.read?.data : await readNow(polled)) as Data
    },
    watch(topic, onChange) {
      const polled = polledOf(topic)
      polled.listeners.add(onChange)
      void rounds()
      return () => polled.listeners.delete(onChange)
    },
    touch() {
      mustNotify = true
      for (const polled of topics.values()) delete polled.read
    },
  }
}
