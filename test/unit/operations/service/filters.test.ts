// Filters of a query are those of the service's endpoint, and a wrong value is not repeated.
import { expect, test } from 'vitest'
import { type QueryFlags, readFilters, readLimit } from '../../../../operations/service/filters.ts'
import { type QueryDefinition, type QueryName, queries } from '../../../../operations/service/queries.ts'
import { OperationError } from '../../../../place/operation-error.ts'

function wordsOf(name: QueryName): QueryDefinition {
  const words = queries.flatMap((one) => [one, ...(one.form ? [one.form.query] : [])]).find((one) => one.name === name)
  if (words === undefined) throw new Error(`there is no reading ${name}`)
  return words
}

const filtersOf = (name: QueryName, flags: QueryFlags, argument?: string) => readFilters(wordsOf(name), argument, flags)

test("filters are the parameters of the endpoint, in the service's spelling", () => {
  const flags = { status: 'filled', side: 'buy', market: 'BTC-USDC', startDate: '2026-01-31', rebased: true }
  expect(filtersOf('orders', flags)).toEqual({
    status: 'FILLED',
    side: 'BUY',
    market: 'BTC-USDC',
    startDate: '2026-01-31T00:00:00Z',
  })
})

test('an id is opaque', () => {
  const id = 'ORD/2026 11+1%?'
  expect(filtersOf('fills', {}, id)).toEqual({ orderId: id })
  expect(filtersOf('orders', {}, id)).toEqual({})
})

test.each<[string, QueryName, QueryFlags, string | undefined, string]>([
  ['an empty id', 'ledger', { orderId: '' }, undefined, 'order-id: expected 1 to 256 characters'],
  ['a control character', 'ledger', { sourceId: 'a\u0000' }, undefined, 'source-id: expected 1 to 256 characters'],
  ['a long id', 'orders', {}, 'x'.repeat(257), '[id]: expected 1 to 256 characters'],
  ['a dot segment', 'contacts', {}, 'a/%2e%2e/b', '[id]: expected 1 to 256 characters'],
  ['an unknown side', 'orders', { side: 'HOLD' }, undefined, 'side: expected BUY or SELL; got 4 characters'],
  ['an unknown side of a price', 'price', { price: 'HOLD' }, 'BTC-USDC', 'price: expected BUY or SELL; got 4'],
  ['an invalid day', 'fills', { startDate: '2026-02-30' }, undefined, 'start-date: expected a day such as'],
  ['a time without a zone', 'fills', { endDate: '2026-02-03T10:00' }, undefined, 'end-date: expected a day such as'],
  ['an unknown period', 'history', { granularity: 'year' }, 'BTC', 'granularity: expected day, week or month'],
  ['an unknown contact type', 'contacts', { type: 'BANK' }, undefined, 'type: expected INTERNAL, EXTERNAL_CRYPTO or'],
  ['a status with a space', 'withdrawals', { status: 'A B' }, undefined, 'status: expected a status such as'],
  ['an exponent', 'price', { price: 'BUY', amount: '1e3', amountAsset: 'BTC' }, 'BTC-USDC', 'amount: expected a plain'],
  ['nothing to price', 'price', { price: 'BUY', amount: '0.0', amountAsset: 'BTC' }, 'BTC-USDC', 'amount: expected a'],
  [
    'an amount without an asset',
    'price',
    { price: 'BUY', amount: '1' },
    'BTC-USDC',
    'amount: expected amount-asset beside',
  ],
  ['how much?', 'price', { price: 'BUY', amountAsset: 'BTC' }, 'BTC-USDC', 'amount-asset: expected amount beside it'],
  [
    'times that are exchanged',
    'orders',
    { startDate: '2026-02-02', endDate: '2026-02-01T00:00:00+01:00' },
    undefined,
    'end-date: expected a time after start-date',
  ],
  ['a filter beside an id', 'orders', { side: 'BUY' }, 'o-1', 'side: expected no filter beside one order; got both'],
])('%s is refused by the name of its option', (_what, name, flags, argument, message) => {
  expect(() => filtersOf(name, flags, argument)).toThrow(message)
  expect(() => filtersOf(name, flags, argument)).toThrow(expect.objectContaining({ exitCode: 2 }))
})

test('the typed value is not repeated: it may be a misplaced secret', () => {
  const secret = `svc_test_${'a'.repeat(38)}\u0007`
  try {
    filtersOf('ledger', { orderId: secret })
    expect.unreachable()
  } catch (error) {
    expect(error).toBeInstanceOf(OperationError)
    expect((error as OperationError).message + (error as OperationError).next).not.toContain('svc_test_')
  }
})

test('a limit is a whole number from 1 to a million', () => {
  expect(readLimit({})).toBeUndefined()
  expect(readLimit({ limit: '1000000' })).toBe(1_000_000)
  for (const limit of ['', '0', '-1', '1.5', '1e3', '1000001', ' 5'])
    expect(() => readLimit({ limit })).toThrow('limit: expected a whole number from 1 to 1000000')
})
