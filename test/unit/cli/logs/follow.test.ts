import { expect, test } from 'vitest'
import { follow } from '../../../../cli/logs/follow.ts'
import { systemClock } from '../../../../core/clock.ts'
import { UncaughtFault } from '../../../../operations/interruption.ts'
import { createLatestPicker } from '../../../../operations/logs/latest-executions.ts'
import { createLogReader } from '../../../../operations/logs/log-reader.ts'
import type { LogPlace } from '../../../../operations/logs/log-source.ts'
import { createServedLines } from '../../../../views/narration/served-events.ts'
import { BEGUN, FILLED, fakeSource, QUOTED } from './fake-source.ts'

const PACE = { firstMs: 1, longestMs: 2 }

/** Follows what `place` gives, until `isEnough` says so after a line or a word. */
async function followed(
  place: () => LogPlace,
  isEnough: (told: readonly string[]) => boolean,
  reason?: unknown,
): Promise<string[]> {
  const told: string[] = []
  const stopping = new AbortController()
  const tell = (text: string) => {
    told.push(text)
    if (isEnough(told)) stopping.abort(reason)
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
    emit: ({ execution, event }) => tell(`${execution} ${event}`),
    note: (text) => tell(`: ${text}`),
    nothingYet: 'nothing yet',
    clock: systemClock,
    signal: stopping.signal,
  })
  return told
}

const placeOf = (key: string, isLive: boolean, source = fakeSource()): LogPlace => {
  return { key, words: key, source, isLive, pace: PACE, listMs: 0 }
}

test('it goes from a process to the files and to the next process, and tells each event once', async () => {
  const source = fakeSource({ a: { startedMs: 0, events: [BEGUN] } })
  let place = placeOf('serve', true, source)
  const told = await followed(
    () => place,
    (lines) => {
      const last = lines.at(-1)
      if (last === 'a started') {
        // It wrote something before it died that nobody was told.
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
  expect(told).toEqual([
    ': serve',
    'a started',
    ': the process that ran has ended; files',
    'a Quote',
    ': next',
    'a ended',
  ])
})

test('a connection that breaks is tried again, and nothing is told twice', async () => {
  const source = fakeSource({ a: { startedMs: 0, events: [BEGUN, QUOTED, FILLED] } })
  source.broken.add('a')
  const told = await followed(
    () => placeOf('serve', true, source),
    (lines) => {
      if (lines.at(-1) === 'a started') source.broken.clear()
      return lines.at(-1) === 'a ended'
    },
  )
  expect(told).toEqual([': serve', 'a started', 'a Quote', 'a ended'])
})

test('where nothing has happened yet that is said once', async () => {
  let looks = 0
  const told = await followed(
    () => {
      looks += 1
      return placeOf(looks < 5 ? 'files' : 'serve', looks >= 5)
    },
    (lines) => lines.at(-1) === ': serve',
  )
  expect(told).toEqual([': files', ': nothing yet', ': serve'])
})

test('a failure that does not pass ends it, and so does an error that nobody handles', async () => {
  const refused = fakeSource()
  refused.list = () => {
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
