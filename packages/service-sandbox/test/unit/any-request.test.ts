// Any request gets an answer below 500, and every failure is a problem document.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cases } from '../../../../test/helpers/cases.ts'
import { PROFILES } from '../../service/profiles.ts'
import { ACTIONS } from '../../service/routes.ts'
import { Service } from '../../service/service.ts'
import { NOBODY, World } from '../../service/world.ts'

const nowMs = 1_800_000_000_000
const world = new World({ seed: 'sluice', openedAtMs: nowMs }, { nowMs: () => nowMs }, PROFILES.prompt.pace, NOBODY)
const defects: unknown[] = []
const service = new Service(world, (error) => defects.push(error))
const { secret, prefix } = world.keys.issued().full

const word = fc.oneof(
  fc.constantFrom(
    'USD',
    'BTC',
    'nvdax',
    'BTC-USDC',
    'BUY',
    '1',
    '0.5',
    '100',
    'base',
    'day',
    '2027-01-01',
    '..',
    '%2e',
    '%',
  ),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const path = fc.oneof(
  fc
    .tuple(fc.constantFrom(...ACTIONS.map((action) => action.path)), word)
    .map(([template, value]) => template.replace(/\{\w+\}/g, encodeURIComponent(value.toWellFormed()))),
  fc.array(word, { maxLength: 5 }).map((segments) => `/${segments.join('/')}`),
)
const names = [
  ...new Set(
    ACTIONS.flatMap((action) => [...Object.keys(action.query.shape), ...Object.keys(action.body?.shape ?? {})]),
  ),
]
const name = fc.oneof(fc.constantFrom(...names), fc.constantFrom('__proto__', 'constructor', 'toString'), word)
const query = fc
  .array(fc.tuple(name, word), { maxLength: 4 })
  .map((pairs) => pairs.map(([key, value]) => `${key}=${value}`).join('&'))
const body = fc.oneof(
  fc
    .dictionary(name, fc.oneof(word, fc.jsonValue()), { maxKeys: 7, noNullPrototype: true })
    .map((value) => JSON.stringify(value)),
  fc.json(),
  fc.string({ unit: 'binary' }),
)
const headers = fc.record(
  {
    authorization: fc.oneof(
      { weight: 4, arbitrary: fc.constant(`Bearer ${secret}`) },
      {
        weight: 1,
        arbitrary: fc.array(fc.base64String(), { maxLength: 4 }).map((parts) => `Bearer ${parts.join('.')}`),
      },
      { weight: 1, arbitrary: word },
    ),
    'x-api-key': fc.constantFrom(prefix, secret, ''),
    'content-type': fc.constantFrom('application/json', 'text/plain', ''),
  },
  { requiredKeys: ['authorization'] },
)

test('any request gets an answer below 500, and the books balance after it', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('GET', 'POST', 'PATCH', 'DELETE'),
      path,
      query,
      headers,
      body,
      (method, rawPath, queryString, given, text) => {
        const target = queryString === '' ? rawPath : `${rawPath}?${queryString}`
        const received = { method, target, headers: given, remoteAddress: '127.0.0.1', body: Buffer.from(text) }
        const reply = service.answer(received, {})
        expect(defects).toEqual([])
        expect(reply.status, `${method} ${target} ${text}`).toBeLessThan(500)
        const answered = JSON.parse(reply.body)
        if (reply.status >= 400) expect(answered).toMatchObject({ status: reply.status, code: reply.code })
        expect(world.ledger.violations()).toEqual([])
      },
    ),
    // The run's seed draws the requests, so each run has different ones.
    { numRuns: cases(800) },
  )
})
