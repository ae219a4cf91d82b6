// The doctor finds timing with which an attempt could not end, and the defaults have none.
import { expect, test } from 'vitest'
import { type Timing, timing } from '../../../../core/contract/timing.ts'
import { timingChecks } from '../../../../operations/doctor/timing-checks.ts'

const checked = (changes: Partial<Timing> = {}) => timingChecks({ ...timing.parse({}), ...changes })

test('the defaults are consistent', () => {
  expect(checked()).toEqual([
    {
      check: 'guards',
      status: 'ok',
      detail: 'a lost order is certified after 165 s; an order under way is polled for 4615 s',
      next: null,
    },
  ])
})

test.each<[string, Partial<Timing>, 'warn' | 'fail', RegExp]>([
  ['a first wait beyond the longest', { pollFirstWaitSeconds: 200 }, 'fail', /pollFirstWaitSeconds is 200/],
  ['a poll limit shorter than a fence', { pollWaits: 2 }, 'fail', /polled for 75 s, and a fence takes up to 165 s/],
  ['no polls at all', { pollWaits: 0 }, 'fail', /polled for 0 s/],
  [
    'an intent that ends within a fence',
    { intentLifeSeconds: 150 },
    'warn',
    /lives 150 s and a fence takes up to 165 s/,
  ],
  ['a margin that leaves nothing of a quote', { quoteMarginMs: 4000 }, 'warn', /1000 ms are left/],
  ['no leeway', { leewaySeconds: 0 }, 'warn', /timing.leewaySeconds is 0/],
  [
    'a visibility below the default',
    { visibilitySeconds: 59 },
    'warn',
    /timing.visibilitySeconds is 59: a service that works/,
  ],
  [
    'the same of orders',
    { orderVisibilitySeconds: 59 },
    'warn',
    /timing.orderVisibilitySeconds is 59: a service that works/,
  ],
])('%s is reported', (_what, changes, status, detail) => {
  expect(checked(changes)).toEqual([
    { check: 'guards', status, detail: expect.stringMatching(detail), next: expect.any(String) },
  ])
})

test('an intent with a single attempt may end within a fence', () => {
  expect(checked({ intentLifeSeconds: 30, attempts: 1 })).toMatchObject([{ status: 'ok' }])
})
