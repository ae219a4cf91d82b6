import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { parseExpression } from '../../../schedules/schedule-expression.ts'
import { Deliveries } from '../../delivery/deliveries.ts'
import type { DeliveryHook } from '../../delivery/delivery.ts'
import { type ClockSetBack, type Schedule, Schedules } from '../../schedules/schedules.ts'
import type { MessageAttribute } from '../../sqs/queue-store.ts'
import { eventClock } from './event-clock.ts'
import { temporaryDirectory } from './executed.ts'

const MACHINE = 'arn:aws:states:us-east-1:123456789012:stateMachine:Sweep'
const START_MS = Date.parse('2026-01-31T09:00:00Z')
const MINUTE_MS = 60_000
/** Deliveries. */
const MOST_PENDING = 50
const HOUR_MS = 3_600_000

function schedule(fields: Partial<Schedule> = {}): Schedule {
  const { expression = 'rate(1 hour)', zone = 'UTC' } = fields
  return {
    name: 'sweep',
    group: 'default',
    arn: 'arn:aws:scheduler:us-east-1:123456789012:schedule/default/sweep',
    expression,
    zone,
    timing: parseExpression(expression, zone),
    isEnabled: true,
    startMs: undefined,
    endMs: undefined,
    input: '{"time":"<aws.scheduler.scheduled-time>"}',
    targetArn: MACHINE,
    roleArn: 'arn:aws:iam::123456789012:role/schedule',
    deadLetterArn: 'arn:aws:sqs:us-east-1:123456789012:dead',
    maxRetries: 2,
    maxAgeSeconds: 3600,
    ...fields,
  }
}

function schedulesIn(directory: string, all: readonly Schedule[], startMs = START_MS, hook?: DeliveryHook) {
  const clock = eventClock(startMs)
  const started: { readonly at: string; readonly name: string; readonly input: string }[] = []
  const dead: { readonly body: string; readonly attributes: Readonly<Record<string, MessageAttribute>> }[] = []
  const setBacks: ClockSetBack[] = []
  let serial = 0
  const newId = () => `id-${startMs}-${++serial}`
  const at = () => new Date(clock.nowMs()).toISOString().slice(0, 19)
  const deliveries = new Deliveries({
    file: path.join(directory, 'deliveries.jsonl'),
    clock,
    random: () => 1,
    mostPending: MOST_PENDING,
    newId,
    hook,
    invokeLater: () => undefined,
    startExecution: (_arn, name, input) => void started.push({ at: at(), name, input }),
    sendMessage: (_arn, body, attributes) => void dead.push({ body, attributes }),
  })
  const schedules = new Schedules({
    schedules: all,
    account: '123456789012',
    region: 'us-east-1',
    file: path.join(directory, 'schedules.json'),
    deliveries,
    clock,
    newId,
    onClockSetBack: (each) => void setBacks.push(each),
  })
  deliveries.resume()
  const halt = () => {
    schedules.halt()
    deliveries.halt()
  }
  return { clock, dead, deliveries, halt, schedules, setBacks, started }
}

const inputs = (started: readonly { readonly input: string }[]) =>
  started.map(({ input }) => (JSON.parse(input) as { readonly time: string }).time)

test('nothing fires before schedules are started', async () => {
  const directory = temporaryDirectory()
  const { clock, started } = schedulesIn(directory, [schedule()])
  await clock.untilQuiet(START_MS + 5 * HOUR_MS)
  expect(started).toEqual([])
  expect(existsSync(path.join(directory, 'schedules.json'))).toBe(false)
})

test('a rate fires when it is started, and then at its rate; each names its own time', async () => {
  const { clock, halt, schedules, started } = schedulesIn(temporaryDirectory(), [schedule()])
  schedules.start()
  schedules.start()
  await clock.untilQuiet(START_MS + 2.5 * HOUR_MS)
  halt()
  expect(started.map((each) => each.at)).toEqual(['2026-01-31T09:00:00', '2026-01-31T10:00:00', '2026-01-31T11:00:00'])
  expect(inputs(started)).toEqual(['2026-01-31T09:00:00Z', '2026-01-31T10:00:00Z', '2026-01-31T11:00:00Z'])
  expect(new Set(started.map((each) => each.name)).size).toBe(3)
})

test('a cron fires at its local time, and no disabled schedule fires', async () => {
  const { clock, halt, schedules, started } = schedulesIn(temporaryDirectory(), [
    schedule({ expression: 'cron(30 10 * * ? *)', zone: 'Europe/Berlin' }),
    schedule({ arn: 'arn:disabled', isEnabled: false }),
  ])
  schedules.start()
  await clock.untilQuiet(START_MS + 48 * HOUR_MS)
  halt()
  expect(started.map((each) => each.at)).toEqual(['2026-01-31T09:30:00', '2026-02-01T09:30:00'])
})

