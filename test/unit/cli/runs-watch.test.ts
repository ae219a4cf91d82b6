// A watched list is read at a bounded pace until it is interrupted, and prints only what changed.
import { expect, test } from 'vitest'
import { onlyChanged, redraw, watch } from '../../../cli/runs/list.ts'
import { recorded } from './terminal/recorded-stream.ts'

test('the watch reads until it is interrupted, which is not an error', async () => {
  const controller = new AbortController()
  const shown: (readonly number[])[] = []
  let reads = 0
  await watch({
    read: async () => [++reads],
    show: (rows) => {
      shown.push(rows)
      if (rows[0] === 3) controller.abort()
    },
    signal: controller.signal,
    waitMs: 0,
  })
  expect(shown).toEqual([[1], [2], [3]])
})

test('an interruption ends the wait at once', async () => {
  const controller = new AbortController()
  const watching = watch({
    read: async () => [],
    show: () => controller.abort(),
    signal: controller.signal,
    waitMs: 2 ** 30,
  })
  await expect(watching).resolves.toBeUndefined()
})

test('the watch reads no more often than its bound', async () => {
  let reads = 0
  const read = async () => [reads++]
  await watch({ read, show: () => {}, signal: new AbortController().signal, waitMs: 0, mostReads: 5 })
  expect(reads).toBe(5)
})

test('a failed read ends it with that failure', async () => {
  const read = () => Promise.reject(new Error('in use'))
  await expect(watch({ read, show: () => {}, signal: new AbortController().signal })).rejects.toThrow('in use')
})

test('off a terminal only new and changed rows are printed', () => {
  const changedOf = onlyChanged(({ id }: { id: string; outcome: string }) => id)
  const running = { id: 'a', outcome: 'RUNNING' }
  expect(changedOf([running])).toEqual([running])
  expect(changedOf([{ ...running }])).toEqual([])
  const next = [
    { id: 'b', outcome: 'RUNNING' },
    { id: 'a', outcome: 'SETTLED' },
  ]
  expect(changedOf(next)).toEqual(next)
})

test('a screen is redrawn from its corner, and no longer than it is', () => {
  const stdout = Object.assign(recorded({ isTTY: true, columns: 80 }), { rows: 4 })
  redraw(['one', 'two'], stdout)
  expect(stdout.text).toBe('\u001b[Hone\u001b[K\ntwo\u001b[K\n\u001b[J')
  redraw(['1', '2', '3', '4', '5'], stdout)
  expect(stdout.text).toContain('1\u001b[K\n2\u001b[K\n… and 3 lines more\u001b[K\n\u001b[J')
})
