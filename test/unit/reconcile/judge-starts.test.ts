// The audit reports each start of a schedule that did not happen, once.
import { expect, test } from 'vitest'
import type { Schedule } from '../../../core/contract/policies.ts'
import { scheduledName } from '../../../core/triggers/scheduled-name.ts'
import { judgeStarts } from '../../../functions/reconcile/judge-starts.ts'

const NOON = Date.parse('2026-11-02T12:00:00Z')
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const schedule = (expression: string, more: Partial<Schedule> = {}): Schedule => ({
  ...{ expression, timeZone: 'UTC', retries: 3, maxEventAgeSeconds: 900 },
  ...more,
})

/** `startedAt`: the due times that have a run. */
async function judged(
  expression: string | Schedule,
  startedAt: readonly string[],
  { sinceMs = NOON, throughMs = NOON + HOUR_MS } = {},
) {
  const known = new Set(startedAt.map((time) => scheduledName('core', time)))
  const messages: string[] = []
  let reads = 0
  const schedules = [['core', typeof expression === 'string' ? schedule(expression) : expression]] as const
  await judgeStarts(
    { sinceMs, throughMs },
    {
      schedules,
      hasRun: async (runId) => {
        reads += 1
        return known.has(runId)
      },
      tellLate: ({ message }) => void messages.push(message),
    },
  )
  return { messages, reads }
}

const at = (time: string) => `2026-11-02T${time}:00Z`

test('a due time without a run is reported, by the policy and the time', async () => {
  expect((await judged('rate(1 hour)', [at('12:00')])).messages).toEqual([
    'the policy core was due at 2026-11-02T13:00:00.000Z, and no run of it began',
  ])
})

test('a due time that has a run is not reported, nor is a due time outside the judged span', async () => {
  expect((await judged('rate(1 hour)', [at('12:00'), at('13:00')])).messages).toEqual([])
  expect((await judged('cron(30 14 * * ? *)', ['2026-11-01T14:30:00Z'])).messages).toEqual([])
})

test('several due times in one audit are one line', async () => {
  expect((await judged('rate(15 minutes)', [at('12:00'), at('12:15')])).messages).toEqual([
    'the policy core was due 3 times of 4, first at 2026-11-02T12:30:00.000Z, and no run of it began',
  ])
})

test('a policy that keeps missing starts is reported once, and a later miss again', async () => {
  expect((await judged('rate(15 minutes)', [])).messages).toEqual([])
  expect((await judged('rate(15 minutes)', [at('12:30')])).messages).toEqual([
    'the policy core was due 2 times of 4, first at 2026-11-02T12:45:00.000Z, and no run of it began',
  ])
})

test('a policy that is due once a month is missed by the month before', async () => {
  const monthly = 'cron(30 12 2 * ? *)'
  expect((await judged(monthly, ['2026-10-02T12:30:00Z'])).messages).toEqual([
    expect.stringContaining('2026-11-02T12:30'),
  ])
  expect((await judged(monthly, [])).messages).toEqual([])
})

test('nobody misses a first due time, or one after the end of the schedule', async () => {
  expect((await judged(schedule('rate(1 hour)', { start: at('13:00') }), [])).messages).toEqual([])
  expect((await judged(schedule('rate(1 hour)', { end: at('12:30') }), [at('12:00')])).messages).toEqual([])
})

test('after a week without an audit it reads a bounded number of runs', async () => {
  const { reads } = await judged('rate(1 minute)', [], { throughMs: NOON + 7 * 24 * HOUR_MS })
  expect(reads).toBeLessThanOrEqual(101)
})
