// Makes schedules on a clock of the test, with a record of what they deliver.
import path from 'node:path'
import { parseExpression } from '@sluice/schedules'
import type { DeliveryHook } from '../../delivery/deliveries.ts'
import { Deliveries } from '../../delivery/deliveries.ts'
import { type ClockSetBack, type Schedule, Schedules } from '../../schedules/schedules.ts'
import type { MessageAttribute } from '../../sqs/queue-store.ts'
import { eventClock } from './event-clock.ts'

export const MACHINE = 'arn:aws:states:us-east-1:123456789012:stateMachine:Sweep'
export const START_MS = Date.parse('2026-01-31T09:00:00Z')
export const MINUTE_MS = 60_000
/** Number of pending deliveries that the tests allow. */
export const MOST_PENDING = 50
export const HOUR_MS = 3_600_000

export function schedule(fields: Partial<Schedule> = {}): Schedule {
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

export function schedulesIn(directory: string, all: readonly Schedule[], startMs = START_MS, hook?: DeliveryHook) {
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
    enqueue: () => undefined,
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
    onClockSetBack: (setBack) => void setBacks.push(setBack),
  })
  deliveries.resume()
  const halt = () => {
    schedules.halt()
    deliveries.halt()
  }
  return { clock, dead, deliveries, halt, schedules, setBacks, started }
}

export const inputs = (started: readonly { readonly input: string }[]) =>
  started.map(({ input }) => (JSON.parse(input) as { readonly time: string }).time)