test('a schedule fires only within its dates, and a rate counts from the first', async () => {
  const startMs = START_MS + 90 * MINUTE_MS
  const { clock, halt, schedules, started } = schedulesIn(temporaryDirectory(), [
    schedule({ startMs, endMs: startMs + 2 * HOUR_MS }),
  ])
  schedules.start()
  await clock.untilQuiet(START_MS + 10 * HOUR_MS)
  halt()
  expect(started.map((each) => each.at)).toEqual(['2026-01-31T10:30:00', '2026-01-31T11:30:00', '2026-01-31T12:30:00'])
})

test('a new schedule has missed nothing, though its first date is long past', async () => {
  const { clock, halt, schedules, started } = schedulesIn(temporaryDirectory(), [
    schedule({ startMs: START_MS - 100.5 * HOUR_MS }),
  ])
  schedules.start()
  await clock.untilQuiet(START_MS + HOUR_MS)
  halt()
  expect(started.map((each) => each.at)).toEqual(['2026-01-31T09:30:00'])
})

test('what was missed while nothing ran fires once, if it is within its maximum age', async () => {
  const directory = temporaryDirectory()
  const daily = schedule({ expression: 'cron(0/20 * * * ? *)', maxAgeSeconds: 3000 })
  const first = schedulesIn(directory, [daily])
  first.schedules.start()
  await first.clock.untilQuiet(START_MS + 5 * MINUTE_MS)
  first.halt()
  // Down from 09:05 to 12:05; 50 minutes reach back to 11:15.
  const second = schedulesIn(directory, [daily], START_MS + 185 * MINUTE_MS)
  second.schedules.start()
  await second.clock.untilQuiet(START_MS + 190 * MINUTE_MS)
  second.halt()
  expect(first.started.map((each) => each.at)).toEqual(['2026-01-31T09:00:00'])
  expect(inputs(second.started)).toEqual(['2026-01-31T11:20:00Z', '2026-01-31T11:40:00Z', '2026-01-31T12:00:00Z'])
  const third = schedulesIn(directory, [daily], START_MS + 191 * MINUTE_MS)
  third.schedules.start()
  await third.clock.untilQuiet(START_MS + 192 * MINUTE_MS)
  third.halt()
  expect(third.started).toEqual([])
})

