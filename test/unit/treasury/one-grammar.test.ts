// The check of treasury.json, `sluice policies` and the embedded AWS judge an expression alike. An accepted expression
// ends no command, and the others would have refused a refused one too.

import { loadParts, Refusal } from '@sluice/embedded-aws'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { treasury } from '../../../core/contract/treasury.ts'
import { scheduledTick } from '../../../core/treasury/due-times.ts'
import { findPolicyFaults } from '../../../core/treasury/policy-rules.ts'
import { nextStart } from '../../../operations/overview/policy-rows.ts'
import { ACCEPTED, AFTER, REFUSED } from '../../../packages/schedules/test/grammar-table.ts'

const { readSchedule, Fields } = await loadParts()

const AFTER_MS = Date.parse(AFTER)

interface Written {
  readonly expression: string
  readonly timeZone: string
}

/** The faults of treasury.json with this schedule, by the shape of the file and the check across fields. */
function checked(schedule: Written) {
  const policy = { kind: 'sweep', rules: [{ assets: ['BTC'], contactId: 'cold' }], schedule }
  const service = { url: 'https://a.example', stage: 'test' }
  const parsed = treasury.safeParse({ service, policies: { a: policy } })
  if (!parsed.success) return { faults: parsed.error.issues, schedule: undefined }
  return { faults: findPolicyFaults(parsed.data), schedule: parsed.data.policies.a?.schedule }
}

/** Undefined if the embedded AWS refuses the assembly. */
function embedded({ expression, timeZone }: Written) {
  const target = { Arn: 'arn:aws:lambda:eu-west-1:1:function:f', RoleArn: 'arn:aws:iam::1:role/r', Input: '{}' }
  const retries = { RetryPolicy: { MaximumEventAgeInSeconds: 900, MaximumRetryAttempts: 3 } }
  const properties = {
    ...{ FlexibleTimeWindow: { Mode: 'OFF' }, Target: { ...target, ...retries } },
    ...{ ScheduleExpression: expression, ScheduleExpressionTimezone: timeZone },
  }
  try {
    return readSchedule(new Fields(properties, 'Thing'), { arn: 'arn:a/g/n', name: 'n', path: 'n' })
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}

function agreeOn(written: Written): boolean {
  const { faults, schedule } = checked(written)
  const here = embedded(written)
  expect(here !== undefined, JSON.stringify(faults)).toBe(faults.length === 0)
  if (schedule === undefined || here === undefined) return false
  const next = nextStart(schedule, AFTER_MS)
  const nextMs = here.timing.nextMs(AFTER_MS, AFTER_MS)
  const minute = nextMs === undefined ? undefined : new Date(Math.floor(nextMs / 60_000) * 60_000).toISOString()
  // A rate counts from the creation of a schedule, and in treasury.json from midnight.
  if (!written.expression.startsWith('rate(')) expect(next).toBe(minute)
  const tick = scheduledTick(schedule)
  expect(embedded(tick), `${written.expression} ticks as ${tick.expression}`).toBeDefined()
  return true
}

test.each(ACCEPTED)('every reader of schedules accepts $expression in $zone', ({ expression, zone = 'UTC' }) => {
  expect(agreeOn({ expression, timeZone: zone })).toBe(true)
})

test.each(REFUSED)('every reader of schedules refuses $expression in $zone', ({ expression, zone = 'UTC' }) => {
  expect(agreeOn({ expression, timeZone: zone })).toBe(false)
})

test('all readers of schedules agree on any input (property)', () => {
  const items = fc.constantFrom(
    '*',
    '?',
    'L',
    'LW',
    '6L',
    '15W',
    '3#2',
    'MON',
    'FRI-MON',
    '1-5',
    '*/2',
    '0/15',
    '31',
    '0',
  )
  const crons = fc.array(items, { minLength: 5, maxLength: 7 }).map((fields) => `cron(${fields.join(' ')})`)
  const sound = fc.tuple(fc.nat(70), fc.nat(30), items).map(([m, h, day]) => `cron(${m} ${h} ${day} * ? *)`)
  const spans = fc.string({ unit: fc.constantFrom(...'0159 minuteshoursdays-:T'), maxLength: 20 })
  const texts = fc.tuple(fc.constantFrom('rate', 'at', 'cron'), spans).map(([kind, text]) => `${kind}(${text})`)
  const zones = fc.constantFrom('UTC', 'Europe/Berlin', 'Mars/Base', 'US/Eastern', '+02:00')
  fc.assert(
    fc.property(fc.oneof(crons, sound, texts, fc.string()), zones, (expression, timeZone) => {
      agreeOn({ expression, timeZone })
    }),
    { numRuns: 1_000 },
  )
})
