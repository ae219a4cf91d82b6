import { afterEach, beforeEach, expect, test, vi } from 'vitest'

beforeEach(() => {
  vi.resetModules()
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** The module anew: what was begun is a process's own. */
const load = () => import('../../../functions/runtime/warm-up.ts')

/** Whether initialisation is over after so much time. */
async function isOverAfter(ms: number, warmedUp: Promise<void>): Promise<boolean> {
  let isOver = false
  void warmedUp.then(() => {
    isOver = true
  })
  await vi.advanceTimersByTimeAsync(ms)
  return isOver
}

test('initialisation is over once everything that it began has ended', async () => {
  const { warmedUp, warmUp } = await load()
  const clock = Promise.withResolvers<void>()
  warmUp(Promise.resolve('key'), clock.promise)
  const over = warmedUp()
  expect(await isOverAfter(500, over)).toBe(false)
  clock.resolve()
  expect(await isOverAfter(0, over)).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})

test('what fails while a function initialises is left for its first call to tell', async () => {
  const { warmedUp, warmUp } = await load()
  warmUp(Promise.reject(new Error('no connection')))
  await expect(warmedUp()).resolves.toBeUndefined()
})

test('what does not answer holds initialisation up for a second at most', async () => {
  const { warmedUp, warmUp } = await load()
  warmUp(new Promise(() => undefined))
  const over = warmedUp()
  expect(await isOverAfter(999, over)).toBe(false)
  expect(await isOverAfter(1, over)).toBe(true)
})
