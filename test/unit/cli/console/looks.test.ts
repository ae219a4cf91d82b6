// A topic of the console is read once a round, however many pages follow it.
import { expect, test } from 'vitest'
import { createTopicPoller } from '../../../../console/topic-reader.ts'

/** A clock whose sleeps end when the test says so. */
function world() {
  let nowMs = 0
  const waiting: (() => void)[] = []
  const sleeps: number[] = []
  const clock = {
    nowMs: () => nowMs,
    sleep: (durationMs: number) => {
      sleeps.push(durationMs)
      return new Promise<void>((resolve) => waiting.push(resolve))
    },
  }
  const settle = async () => {
    for (let turns = 0; turns < 20; turns += 1) await Promise.resolve()
  }
  const round = async () => {
    nowMs += 1_000
    waiting.shift()?.()
    await settle()
  }
  return { clock, sleeps, settle, round, pass: (ms: number) => (nowMs += ms) }
}

test('however many pages follow a topic, it is read once a round, and all of them are notified of a change', async () => {
  const { clock, round, settle } = world()
  const poller = createTopicPoller(clock, new AbortController().signal, 400, 2)
  let reads = 0
  let data = 'a'
  const read = async () => {
    reads += 1
    return data
  }
  const topic = { name: 't', read }
  const notified = [0, 0]
  const ends = notified.map((_, page) => poller.watch(topic, () => (notified[page] = (notified[page] ?? 0) + 1)))
  await settle()
  expect([reads, notified]).toEqual([1, [0, 0]])
  await round()
  expect([reads, notified]).toEqual([2, [0, 0]])
  data = 'b'
  await round()
  expect([reads, notified]).toEqual([3, [1, 1]])
  for (const end of ends) end()
  await round()
  await round()
  expect(reads).toBe(3)
})

test('a topic that cannot be read notifies once, and again when it can be read', async () => {
  const { clock, round, settle } = world()
  const poller = createTopicPoller(clock, new AbortController().signal, 400, 2)
  let fails = false
  const topic = { name: 't', read: () => (fails ? Promise.reject(new Error('gone')) : Promise.resolve(1)) }
  let notified = 0
  poller.watch(topic, () => (notified += 1))
  await settle()
  fails = true
  await round()
  await round()
  expect(notified).toBe(1)
  fails = false
  await round()
  expect(notified).toBe(2)
})

test('a page right after a read shows the same data; after an act the data is read again', async () => {
  const { clock, pass } = world()
  const poller = createTopicPoller(clock, new AbortController().signal, 400, 2)
  let reads = 0
  const topic = { name: 't', read: async () => (reads += 1) }
  expect([await poller.read(topic), await poller.read(topic)]).toEqual([1, 1])
  poller.touch()
  expect(await poller.read(topic)).toBe(2)
  pass(300)
  expect(await poller.read(topic)).toBe(3)
})

test('after a round that took long the rest is longer by the share', async () => {
  const { clock, pass, settle, sleeps } = world()
  const poller = createTopicPoller(clock, new AbortController().signal, 400, 2)
  poller.watch({ name: 't', read: async () => pass(5_000) }, () => undefined)
  await settle()
  expect(sleeps).toEqual([10_000])
})

test('after the console has stopped nothing is read', async () => {
  const { clock, round, settle } = world()
  const stopping = new AbortController()
  const poller = createTopicPoller(clock, stopping.signal, 400, 2)
  let reads = 0
  poller.watch({ name: 't', read: async () => (reads += 1) }, () => undefined)
  await settle()
  stopping.abort()
  await round()
  expect(reads).toBe(1)
})
