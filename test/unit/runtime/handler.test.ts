// A function answers or throws in known shapes, and its log line and errors show nothing private.
import { inspect } from 'node:util'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { awsFault } from '../../../core/aws-fault.ts'
import { Defect, KeyFault, Refused, Transient } from '../../../core/errors.ts'
import { frameHandler } from '../../../functions/runtime/handler.ts'
import { catchLogLines } from '../../helpers/log-lines.ts'

const event = { intentId: 'intent-1' }
const schema = z.object({ intentId: z.string() })
const handlerOf = (decide: () => Promise<{ outcome: string }>) => frameHandler('quote', schema, decide)
const failing = (error: unknown) => handlerOf(() => Promise.reject(error))
const CANARY = 'svc_test_CanarySecret0000000000000000000000000'

let lines: string[]
beforeEach(() => {
  lines = catchLogLines()
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

test('an answer goes out unchanged, and one line reports its outcome and nothing else of it', async () => {
  const answer = { outcome: 'FILLED', amount: '1' }
  expect(await handlerOf(async () => answer)(event)).toBe(answer)
  const circumstances = { timestamp: expect.any(String), cold_start: expect.any(Boolean) }
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { level: 'info', verb: 'quote', intentId: 'intent-1', outcome: 'FILLED', ...circumstances },
  ])
})

test.each([new Transient('later'), new Refused('no'), new KeyFault('another key'), new Defect('bug')])(
  'an error of the closed set goes out unchanged, and is reported in one line: %s',
  async (error) => {
    expect(await caughtFrom(failing(error)(event))).toBe(error)
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      expect.objectContaining({
        ...{ level: 'error', verb: 'quote', intentId: 'intent-1' },
        ...{ error: error.name, message: error.message },
      }),
    ])
  },
)

test('an event of another shape is refused by its field, and the decision is not called', async () => {
  const decide = vi.fn(async () => ({ outcome: 'FILLED' }))
  const error = await caughtFrom(handlerOf(decide)({ intentId: 7 }))
  expect([error.name, error.message]).toEqual(['Refused', 'quote.intentId: expected a value of type string'])
  expect(decide).not.toHaveBeenCalled()
})

describe('any other error becomes a defect that names the fault and its place, without its message', () => {
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

test('a defect names the code of its fault', async () => {
  const broken = Object.assign(new Error(CANARY), { code: 'ECONNREFUSED' })
  const error = await caughtFrom(failing(broken)(event))
  expect(error.message).toMatch(/^quote broke: Error \(ECONNREFUSED\) at /)
})

test('a fault of AWS leaves the function without the text of its cause, however the runtime prints it', async () => {
  const cause = Object.assign(new Error(CANARY), { name: 'TimeoutError', code: 'ECONNRESET', $response: CANARY })
  const error = await caughtFrom(failing(awsFault('the journal did not answer a read', cause))(event))
  expect(error).toMatchObject({ name: 'Transient', message: 'the journal did not answer a read (ECONNRESET)' })
  expect([inspect(error, { depth: 9, showHidden: true }), ...lines].join()).not.toContain('Canary')
  expect(lines).toHaveLength(1)
})

describe('a line', () => {
  const parsed = () => lines.map((line) => JSON.parse(line))
  const SECRET = 'svc_live_HostileSecret000000000000000000000000'

  test('names its call and its execution', async () => {
    const answer = { outcome: 'QUOTED', attempts: 2 }
    await frameHandler('quote', z.object({}), async () => answer)({ execution: 'a-1_2' }, { awsRequestId: 'r-1' })
    expect(parsed()).toEqual([
      expect.objectContaining({
        requestId: 'r-1',
        execution: 'a-1_2',
        intentId: 'a-1_2',
        attempt: 2,
        outcome: 'QUOTED',
      }),
    ])
  })

  test('counts an error by its meaning, under the namespace of the deployment', async () => {
    vi.stubEnv('AWS_LAMBDA_FUNCTION_NAME', 'live-sluice-poll-order')
    await caughtFrom(failing(new KeyFault('revoked'))(event))
    vi.unstubAllEnvs()
    const [line] = parsed()
    expect(line).toMatchObject({ KeyFaults: 1, OwnFaults: 1, verb: line.Verb })
    expect(line).not.toHaveProperty('Defects')
    expect(line._aws.CloudWatchMetrics).toEqual(
      ['KeyFaults', 'OwnFaults'].map((Name) => ({
        Namespace: 'live-Sluice',
        Dimensions: [[], ['Verb']],
        Metrics: [{ Name, Unit: 'Count' }],
      })),
    )
  })

  test('counts a faulty key in an answer, by its function', async () => {
    for (const keyAtFault of [true, undefined])
      await frameHandler('order', z.unknown(), async () => ({ outcome: 'PROCESSING', keyAtFault }))(event)
    const [line, without] = parsed()
    expect(line).toMatchObject({ KeyFaults: 1, verb: 'order', Verb: 'order' })
    expect(line).not.toHaveProperty('OwnFaults')
    expect(without).not.toHaveProperty('KeyFaults')
  })

  test.each<[string, unknown]>([
    ['an invalid id', { intentId: SECRET.replaceAll('_', '.'), key: SECRET }],
    ['an execution with more behind it', { intentId: 'intent-1', execution: `a-1 ${SECRET}` }],
    ['ids that are objects', { intentId: { toString: () => SECRET, secret: SECRET } }],
    ['headers and a body', { intentId: 'intent-1', headers: { authorization: `Bearer ${SECRET}` }, body: SECRET }],
    ['a line break and a text like a line of ours', { intentId: `a\n{"_aws":{"secret":"${SECRET}"}}` }],
    ['a text', SECRET],
    ['a list', [SECRET]],
    ['nothing', null],
  ])('shows nothing of an event with %s', async (_what, hostile) => {
    const answer = { outcome: 'FILLED', why: SECRET, fills: [{ id: SECRET }], bankReference: SECRET, legs: [SECRET] }
    const any = frameHandler('quote', z.unknown(), async () => answer)
    await any(hostile, { awsRequestId: `r ${SECRET}` })
    await caughtFrom(frameHandler('quote', z.unknown(), () => Promise.reject(new Error(SECRET)))(hostile))
    await caughtFrom(frameHandler('quote', z.object({ a: z.string() }), async () => answer)(hostile))
    expect(lines.join()).not.toContain('Hostile')
    for (const line of lines) expect(Object.keys(JSON.parse(line))).toEqual(expect.arrayContaining(['level', 'verb']))
  })
})