test('a schedule that has changed begins anew', async () => {
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

test('a schedule whose start date goes, once it has passed, has still missed what it missed', async () => {
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

test('a schedule fired by hand names the time it is given, and fires as often as asked', async () => {
  const { clock, schedules, started } = schedulesIn(temporaryDirectory(), [schedule({ isEnabled: false })])
  schedules.fire('sweep', Date.parse('2026-01-30T12:00:00Z'), 2)
  await clock.untilQuiet()
  expect(inputs(started)).toEqual(['2026-01-30T12:00:00Z', '2026-01-30T12:00:00Z'])
  expect(() => schedules.fire('other', START_MS)).toThrow(
    expect.objectContaining({ name: 'ResourceNotFoundException' }),
  )
})

test('context attributes tell the attempt; the dead letter tells the schedule, its time and the attempts', async () => {
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
  const told = payloads.map((payload) => JSON.parse(payload) as { readonly id: string; readonly attempt: string })
  expect(told.map(({ attempt }) => attempt)).toEqual(['1', '2', '3'])
  expect(new Set(told.map(({ id }) => id)).size).toBe(3)
  expect(dead).toHaveLength(1)
  expect(dead[0]?.body).toBe(payloads[2])
  const attributes = Object.entries(dead[0]?.attributes ?? {}).map(([name, { StringValue }]) => [name, StringValue])
  expect(Object.fromEntries(attributes)).toEqual({
    ERROR_CODE: 'THROTTLING',
    ERROR_MESSAGE: 'injected',
    EXECUTION_ID: told[2]?.id,
    EXHAUSTED_RETRY_CONDITION: 'MaximumRetryAttempts',
    IS_PAYLOAD_TRUNCATED: 'false',
    RETRY_ATTEMPTS: '2',
    SCHEDULED_TIME: '2026-01-31T09:00:00Z',
    SCHEDULE_ARN: 'arn:aws:scheduler:us-east-1:123456789012:schedule/default/sweep',
    TARGET_ARN: MACHINE,
  })
})

test('a time that is due while too much is pending is owed as soon as there is room', async () => {
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

test('a target without input is given EventBridge’s own event', async () => {
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

/** `at`: of a time that is due, as the payload names it. */
const hour = (at: string) => `2026-01-31T${at}:00Z`

describe('a clock that was ahead', () => {
  const hourly = schedule({ expression: 'cron(0 * * * ? *)' })

  test('for one start by years silences nothing: what is due goes by the new time, and is told once', async () => {
    const directory = temporaryDirectory()
    const other = schedule({ arn: 'arn:other', name: 'other', expression: 'rate(1 hour)' })
    const first = schedulesIn(directory, [hourly, other])
    first.schedules.start()
    await first.clock.untilQuiet(START_MS + 90 * MINUTE_MS)
    first.halt()
    const aheadMs = Date.parse('2030-06-01T12:30:00Z')
    const ahead = schedulesIn(directory, [hourly, other], aheadMs)
    ahead.schedules.start()
    await ahead.clock.untilQuiet(aheadMs + 40 * MINUTE_MS)
    ahead.halt()
    const right = schedulesIn(directory, [hourly, other], START_MS + 130 * MINUTE_MS)
    right.schedules.start()
    await right.clock.untilQuiet(START_MS + 310 * MINUTE_MS)
    right.halt()
    const both = (times: readonly string[]) => times.flatMap((time) => [time, time])
    expect(inputs(first.started)).toEqual(both([hour('09:00'), hour('10:00')]))
    expect(inputs(ahead.started)).toEqual(both(['2030-06-01T12:00:00Z', '2030-06-01T13:00:00Z']))
    // 11:00 was missed while the clock was ahead.
    expect(inputs(right.started)).toEqual(both(['11:00', '12:00', '13:00', '14:00'].map(hour)))
    expect(right.setBacks).toEqual([{ fromMs: Date.parse('2030-06-01T13:00:00Z'), toMs: START_MS + 130 * MINUTE_MS }])
    const again = schedulesIn(directory, [hourly, other], START_MS + 311 * MINUTE_MS)
    again.schedules.start()
    await again.clock.untilQuiet(START_MS + 365 * MINUTE_MS)
    again.halt()
    expect(inputs(again.started)).toEqual(both([hour('15:00')]))
    expect(again.setBacks).toEqual([])
  })

  test('by hours does nothing twice that was done while it was', async () => {
    const directory = temporaryDirectory()
    const ahead = schedulesIn(directory, [hourly])
    ahead.schedules.start()
    await ahead.clock.untilQuiet(START_MS + 190 * MINUTE_MS)
    ahead.halt()
    const right = schedulesIn(directory, [hourly], START_MS + 70 * MINUTE_MS)
    right.schedules.start()
    await right.clock.untilQuiet(START_MS + 310 * MINUTE_MS)
    right.halt()
    expect(inputs(ahead.started)).toEqual(['09:00', '10:00', '11:00', '12:00'].map(hour))
    expect(inputs(right.started)).toEqual(['13:00', '14:00'].map(hour))
    expect(right.setBacks).toHaveLength(1)
  })

  test('is seen while schedules are kept, and each time still comes once', async () => {
    const { clock, halt, schedules, setBacks, started } = schedulesIn(temporaryDirectory(), [hourly])
    schedules.start()
    await clock.untilQuiet(START_MS + 90 * MINUTE_MS)
    clock.set(START_MS + 50 * MINUTE_MS)
    await clock.untilQuiet(START_MS + 130 * MINUTE_MS)
    expect(inputs(started)).toEqual(['09:00', '10:00', '11:00'].map(hour))
    expect(setBacks).toHaveLength(1)
    // Ahead by two months, back again, and nothing is silent until then.
    clock.set(START_MS + 1500 * HOUR_MS + 1)
    await clock.untilQuiet(clock.nowMs() + 5 * MINUTE_MS)
    clock.set(START_MS + 140 * MINUTE_MS)
    const before = started.length
    await clock.untilQuiet(START_MS + 250 * MINUTE_MS)
    halt()
    expect(inputs(started.slice(before))).toEqual(['12:00', '13:00'].map(hour))
    expect(setBacks).toHaveLength(2)
  })

  test('by less than a minute is nothing to tell', async () => {
    const directory = temporaryDirectory()
    const first = schedulesIn(directory, [hourly])
    first.schedules.start()
    await first.clock.untilQuiet(START_MS + MINUTE_MS / 2)
    first.halt()
    const second = schedulesIn(directory, [hourly], START_MS - MINUTE_MS / 2)
    second.schedules.start()
    await second.clock.untilQuiet(START_MS + 61 * MINUTE_MS)
    second.halt()
    expect(inputs(second.started)).toEqual([hour('10:00')])
    expect(second.setBacks).toEqual([])
  })

  test('is known from a file of before, too', async () => {
    const directory = temporaryDirectory()
    const first = schedulesIn(directory, [hourly])
    first.schedules.start()
    await first.clock.untilQuiet(START_MS + MINUTE_MS)
    first.halt()
    const file = path.join(directory, 'schedules.json')
    const [[arn, kept]] = Object.entries(JSON.parse(readFileSync(file, 'utf8'))) as [[string, { hash: string }]]
    const lastMs = Date.parse('2030-06-01T12:00:00Z')
    writeFileSync(file, JSON.stringify({ [arn]: { hash: kept.hash, createdMs: START_MS, lastMs } }))
    const second = schedulesIn(directory, [hourly], START_MS + 70 * MINUTE_MS)
    second.schedules.start()
    await second.clock.untilQuiet(START_MS + 130 * MINUTE_MS)
    second.halt()
    expect(inputs(second.started)).toContain(hour('11:00'))
    expect(second.setBacks).toHaveLength(1)
  })
})

test('a file that something else has changed is refused by its name', async () => {
  const directory = temporaryDirectory()
  const file = path.join(directory, 'schedules.json')
  writeFileSync(file, '{"sched')
  expect(() => schedulesIn(directory, [schedule()])).toThrow(`${file}: is damaged`)
})
