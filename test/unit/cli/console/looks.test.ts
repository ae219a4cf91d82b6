import { expect, test } from 'vitest'
import { createTopicPoller } from '../../../../console/looks.ts'

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

test('however many pages follow a topic, it is read once a round, and all of them are told of a change', async () => {
  const { clock, round, settle } = world()
  const looks = createTopicPoller(clock, new AbortController().signal, 400, 2)
  let reads = 0
  let data = 'a'
  const read = async () => {
    reads += 1
    return data
  }
  const topic = { name: 't', read }
  const told = [0, 0]
  const ends = told.map((_, page) => looks.watch(topic, () => (told[page] = (told[page] ?? 0) + 1)))
  await settle()
  expect([reads, told]).toEqual([1, [0, 0]])
  await round()
  expect([reads, told]).toEqual([2, [0, 0]])
  data = 'b'
  await round()
  expect([reads, told]).toEqual([3, [1, 1]])
  for (const end of ends) end()
  await round()
  await round()
  expect(reads).toBe(3)
})

test('a topic that cannot be read is told once, and again when it can', async () => {
  const { clock, round, settle } = world()
  const looks = createTopicPoller(clock, new AbortController().signal, 400, 2)
  let fails = false
  const topic = { name: 't', read: () => (fails ? Promise.reject(new Error('gone')) : Promise.resolve(1)) }
  let told = 0
  looks.watch(topic, () => (told += 1))
  await settle()
  fails = true
  await round()
  await round()
  expect(told).toBe(1)
  fails = false
  await round()
  expect(told).toBe(2)
})

test('a page that is asked for right after a read shows what was read; after something was done it is read anew', async () => {
  const { clock, pass } = world()
  const looks = createTopicPoller(clock, new AbortController().signal, 400, 2)
  let reads = 0
  const topic = { name: 't', read: async () => (reads += 1) }
  expect([await looks.read(topic), await looks.read(topic)]).toEqual([1, 1])
  looks.touch()
  expect(await looks.read(topic)).toBe(2)
  pass(300)
  expect(await looks.read(topic)).toBe(3)
})

test('after a round that took long the rest is longer by the share', async () => {
  const { clock, pass, settle, sleeps } = world()
  const looks = createTopicPoller(clock, new AbortController().signal, 400, 2)
  looks.watch({ name: 't', read: async () => pass(5_000) }, () => undefined)
  await settle()
  expect(sleeps).toEqual([10_000])
})

test('when the console is stopped nothing is read any more', async () => {
  const { clock, round, settle } = world()
  const stopping = new AbortController()
  const looks = createTopicPoller(clock, stopping.signal, 400, 2)
  let reads = 0
  looks.watch({ name: 't', read: async () => (reads += 1) }, () => undefined)
  await settle()
  stopping.abort()
  await round()
  expect(reads).toBe(1)
})
