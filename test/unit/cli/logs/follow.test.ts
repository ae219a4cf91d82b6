// `sluice logs --follow` shows each event once, also across processes and broken connections.
import { expect, test } from 'vitest'
import { follow } from '../../../../cli/logs/logs.ts'
import { systemClock } from '../../../../core/clock.ts'
import { createLatestPicker } from '../../../../operations/logs/latest-executions.ts'
import { createLogReader } from '../../../../operations/logs/log-reader.ts'
import type { LogPlace } from '../../../../operations/logs/log-source.ts'
import { UncaughtFault } from '../../../../place/interruption.ts'
import { createServedLines } from '../../../../views/narration/served-events.ts'
import { BEGUN, FILLED, fakeSource, QUOTED } from './fake-source.ts'

const PACE = { firstMs: 1, longestMs: 2 }

/** Follows what `place` gives, until `isEnough` accepts the lines and notes. */
async function followed(
  place: () => LogPlace,
  isEnough: (lines: readonly string[]) => boolean,
  reason?: unknown,
): Promise<string[]> {
  const lines: string[] = []
  const stopping = new AbortController()
  const add = (text: string) => {
    lines.push(text)
    if (isEnough(lines)) stopping.abort(reason)
  }
  const reader = createLogReader(createServedLines)
  await follow({
    places: {
      current: place,
      isPassing: async (error) => error instanceof Error && 'code' in error,
      failureOf: (error) => error,
      destroy: () => {},
    },
    picker: createLatestPicker({ reader, limit: 20, sinceMs: undefined, isFollowing: true }),
    reader,
    emit: ({ execution, event }) => add(`${execution} ${event}`),
    note: (text) => add(`: ${text}`),
    nothingYet: 'nothing yet',
    clock: systemClock,
    signal: stopping.signal,
  })
  return lines
}

const placeOf = (key: string, isLive: boolean, source = fakeSource()): LogPlace => {
  return { key, words: key, source, isLive, pace: PACE, listMs: 0 }
}

test('follow changes from a process to the files and to the next process, and shows each event once', async () => {
  const source = fakeSource({ a: { startedMs: 0, events: [BEGUN] } })
  let place = placeOf('serve', true, source)
  const lines = await followed(
    () => place,
    (shown) => {
      const last = shown.at(-1)
      if (last === 'a started') {
        // Before it died, the process wrote something that the follower has not seen.
        source.executions.set('a', { startedMs: 0, events: [BEGUN, QUOTED] })
        place = placeOf('files', false, source)
      }
      if (last === 'a Quote') {
        source.executions.set('a', { startedMs: 0, events: [BEGUN, QUOTED, FILLED] })
        place = placeOf('next', true, source)
      }
      return last === 'a ended'
    },
  )
  expect(lines).toEqual([
    ': serve',
    'a started',
    ': the process that ran has ended; files',
    'a Quote',
    ': next',
    'a ended',
  ])
})

test('a connection that breaks is tried again, and nothing is shown twice', async () => {
  const source = fakeSource({ a: { startedMs: 0, events: [BEGUN, QUOTED, FILLED] } })
  source.broken.add('a')
  const lines = await followed(
    () => placeOf('serve', true, source),
    (shown) => {
      if (shown.at(-1) === 'a started') source.broken.clear()
      return shown.at(-1) === 'a ended'
    },
  )
  expect(lines).toEqual([': serve', 'a started', 'a Quote', 'a ended'])
})

test('an empty log is reported once', async () => {
  let reads = 0
  const lines = await followed(
    () => {
      reads += 1
      return placeOf(reads < 5 ? 'files' : 'serve', reads >= 5)
    },
    (shown) => shown.at(-1) === ': serve',
  )
  expect(lines).toEqual([': files', ': nothing yet', ': serve'])
})

test('a lasting failure ends it, and so does an uncaught error', async () => {
  const refused = fakeSource()
  refused.walk = () => {
    throw new Error('refused')
  }
  await expect(
    followed(
      () => placeOf('AWS', true, refused),
      () => false,
    ),
  ).rejects.toThrow('refused')
  const fault = new UncaughtFault('uncaught', { cause: new Error('a defect') })
  await expect(
    followed(
      () => placeOf('AWS', true),
      () => true,
      fault,
    ),
  ).rejects.toThrow('a defect')
})
