import { expect, test } from 'vitest'
import { RequestEvent } from '../../../../core/contract/events.ts'
import { requestedName } from '../../../../core/triggers/names.ts'
import { createLatestPicker } from '../../../../operations/logs/latest-executions.ts'
import { createLogReader } from '../../../../operations/logs/log-reader.ts'
import { createNamedPicker, parseId } from '../../../../operations/logs/named-executions.ts'
import { intentIdOf } from '../../../../operations/movements/intent-id.ts'
import { createServedLines } from '../../../../views/narration/served-events.ts'
import { BEGUN, FILLED, fakeSource, QUOTED } from './fake-source.ts'

const done = (startedMs: number) => ({ startedMs, events: [BEGUN, FILLED] })

/** The executions of which something is told, in order. */
async function told(source: ReturnType<typeof fakeSource>, { picker, reader }: ReturnType<typeof latest>) {
  await picker.pick(source)
  await reader.read(source)
  return reader.take().map(({ execution, event }) => `${execution} ${event}`)
}
function latest(options: { readonly limit?: number; readonly sinceMs?: number; readonly isFollowing?: boolean } = {}) {
  const reader = createLogReader(createServedLines)
  const { limit = 20, sinceMs, isFollowing = false } = options
  return { reader, picker: createLatestPicker({ reader, limit, sinceMs, isFollowing }) }
}
function named(id: string) {
  const reader = createLogReader(createServedLines)
  return { reader, picker: createNamedPicker(id, reader) }
}

test('the last executions are told, and that there are more', async () => {
  const log = latest({ limit: 1 })
  expect(await told(fakeSource({ a: done(0), b: done(5_000) }), log)).toEqual(['b started', 'b ended'])
  expect(log.picker).toMatchObject({ hasFound: true, hasMore: true })
})

test('since a time are those that were under way then, and no more are listed than that takes', async () => {
  const source = fakeSource({ a: done(0), b: { startedMs: 10, events: [BEGUN, QUOTED] }, c: done(9_000) })
  const log = latest({ sinceMs: 5_000 })
  expect(await told(source, log)).toEqual(['b started', 'b Quote', 'c started', 'c ended'])
  expect(log.picker).toMatchObject({ hasFound: true, hasMore: false })
})

test('a follower is told of new executions, of what goes on, and of nothing that was left out', async () => {
  const source = fakeSource({ a: done(0), open: { startedMs: 10, events: [BEGUN] }, c: done(9_000) })
  const log = latest({ limit: 1, isFollowing: true })
  expect(await told(source, log)).toEqual(['c started', 'c ended'])
  source.executions.set('open', { startedMs: 10, events: [BEGUN, FILLED] })
  source.executions.set('d', done(9_500))
  // AWS may list one a little late.
  source.executions.set('late', done(8_900))
  const news = ['d ended', 'd started', 'late ended', 'late started', 'open ended']
  expect((await told(source, log)).sort()).toEqual(news)
})

test('a follower without anything yet is told of the first one', async () => {
  const source = fakeSource()
  const log = latest({ isFollowing: true })
  expect(await told(source, log)).toEqual([])
  expect(log.picker.hasFound).toBe(false)
  source.executions.set('a', done(0))
  expect(await told(source, log)).toEqual(['a started', 'a ended'])
})

test('a look for new executions does not walk through all that are known', async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`e${at}`, done(at)]))
  const source = fakeSource(many)
  const log = latest({ limit: 300, isFollowing: true })
  await told(source, log)
  source.listed.length = 0
  source.executions.set('new', done(1_000))
  expect(await told(source, log)).toEqual(['new started', 'new ended'])
  expect(source.listed).toHaveLength(21)
})

const account = '123456789012'
test.each([
  ['an intent', 'cv-1', 'cv-1'],
  ['what was asked for with run', 'invoice/7', intentIdOf('convert', 'invoice/7')],
  ['an event', '2026-01', requestedName({ detailType: RequestEvent.Conversion, account, id: '2026-01' })],
])('by the id of %s its executions are found, with every entry', async (_whose, id, name) => {
  const source = fakeSource({ [name]: done(0), [`${name}_2`]: done(5_000), other: done(0) })
  const log = named(id)
  const all = [`${name} started`, `${name} ended`, `${name}_2 started`, `${name}_2 ended`]
  expect(await told(source, log)).toEqual(all)
  source.executions.set(`${name}_3`, done(9_000))
  expect(await told(source, log)).toEqual([`${name}_3 started`, `${name}_3 ended`])
})

test('by the name of one entry that one alone is found, and by no other name anything', async () => {
  const source = fakeSource({ a: done(0), a_2: done(5_000) })
  expect(await told(source, named('a_2'))).toEqual(['a_2 started', 'a_2 ended'])
  const log = named('nobody')
  expect(await told(source, log)).toEqual([])
  expect(log.picker.hasFound).toBe(false)
})

test.each(['', 'a\u001bb', 'x'.repeat(257)])('the id %j is refused', (id) => {
  expect(() => parseId(id)).toThrow('id: expected 1 to 256 printable characters')
})
