// The last answer of a slow source: asked once at a time, and never a reason to wait long.
import { expect, test } from 'vitest'
import { createLatest } from '../../../../console/open-console.ts'

/** A clock whose sleeps end when the test says so, and a source whose answers the test gives. */
function world() {
  let nowMs = 0
  const sleeps: (() => void)[] = []
  const reads: ((data: string) => void)[] = []
  const clock = { nowMs: () => nowMs, sleep: () => new Promise<void>((resolve) => sleeps.push(resolve)) }
  const read = () => new Promise<string>((resolve) => reads.push(resolve))
  const latest = createLatest({ read, unanswered: () => 'not yet', freshMs: 5_000 }, clock)
  const wake = () => {
    for (const sleep of sleeps.splice(0)) sleep()
  }
  return { latest, reads, wake, pass: (ms: number) => (nowMs += ms) }
}

test('pages that ask at the same time share one read, and a fresh answer is shown again', async () => {
  const { latest, reads, pass } = world()
  const asked = [latest(), latest()]
  expect(reads).toHaveLength(1)
  reads[0]?.('first')
  expect(await Promise.all(asked)).toEqual(['first', 'first'])
  pass(4_999)
  expect(await latest()).toBe('first')
  expect(reads).toHaveLength(1)
  pass(1)
  const next = latest()
  reads[1]?.('second')
  expect(await next).toBe('second')
})

test('a page does not wait for a slow source: it shows the last answer, or that there was none', async () => {
  const { latest, reads, wake, pass } = world()
  const first = latest()
  wake()
  expect(await first).toBe('not yet')
  reads[0]?.('first')
  expect(await latest()).toBe('first')
  pass(5_000)
  const slow = latest()
  wake()
  expect(await slow).toBe('first')
  const again = latest()
  expect(reads).toHaveLength(2)
  reads[1]?.('second')
  expect(await again).toBe('second')
})

test('an answer of minutes ago is not shown for the present one', async () => {
  const { latest, reads, wake, pass } = world()
  const first = latest()
  reads[0]?.('the key is refused')
  await first
  pass(180_000)
  const slow = latest()
  wake()
  expect(await slow).toBe('not yet')
})
