// Tests the exact texts for wrong fields, and which of several mistakes a text names first.
import { describe, expect, test } from 'vitest'
import { control } from '../../service/control/control.ts'
import { Rules } from '../../service/control/rules.ts'
import { PROFILES } from '../../service/profiles.ts'
import { RequestLog } from '../../service/request-log.ts'
import { Service } from '../../service/service.ts'
import { NOBODY, World } from '../../service/world.ts'

const nowMs = 1_800_000_000_000
const world = new World({ seed: 'sluice', openedAtMs: nowMs }, { nowMs: () => nowMs }, PROFILES.prompt.pace, NOBODY)
const service = new Service(world, (defect) => {
  throw defect
})
const headers = { authorization: `Bearer ${world.keys.issued().full.secret}` }

function detailOf(method: string, target: string, body = ''): string | undefined {
  const received = { method, target, headers, remoteAddress: '127.0.0.1', body: Buffer.from(body) }
  return JSON.parse(service.answer(received, {}).body).detail
}

const isoTime = 'expected an ISO-8601 date or time with its zone, such as "2026-01-31T09:00:00Z".'
const pair = '😀'

describe('a query', () => {
  test.each([
    ['/v2/orders?page=0', 'Query parameter page: expected a whole number from 1 to 1000000.'],
    ['/v2/orders?limit=1e1', 'Query parameter limit: expected a whole number from 1 to 100.'],
    ['/v2/orders?limit=101', 'Query parameter limit: expected a whole number from 1 to 100.'],
    ['/v2/orders?limit', 'Query parameter limit: expected a whole number from 1 to 100.'],
    ['/v2/orders?side=buy', 'Query parameter side: expected one of BUY, SELL.'],
    ['/v2/orders?assetFormat=', 'Query parameter assetFormat: expected one of base, rebased.'],
    ['/v2/orders?baseAsset=', 'Query parameter baseAsset: expected a string of 1 to 32 characters.'],
    [`/v2/orders?baseAsset=${pair.repeat(16)}`, undefined],
    [`/v2/orders?baseAsset=${pair.repeat(17)}`, 'Query parameter baseAsset: expected a string of 1 to 32 characters.'],
    ['/v2/orders?startDate=2024-02-29', undefined],
    ['/v2/orders?startDate=2026-02-29', `Query parameter startDate: ${isoTime}`],
    ['/v2/orders?startDate=2026-01-31T09:00', `Query parameter startDate: ${isoTime}`],
    ['/v2/orders?startDate=2026-01-31T25:00Z', `Query parameter startDate: ${isoTime}`],
    ['/v2/orders?startDate=2026-01-31T09:00%2B02:00', undefined],
    ['/v2/markets/BTC-USDC/price', 'Query parameter side is missing: expected one of BUY, SELL.'],
    [
      '/v2/markets/BTC-USDC/price?side=BUY&amount=0',
      'Query parameter amount: expected a decimal string above zero in plain notation, such as "12.5".',
    ],
    ['/v2/orders?x=1', 'Unknown query parameter: x.'],
    ['/v2/orders?__proto__=1', 'Unknown query parameter: __proto__.'],
    ['/v2/orders?%C3%A9=1', 'Unknown query parameter: ?.'],
    [`/v2/orders?${'x'.repeat(65)}=1`, `Unknown query parameter: ${'x'.repeat(64)}….`],
    ['/v2/orders?page=1&page=2', 'Query parameter given twice: page.'],
    // A repeated name comes first, then an unknown name, then wrong values in the order of the endpoint's schema.
    ['/v2/orders?x=1&page=1&page=2', 'Query parameter given twice: page.'],
    ['/v2/orders?page=0&x=1&7=1', 'Unknown query parameter: x.'],
    ['/v2/orders?side=x&page=0', 'Query parameter page: expected a whole number from 1 to 1000000.'],
  ])('%s: %s', (target, detail) => {
    expect(detailOf('GET', target)).toBe(detail)
  })
})

