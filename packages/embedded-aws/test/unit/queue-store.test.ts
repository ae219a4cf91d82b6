// A message of a queue is hidden, visible again, deleted and dropped as by SQS, and outlives the process.
import { appendFileSync, globSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { QueueStore } from '../../sqs/queue-store.ts'
import { temporaryDirectory } from './executed.ts'

const DEFINITION = {
  name: 'dead',
  arn: 'arn:aws:sqs:us-east-1:123456789012:dead',
  visibilityTimeoutSeconds: 30,
  retentionSeconds: 100,
}

function queueIn(directory: string) {
  const time = { nowMs: 1_000_000 }
  let serial = 0
  const clock = { nowMs: () => time.nowMs, sleep: async () => undefined }
  const queue = new QueueStore(directory, DEFINITION, clock, () => `${time.nowMs}-${++serial}`)
  const bodies = (limit = 10) => queue.receive(limit, undefined).map(({ body }) => body)
  return { bodies, queue, time }
}

test('a received message is hidden for its time, then visible again, and gone after a delete', () => {
  const { bodies, queue, time } = queueIn(temporaryDirectory())
  queue.send('a', {})
  queue.send('b', { WHY: { DataType: 'String', StringValue: 'x' } })
  expect(bodies(1)).toEqual(['a'])
  expect(bodies()).toEqual(['b'])
  expect([bodies(), queue.visibleCount()]).toEqual([[], 0])
  time.nowMs += 30_000
  const [again] = queue.receive(1, 0)
  expect(again).toMatchObject({ body: 'a', receiveCount: 2 })
  queue.delete(again?.receiptHandle ?? '')
  expect(bodies()).toEqual(['b'])
})

test('a received message becomes visible again when its receiver asks for it, but not through an older receipt', () => {
  const { bodies, queue, time } = queueIn(temporaryDirectory())
  queue.send('a', {})
  const [first] = queue.receive(1, 60)
  queue.changeVisibility(first?.receiptHandle ?? '', 0)
  expect(bodies()).toEqual(['a'])
  const change = (receiptHandle = '') => {
    try {
      return queue.changeVisibility(receiptHandle, 5)
    } catch (error) {
      return (error as Error).name
    }
  }
  expect(change(first?.receiptHandle)).toBe('ReceiptHandleIsInvalid')
  time.nowMs += 30_000
  const [again] = queue.receive(1, 60)
  expect([change(again?.receiptHandle), bodies()]).toEqual([undefined, []])
  time.nowMs += 5_000
  expect(change(again?.receiptHandle)).toBe('MessageNotInflight')
  expect(bodies()).toEqual(['a'])
})

test('messages outlive the process and are visible, a deleted message stays deleted, and an incomplete line is dropped', () => {
  const directory = temporaryDirectory()
  const first = queueIn(directory)
  for (const body of ['a', 'b', 'c']) first.queue.send(body, {})
  first.queue.delete(first.queue.receive(1, undefined)[0]?.receiptHandle ?? '')
  const [file = ''] = globSync(path.join(directory, '*.jsonl'))
  appendFileSync(file, '{"message":{"id":"torn"')
  expect(queueIn(directory).bodies()).toEqual(['b', 'c'])
})

test('a message is dropped after the queue’s retention', () => {
  const { queue, time } = queueIn(temporaryDirectory())
  queue.send('old', {})
  time.nowMs += 60_000
  queue.send('new', {})
  time.nowMs += 40_001
  expect(queue.messages().map(({ body }) => body)).toEqual(['new'])
})

test('a message over 256 KiB is refused', () => {
  const { queue } = queueIn(temporaryDirectory())
  expect(() => queue.send('x'.repeat(262_144), {})).toThrow(expect.objectContaining({ name: 'InvalidParameterValue' }))
})

test('a message that was sent while the clock was ahead is visible after the clock was set back', () => {
  const directory = temporaryDirectory()
  const ahead = queueIn(directory)
  ahead.time.nowMs += 10_000_000
  ahead.queue.send('a', {})
  expect(queueIn(directory).bodies()).toEqual(['a'])
})
