// A schedule fires once for each due time, within its dates, and once for what it missed while nothing ran.
import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDirectory } from './executed.ts'
import {
  HOUR_MS,
  inputs,
  MACHINE,
  MINUTE_MS,
  MOST_PENDING,
  START_MS,
  schedule,
  schedulesIn,
} from './schedules-under-test.ts'

test('nothing fires before schedules are started', async () => {
  const directory = temporaryDirectory()
  const { clock, started } = schedulesIn(directory, [schedule()])
  await clock.untilQuiet(START_MS + 5 * HOUR_MS)
  expect(started).toEqual([])
  expect(existsSync(path.join(directory, 'schedules.json'))).toBe(false)
})

test('a rate fires when it is started, and then at its rate, each time with its own time', async () => {
  const { clock, halt, schedules, started } = schedulesIn(temporaryDirectory(), [schedule()])
  schedules.start()
  schedules.start()
  await clock.untilQuiet(START_MS + 2.5 * HOUR_MS)
  halt()
  expect(started.map((start) => start.at)).toEqual([
    '2026-01-31T09:00:00',
    '2026-01-31T10:00:00',
    '2026-01-31T11:00:00',
  ])
  expect(inputs(started)).toEqual(['2026-01-31T09:00:00Z', '2026-01-31T10:00:00Z', '2026-01-31T11:00:00Z'])
  expect(new Set(started.map((start) => start.name)).size).toBe(3)
})

test('a cron fires at its local time, and no disabled schedule fires', async () => {
  const { clock, halt, schedules, started } = schedulesIn(temporaryDirectory(), [
    schedule({ expression: 'cron(30 10 * * ? *)', zone: 'Europe/Berlin' }),
    schedule({ arn: 'arn:disabled', isEnabled: false }),
  ])
  schedules.start()
  await clock.untilQuiet(START_MS + 48 * HOUR_MS)
  halt()
  expect(started.map((start) => start.at)).toEqual(['2026-01-31T09:30:00', '2026-02-01T09:30:00'])
})

test('a schedule fires only within its dates, and a rate counts from the start date', async () => {
  const startMs = START_MS + 90 * MINUTE_MS
  const { clock, halt, schedules, started } = schedulesIn(temporaryDirectory(), [
    schedule({ startMs, endMs: startMs + 2 * HOUR_MS }),
  ])
  schedules.start()
  await clock.untilQuiet(START_MS + 10 * HOUR_MS)
  halt()
  expect(started.map((start) => start.at)).toEqual([
    '2026-01-31T10:30:00',
    '2026-01-31T11:30:00',
    '2026-01-31T12:30:00',
  ])
})

test('a new schedule with a start date in the past has missed nothing', async () => {
  const { clock, halt, schedules, started } = schedulesIn(temporaryDirectory(), [
    schedule({ startMs: START_MS - 100.5 * HOUR_MS }),
  ])
  schedules.start()
  await clock.untilQuiet(START_MS + HOUR_MS)
  halt()
  expect(started.map((start) => start.at)).toEqual(['2026-01-31T09:30:00'])
})

test('a time that was missed while no process ran fires once, if it is within the maximum age', async () => {
  const directory = temporaryDirectory()
  const daily = schedule({ expression: 'cron(0/20 * * * ? *)', maxAgeSeconds: 3000 })
  const first = schedulesIn(directory, [daily])
  first.schedules.start()
  await first.clock.untilQuiet(START_MS + 5 * MINUTE_MS)
  first.halt()
  // No process ran from 09:05 to 12:05. The maximum age of 50 minutes reaches back to 11:15.
  const second = schedulesIn(directory, [daily], START_MS + 185 * MINUTE_MS)
  second.schedules.start()
  await second.clock.untilQuiet(START_MS + 190 * MINUTE_MS)
  second.halt()
  expect(first.started.map((start) => start.at)).toEqual(['2026-01-31T09:00:00'])
  expect(inputs(second.started)).toEqual(['2026-01-31T11:20:00Z', '2026-01-31T11:40:00Z', '2026-01-31T12:00:00Z'])
  const third = schedulesIn(directory, [daily], START_MS + 191 * MINUTE_MS)
  third.schedules.start()
  await third.clock.untilQuiet(START_MS + 192 * MINUTE_MS)
  third.halt()
  expect(third.started).toEqual([])
})

test('a changed schedule starts fresh', async () => {
  const directory = temporaryDirectory()
  const first = schedulesIn(directory, [schedule({ expression: 'cron(0/20 * * * ? *)' })])
  first.schedules.start()
  await first.clock.untilQuiet(START_MS + MINUTE_MS)
  first.halt()
  const second = schedulesIn(directory, [schedule({ expression: 'cron(0/10 * * * ? *)' })], START_MS + HOUR_MS + 1)
  second.schedules.start()
  await second.clock.untilQuiet(START_MS + HOUR_MS + 2)
  second.halt()
  expect(second.started).toEqual([])
})

