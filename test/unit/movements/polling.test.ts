// Tests how long a step polls inside the function, and the effect of a failing poll.
import { expect, test, vi } from 'vitest'
import { Defect, KeyFault, Transient } from '../../../core/errors.ts'
import { pollUntilSettled } from '../../../core/movements/polling.ts'
import { manualClock } from '../../helpers/manual-clock.ts'

interface Seen {
  readonly state: 'moving' | 'settled'
  readonly keyAtFault?: true
}

const MOVING: Seen = { state: 'moving' }
const SETTLED: Seen = { state: 'settled' }
const isMoving = ({ state }: Seen) => state === 'moving'

/** Polls that return these, one after another; the last one stays. Returns the times of the polls. */
function looking(...seen: (Seen | Error)[]) {
  const clock = manualClock()
  const atMs: number[] = []
  const look = vi.fn(async () => {
    atMs.push(clock.monotonicMs())
    const now = seen[Math.min(atMs.length, seen.length) - 1]
    if (now === undefined || now instanceof Error) throw now
    return now
  })
  const until = (pollInsideSeconds: number, mayLookOn?: () => boolean) =>
    pollUntilSettled(look, isMoving, { clock, timing: { pollInsideSeconds }, ...(mayLookOn && { mayLookOn }) })
  return { atMs, clock, until }
}

test('the last poll comes when the seconds are over, so that whatever settles within them is seen', async () => {
  const { atMs, until } = looking(MOVING)
  expect(await until(5)).toBe(MOVING)
  expect(atMs).toEqual([0, 200, 600, 1400, 3000, 4600, 5000])
})

test('a settled movement is not polled again', async () => {
  const { atMs, until } = looking(MOVING, SETTLED)
  expect(await until(5)).toBe(SETTLED)
  expect(atMs).toEqual([0, 200])
})

test('zero seconds mean one poll', async () => {
  const { atMs, until } = looking(MOVING)
  await until(0)
  expect(atMs).toEqual([0])
})

test('a clock that is set back does not prolong it', async () => {
  const { atMs, clock, until } = looking(MOVING)
  const { nowMs } = clock
  clock.nowMs = () => nowMs() - 3_600_000 * atMs.length
  await until(1)
  expect(atMs).toEqual([0, 200, 600, 1000])
})

test.each<[Error, object]>([
  [new Transient('no answer'), {}],
  [new KeyFault('the key was revoked'), { keyAtFault: true }],
])('%s after the first poll ends the polling, and the last result stays valid', async (fault, more) => {
  const { atMs, until } = looking(MOVING, MOVING, fault)
  expect(await until(5)).toEqual({ ...MOVING, ...more })
  expect(atMs).toEqual([0, 200, 600])
})

test.each([
  ['of the first look, that nothing was seen before', [new Transient('no answer')], Transient],
  ['that does not pass', [MOVING, new Defect('more than fits')], Defect],
])('a fault %s is thrown', async (_, seen, kind) => {
  await expect(looking(...seen).until(5)).rejects.toThrow(kind)
})

test('while others need the rate limit, the first poll is the only one', async () => {
  const { atMs, until } = looking(MOVING)
  expect(await until(5, () => false)).toBe(MOVING)
  expect(atMs).toEqual([0])
})
