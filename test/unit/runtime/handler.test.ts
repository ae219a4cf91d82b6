import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { Defect, KeyFault, Refused, Transient } from '../../../core/errors.ts'
import { frameHandler } from '../../../functions/runtime/handler.ts'

const event = { intentId: 'intent-1' }
const schema = z.object({ intentId: z.string() })
const handlerOf = (decide: () => Promise<{ outcome: string }>) => frameHandler('quote', schema, decide)
const failing = (error: unknown) => handlerOf(() => Promise.reject(error))
const CANARY = 'svc_test_CanarySecret0000000000000000000000000'

let lines: string[]
beforeEach(() => {
  lines = []
  vi.spyOn(console, 'log').mockImplementation((line: string) => void lines.push(line))
})
afterEach(() => {
  vi.restoreAllMocks()
})

async function caughtFrom(call: Promise<unknown>): Promise<Error> {
  return call.then(
    () => expect.unreachable('it did not throw'),
    (error: Error) => error,
  )
}

test('an answer goes out as it is, and one line tells its outcome and nothing else of it', async () => {
  const answer = { outcome: 'FILLED', amount: '1' }
  expect(await handlerOf(async () => answer)(event)).toBe(answer)
  expect(lines).toEqual(['{"level":"info","verb":"quote","intentId":"intent-1","outcome":"FILLED"}'])
})

test.each([new Transient('later'), new Refused('no'), new KeyFault('another key'), new Defect('bug')])(
  'an error of the closed set goes out as it is, and is told in one line: %s',
  async (error) => {
    expect(await caughtFrom(failing(error)(event))).toBe(error)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { level: 'error', verb: 'quote', intentId: 'intent-1', error: error.name, message: error.message },
    ])
  },
)

test('an event of another shape is refused by its field, and the decision is not asked', async () => {
  const decide = vi.fn(async () => ({ outcome: 'FILLED' }))
  const error = await caughtFrom(handlerOf(decide)({ intentId: 7 }))
  expect([error.name, error.message]).toEqual(['Refused', 'quote.intentId: expected a value of type string'])
  expect(decide).not.toHaveBeenCalled()
})

describe('anything else becomes a defect that says what broke and where, without its message', () => {
  test.each<[string, unknown]>([
    ['an error', new TypeError(`no ${CANARY}`)],
    ['an error whose message looks like places', new Error(`no\n    at ${CANARY}\n    at ${CANARY} (file.ts:1:1)`)],
    ['an error whose message was changed', Object.assign(new Error(`no\n    at ${CANARY}`), { message: 'changed' })],
    ['an error that carries more', Object.assign(new Error('no'), { secret: CANARY, cause: new Error(CANARY) })],
    ['a text', CANARY],
    ['an object', { secret: CANARY }],
    ['nothing', undefined],
  ])('%s', async (_, thrown) => {
    const error = await caughtFrom(failing(thrown)(event))
    expect(error.name).toBe('Defect')
    expect(error.message).toMatch(/^quote broke: /)
    expect([error.message, error.stack, JSON.stringify(error), ...lines].join()).not.toContain('Canary')
    expect(error.cause).toBeUndefined()
    expect(lines).toHaveLength(1)
  })

  test('with the first place of its stack', async () => {
    const error = await caughtFrom(failing(new RangeError('secret'))(event))
    expect(error.message).toMatch(/^quote broke: RangeError at .*handler\.test\.ts:\d+:\d+\)?$/)
  })
})
