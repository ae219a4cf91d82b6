// `sluice logs` picks the executions that a person asks for, and reads no more than it needs.
import { expect, test } from 'vitest'
import { RequestEvent } from '../../../../core/contract/events.ts'
import { requestedName } from '../../../../core/triggers/names.ts'
import { createLatestPicker } from '../../../../operations/logs/latest-executions.ts'
import { createLogReader } from '../../../../operations/logs/log-reader.ts'
import { createNamedPicker, parseId } from '../../../../operations/logs/named-executions.ts'
import { idMadeOf } from '../../../../operations/movements/intent-id.ts'
import { createServedLines } from '../../../../views/narration/served-events.ts'
import { BEGUN, FILLED, fakeSource, QUOTED } from './fake-source.ts'

const done = (startedMs: number) => ({ startedMs, events: [BEGUN, FILLED] })

/** The executions with log lines, in order. */
async function linesOf(source: ReturnType<typeof fakeSource>, { picker, reader }: ReturnType<typeof latest>) {
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

test('the last executions are shown, and whether there are more', async () => {
  const log = latest({ limit: 1 })
  expect(await linesOf(fakeSource({ a: done(0), b: done(5_000) }), log)).toEqual(['b started', 'b ended'])
  expect(log.picker).toMatchObject({ hasFound: true, hasMore: true })
})

test('--since shows executions that were under way then, and lists no more than needed', async () => {
  const source = fakeSource({ a: done(0), b: { startedMs: 10, events: [BEGUN, QUOTED] }, c: done(9_000) })
  const log = latest({ sinceMs: 5_000 })
  expect(await linesOf(source, log)).toEqual(['b started', 'b Quote', 'c started', 'c ended'])
  expect(log.picker).toMatchObject({ hasFound: true, hasMore: false })
})

test('a follower gets new executions and new events, and nothing that was left out', async () => {
  const source = fakeSource({ a: done(0), open: { startedMs: 10, events: [BEGUN] }, c: done(9_000) })
  const log = latest({ limit: 1, isFollowing: true })
  expect(await linesOf(source, log)).toEqual(['c started', 'c ended'])
  source.executions.set('open', { startedMs: 10, events: [BEGUN, FILLED] })
  source.executions.set('d', done(9_500))
  // AWS may list an execution a little late.
  source.executions.set('late', done(8_900))
  const news = ['d ended', 'd started', 'late ended', 'late started', 'open ended']
  expect((await linesOf(source, log)).sort()).toEqual(news)
})

test('a follower of an empty log gets the first execution', async () => {
  const source = fakeSource()
  const log = latest({ isFollowing: true })
  expect(await linesOf(source, log)).toEqual([])
  expect(log.picker.hasFound).toBe(false)
  source.executions.set('a', done(0))
  expect(await linesOf(source, log)).toEqual(['a started', 'a ended'])
})

test('a read for new executions does not walk through all known ones', async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`e${at}`, done(at)]))
  const source = fakeSource(many)
  const log = latest({ limit: 300, isFollowing: true })
  await linesOf(source, log)
  source.listed.length = 0
  source.executions.set('new', done(1_000))
  expect(await linesOf(source, log)).toEqual(['new started', 'new ended'])
  expect(source.listed).toHaveLength(21)
})

test('the id of a leg whose run waited for approval shows its execution, which is the second entry', async () => {
  const log = named('leg-1')
  expect(await linesOf(fakeSource({ 'leg-1_2': done(0), other: done(1) }), log)).toEqual([
    'leg-1_2 started',
    'leg-1_2 ended',
  ])
})

const account = '123456789012'
test.each([
  ['an intent', 'cv-1', 'cv-1'],
  ['what was asked for with run', 'invoice/7', idMadeOf('convert', 'invoice/7')],
  ['an event', '2026-01', requestedName({ detailType: RequestEvent.Conversion, account, id: '2026-01' })],
])('by the id of %s its executions are found, with every entry', async (_whose, id, name) => {
  const source = fakeSource({ [name]: done(0), [`${name}_2`]: done(5_000), other: done(0) })
  const log = named(id)
  const all = [`${name} started`, `${name} ended`, `${name}_2 started`, `${name}_2 ended`]
  expect(await linesOf(source, log)).toEqual(all)
  source.executions.set(`${name}_3`, done(9_000))
  expect(await linesOf(source, log)).toEqual([`${name}_3 started`, `${name}_3 ended`])
})

test('the name of an entry finds that entry only, and another name finds nothing', async () => {
  const source = fakeSource({ a: done(0), a_2: done(5_000) })
  expect(await linesOf(source, named('a_2'))).toEqual(['a_2 started', 'a_2 ended'])
  const log = named('nobody')
  expect(await linesOf(source, log)).toEqual([])
  expect(log.picker.hasFound).toBe(false)
})

test.each(['', 'a\u001bb', 'x'.repeat(257)])('the id %j is refused', (id) => {
  expect(() => parseId(id)).toThrow('id: expected 1 to 256 printable characters')
})
