// The model of scale rests on counts that are kept. A step that starts more, asks more or writes more makes them old.
import { expect, test } from 'vitest'
import { RUN_KINDS, type RunCounts, readCounts } from '../../../bench/scale/counts.ts'
import { measureCounts } from '../../../bench/scale/measure.ts'

/** What depends on no clock. Looks inside a function go by real time, so that their number is no news. */
function steady({ events, historyEvents, invocations, journal, serviceSends, starts, transitions }: RunCounts) {
  const writes = (key: string) => journal[key]?.writes
  const lists = { open: writes('OPEN'), done: writes('DONE#HOUR'), halts: journal['H#*']?.reads }
  return { events, historyEvents, invocations, lists, serviceSends, starts, transitions }
}

test('runs use of quotas what bench/scale/counts.json says (npm run scale -- --measure counts anew)', async () => {
  const [kept, now] = [readCounts(), await measureCounts(1, () => undefined)]
  for (const kind of RUN_KINDS)
    expect({ kind, ...steady(now.kinds[kind]) }).toEqual({ kind, ...steady(kept.kinds[kind]) })
  expect(now.reservationBytes).toBeCloseTo(kept.reservationBytes, -1)
})