describe('a body', () => {
  const good = { baseAsset: 'BTC', quoteAsset: 'USDC', amountAsset: 'USDC', side: 'BUY', amount: '100' }
  const amount = 'Field amount: expected a decimal string above zero in plain notation, such as "12.5".'

  test.each<[object, string | undefined]>([
    [{}, undefined],
    [{ amount: 100 }, amount],
    [{ amount: '1e2' }, amount],
    [{ amount: '0.0' }, amount],
    [{ amount: null }, amount],
    [{ amount: undefined }, amount.replace(':', ' is missing:')],
    [{ side: ['BUY'] }, 'Field side: expected one of BUY, SELL.'],
    [{ baseAsset: 'x'.repeat(33) }, 'Field baseAsset: expected a string of 1 to 32 characters.'],
    [{ x: 1 }, 'Unknown field in the body: x.'],
    [JSON.parse('{"__proto__":1}'), 'Unknown field in the body: __proto__.'],
    [{ amount: 1, x: 1, 7: 1 }, 'Unknown field in the body: 7.'],
    [{ amount: 1, side: 1 }, 'Field side: expected one of BUY, SELL.'],
  ])('of a quote, with %j: %s', (change, detail) => {
    expect(detailOf('POST', '/v2/quotes', JSON.stringify({ ...good, ...change }))).toBe(detail)
  })

  test('a label is neither blank nor long, and holds no control character', () => {
    const contact = [...world.contacts.keys()][0] ?? ''
    const rename = (alias: string) => detailOf('PATCH', `/v2/contacts/${contact}`, JSON.stringify({ alias }))
    for (const alias of ['a', ' é ', pair.repeat(64)]) expect(rename(alias)).toBeUndefined()
    for (const alias of ['', ' \u3000', 'a\nb', 'a\u0085b', pair.repeat(65)]) {
      expect(rename(alias)).toBe(
        'Field alias: expected a string of 1 to 128 characters, not blank and without control characters.',
      )
    }
  })
})

describe('a control', () => {
  const controlled = { world, rules: new Rules('sluice'), requests: new RequestLog(), webhooks: undefined }
  const percent = 'Field percent: expected a whole number from 0 to 100.'

  test.each([
    [
      'manners',
      { slow: { leastMs: 2, mostMs: 1 } },
      'Field slow: expected leastMs, mostMs (not less), percent and hangUpMs, or null.',
    ],
    ['manners', { slow: { leastMs: 1 } }, 'Field mostMs is missing: expected a whole number from 0 to 60000.'],
    ['manners', { slow: { leastMs: 1, mostMs: 2, percent: 1.5 }, bodies: 'x' }, percent],
    ['manners', { slow: { percent: -1, x: 1 } }, 'Unknown field in the body: x.'],
    ['manners', { slow: { x: 1 }, y: 1 }, 'Unknown field in the body: y.'],
    ['manners', { ids: 'x', slow: { x: 1 } }, 'Field ids: expected one of plain, counter, uuid, odd.'],
    [
      'manners',
      { rows: ['small', 'x'] },
      'Field rows: expected a list of coarse, daily, behind, unstable, small, lacking.',
    ],
    [
      'keys/full',
      { do: 'allowAddresses', addresses: ['x'] },
      'Field addresses: expected a list of at most 100 IP addresses, or null for any.',
    ],
    [
      'price',
      { market: 'BTC-USDC', mid: '0' },
      'Field mid: expected a decimal string from 0.000000001 to 1000000000000.',
    ],
    [
      'price',
      { market: 'BTC-USDC' },
      'Field mid is missing: expected a decimal string from 0.000000001 to 1000000000000.',
    ],
    ['maintenance', { on: 'true' }, 'Field on: expected true or false.'],
    ['rules', { match: { path: '*', times: 0 } }, 'Field times: expected a whole number from 1, or "always".'],
    ['rules', { match: { path: '*', probability: 2 } }, 'Field probability: expected a number from 0 to 1.'],
    [
      'rules',
      { match: { path: '*' }, fault: { kind: 'delay' } },
      'Field ms is missing: expected a whole number from 0 to 86400000.',
    ],
    [
      'rules',
      { match: { path: '*' }, fault: { kind: 'redirect', location: 'é' } },
      'Field location: expected an address of printable characters.',
    ],
  ])('%s with %j: %s', (path, body, detail) => {
    expect(() => control(controlled, 'POST', `/_control/${path}`, Buffer.from(JSON.stringify(body)))).toThrow(detail)
  })
})