test('a schedule that loses a past start date still fires its missed times', async () => {
  const directory = temporaryDirectory()
  const fields = { expression: 'cron(0/20 * * * ? *)' }
  const first = schedulesIn(directory, [schedule({ ...fields, startMs: START_MS })])
  first.schedules.start()
  await first.clock.untilQuiet(START_MS + MINUTE_MS)
  first.halt()
  const second = schedulesIn(directory, [schedule(fields)], START_MS + 21 * MINUTE_MS)
  second.schedules.start()
  await second.clock.untilQuiet(START_MS + 22 * MINUTE_MS)
  second.halt()
  expect(inputs([...first.started, ...second.started])).toEqual(['2026-01-31T09:00:00Z', '2026-01-31T09:20:00Z'])
})

test('a schedule fired on request uses the given time, and fires the requested number of times', async () => {
  const { clock, schedules, started } = schedulesIn(temporaryDirectory(), [schedule({ isEnabled: false })])
  schedules.fire('sweep', Date.parse('2026-01-30T12:00:00Z'), 2)
  await clock.untilQuiet()
  expect(inputs(started)).toEqual(['2026-01-30T12:00:00Z', '2026-01-30T12:00:00Z'])
  expect(() => schedules.fire('other', START_MS)).toThrow(
    expect.objectContaining({ name: 'ResourceNotFoundException' }),
  )
})

test('context attributes contain the attempt; the dead letter contains the schedule, its time and the attempts', async () => {
  const input = JSON.stringify({
    id: '<aws.scheduler.execution-id>',
    attempt: '<aws.scheduler.attempt-number>',
    arn: '<aws.scheduler.schedule-arn>',
  })
  const payloads: string[] = []
  const { clock, dead, schedules, started } = schedulesIn(
    temporaryDirectory(),
    [schedule({ input })],
    START_MS,
    ({ payload = '' }) => {
      payloads.push(payload)
      return { errorCode: 'THROTTLING' }
    },
  )
  schedules.fire('sweep', START_MS)
  await clock.untilQuiet()
  expect(started).toEqual([])
  const inputsSent = payloads.map((payload) => JSON.parse(payload) as { readonly id: string; readonly attempt: string })
  expect(inputsSent.map(({ attempt }) => attempt)).toEqual(['1', '2', '3'])
  expect(new Set(inputsSent.map(({ id }) => id)).size).toBe(3)
  expect(dead).toHaveLength(1)
  expect(dead[0]?.body).toBe(payloads[2])
  const attributes = Object.entries(dead[0]?.attributes ?? {}).map(([name, { StringValue }]) => [name, StringValue])
  expect(Object.fromEntries(attributes)).toEqual({
    ERROR_CODE: 'THROTTLING',
    ERROR_MESSAGE: 'injected',
    EXECUTION_ID: inputsSent[2]?.id,
    EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
    IS_PAYLOAD_TRUNCATED: 'false',
    RETRY_ATTEMPTS: '2',
    SCHEDULED_TIME: '2026-01-31T09:00:00Z',
    SCHEDULE_ARN: 'arn:aws:scheduler:us-east-1:123456789012:schedule/default/sweep',
    TARGET_ARN: MACHINE,
  })
})

test('a time that is due while too much is pending fires as soon as there is room', async () => {
  let isFull = true
  const hook = (): { readonly errorCode: string } | undefined => (isFull ? { errorCode: 'THROTTLING' } : undefined)
  const [slow, due] = [schedule({ arn: 'arn:slow', maxRetries: 185 }), schedule({ maxRetries: 185 })]
  const { clock, halt, schedules, started } = schedulesIn(temporaryDirectory(), [due, slow], START_MS, hook)
  schedules.fire('arn:slow', START_MS, MOST_PENDING)
  schedules.start()
  await clock.untilQuiet(START_MS + 500)
  expect(started).toEqual([])
  isFull = false
  await clock.untilQuiet(START_MS + MINUTE_MS)
  halt()
  expect(started).toHaveLength(MOST_PENDING + 2)
})

test('a target without input gets EventBridge’s own event', async () => {
  const { clock, schedules, started } = schedulesIn(temporaryDirectory(), [schedule({ input: undefined })])
  schedules.fire('sweep', START_MS)
  await clock.untilQuiet()
  expect(JSON.parse(started[0]?.input ?? '')).toMatchObject({
    'detail-type': 'Scheduled Event',
    source: 'aws.scheduler',
    time: '2026-01-31T09:00:00Z',
    detail: '{}',
  })
})

test('a file that was changed from outside is refused by name', async () => {
  const directory = temporaryDirectory()
  const file = path.join(directory, 'schedules.json')
  writeFileSync(file, '{"sched')
  expect(() => schedulesIn(directory, [schedule()])).toThrow(`${file}: is damaged`)
})
