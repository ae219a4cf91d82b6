// Initialisation can neither fail a function before its first call nor hold it up.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The module again: started work belongs to one process. */
const load = () => import('../../../functions/runtime/warm-up.ts')

/** Whether initialisation is over after this time. */
async function isOverAfter(ms: number, warmedUp: Promise<void>): Promise<boolean> {
  let isOver = false
  void warmedUp.then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(ms)
  return isOver
}

test('initialisation is over once everything that it started has ended', async () => {
  const { warmedUp, warmUp } = await load()
  const clock = Promise.withResolvers<void>()
  warmUp(Promise.resolve('key'), clock.promise)
  const over = warmedUp()
  expect(await isOverAfter(500, over)).toBe(false)
  clock.resolve()
  expect(await isOverAfter(0, over)).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('a failure while a function initialises is left for its first call to report', async () => {
  const { warmedUp, warmUp } = await load()
  warmUp(Promise.reject(new Error('no connection')))
  await expect(warmedUp()).resolves.toBeUndefined()
})

test('a missing answer holds initialisation up for a second at most', async () => {
  const { warmedUp, warmUp } = await load()
  warmUp(new Promise(() => undefined))
  const over = warmedUp()
  expect(await isOverAfter(999, over)).toBe(false)
  expect(await isOverAfter(1, over)).toBe(true)
})
