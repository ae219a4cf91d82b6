// Entries of several executions are read once each, in the order of their times.
import { expect, test } from 'vitest'
import { createLogReader, type LogEntry } from '../../../../operations/logs/log-reader.ts'
import { createServedLines } from '../../../../views/narration/served-events.ts'
import { arnOf, BEGUN, FILLED, fakeSource, QUOTED } from '../../cli/logs/fake-source.ts'

const given = (name: string) => ({ executionArn: arnOf(name), redrives: 0 })
const words = (entries: readonly LogEntry[]) => entries.map(({ execution, event }) => `${execution} ${event}`)

test('entries of several executions come in the order of their times, each once', async () => {
  const source = fakeSource({
    a: { startedMs: 0, events: [BEGUN, QUOTED, FILLED] },
    b: { startedMs: 1_500, events: [BEGUN] },
  })
  const reader = createLogReader(createServedLines)
  for (const name of ['b', 'a']) reader.add(given(name))
  await reader.read(source)
  expect(reader.take()).toMatchObject([
    { at: '1970-01-01T00:00:00.000Z', execution: 'a', event: 'started', text: 'sell 0.1 BTC for USDC' },
    { execution: 'a', event: 'Quote' },
    { at: '1970-01-01T00:00:01.500Z', execution: 'b', event: 'started' },
    { execution: 'a', event: 'ended', text: 'FILLED' },
  ])
  source.executions.set('b', { startedMs: 1_500, events: [BEGUN, FILLED] })
  await reader.read(source)
  expect(words(reader.take())).toEqual(['b ended'])
  await reader.read(source)
  expect(reader.take()).toEqual([])
})

test('events of one moment stand in the same order whichever execution is read first, that of the earlier start before', async () => {
  const events = [BEGUN, QUOTED, FILLED]
  const source = fakeSource({
    late: { startedMs: 1_000, events },
    twin: { startedMs: 1_000, events },
    early: { startedMs: 0, events },
  })
  const orders = await Promise.all(
    ['late twin early', 'early twin late', 'twin early late'].map(async (names) => {
      const reader = createLogReader(createServedLines)
      for (const name of names.split(' ')) reader.add(given(name))
      await reader.read(source)
      return words(reader.take())
    }),
  )
  expect(new Set(orders.map((order) => order.join(', ')))).toEqual(
    new Set([
      'early started, early Quote, late started, twin started, early ended, late Quote, twin Quote, late ended, twin ended',
    ]),
  )
})

test('executions that an execution starts are read in the same turn', async () => {
  const source = fakeSource({
    parent: { startedMs: 0, events: [BEGUN, QUOTED], starts: 'leg' },
    leg: { startedMs: 2_000, events: [BEGUN, FILLED] },
  })
  const reader = createLogReader(createServedLines)
  reader.add(given('parent'))
  await reader.read(source)
  expect(words(reader.take())).toEqual(['parent started', 'parent Quote', 'leg started', 'leg ended'])
})

test('for an execution that continues, only new entries are reported, in words from its start', async () => {
  const source = fakeSource({ a: { startedMs: 0, events: [BEGUN, QUOTED] } })
  const reader = createLogReader(createServedLines)
  reader.add(given('a'), { isMuted: true })
  await reader.read(source)
  expect(reader.take()).toEqual([])
  source.executions.set('a', { startedMs: 0, events: [BEGUN, QUOTED, QUOTED] })
  await reader.read(source)
  expect(words(reader.take())).toEqual(['a Quote'])
})

test('entries read before the source failed are kept, and not read again', async () => {
  const source = fakeSource({ a: { startedMs: 0, events: [BEGUN, QUOTED, FILLED] } })
  source.broken.add('a')
  const reader = createLogReader(createServedLines)
  reader.add(given('a'))
  await expect(reader.read(source)).rejects.toThrow('gone')
  source.broken.clear()
  await reader.read(source)
  expect(words(reader.take())).toEqual(['a started', 'a Quote', 'a ended'])
})

test('an execution that is resumed after its end is read on', async () => {
  const source = fakeSource({ a: { startedMs: 0, events: [BEGUN, FILLED] } })
  const reader = createLogReader(createServedLines)
  expect(reader.add(given('a'))).toBe(true)
  await reader.read(source)
  reader.take()
  source.executions.set('a', { startedMs: 0, events: [BEGUN, FILLED, QUOTED, FILLED] })
  expect(reader.add(given('a'))).toBe(false)
  await reader.read(source)
  expect(reader.take()).toEqual([])
  expect(reader.add({ ...given('a'), redrives: 1 })).toBe(false)
  await reader.read(source)
  expect(words(reader.take())).toEqual(['a Quote', 'a ended'])
})

test('entries before the requested time are left out', async () => {
  const reader = createLogReader(createServedLines, 1_000)
  reader.add(given('a'))
  await reader.read(fakeSource({ a: { startedMs: 0, events: [BEGUN, QUOTED, FILLED] } }))
  expect(words(reader.take())).toEqual(['a Quote', 'a ended'])
})
