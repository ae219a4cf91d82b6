// Tests the description's "Pagination rules", every list filter, balances, history, deposits and ledger.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Caller, expectProblem } from './caller.ts'

let caller: Caller
// A Wednesday noon, so that days, weeks and months end at different times.
let nowMs = Date.parse('2027-03-10T12:00:00Z')
const placed: string[] = []
beforeAll(async () => {
  caller = await Caller.start({ clock: { nowMs: () => nowMs } })
  for (const [market, side, asset, amount] of [
    ['BTC-USDC', 'BUY', 'USDC', '100'],
    ['BTC-USDC', 'SELL', 'BTC', '0.01'],
    ['ETH-USDC', 'BUY', 'USDC', '100'],
    ['NVDAX-USD', 'BUY', 'NVDAX', '1'],
    ['ETH-BTC', 'SELL', 'ETH', '0.1'],
  ] as const) {
    placed.push((await caller.convert(market, side, asset, amount)).body.id)
    nowMs += 1_000
  }
})
afterAll(() => caller.sandbox.stop())

const ids = (answered: { body: { data: { id: string }[] } }) => answered.body.data.map(({ id }) => id)
const orderIds = (answered: { body: { data: { orderId: string }[] } }) =>
  answered.body.data.map(({ orderId }) => orderId)
const picked = (...indices: number[]) => indices.map((index) => placed[index])

describe('offset pages', () => {
  test('page starts at 1 and limit defaults to 25', async () => {
    expect((await caller.get('/v2/assets')).body.pagination).toEqual({
      page: 1,
      limit: 25,
      totalItems: 29,
      totalPages: 2,
    })
    expect((await caller.get('/v2/assets?page=2')).body.data).toHaveLength(4)
    expect((await caller.get('/v2/assets?page=3')).body).toMatchObject({
      data: [],
      pagination: { page: 3, totalItems: 29 },
    })
  })

  test.each(['page=0', 'page=-1', 'page=1.5', 'page=x', 'page=', 'limit=0', 'limit=101', 'limit=1e1', 'page=1&page=2'])(
    '%s is a validation_error',
    async (query) => {
      expectProblem(await caller.get(`/v2/orders?${query}`), 400, 'validation_error')
    },
  )

  test('limit goes up to 100', async () => {
    expect((await caller.get('/v2/markets?limit=100')).body.data).toHaveLength(54)
  })
})

describe('orders, newest first', () => {
  test.each([
    ['', [4, 3, 2, 1, 0]],
    ['status=FILLED', [4, 3, 2, 1, 0]],
    ['status=NEW', []],
    ['baseAsset=btc', [1, 0]],
    ['baseAsset=NVDAX', [3]],
    ['quoteAsset=USDC', [2, 1, 0]],
    ['quoteAsset=NOPE', []],
    ['market=BTC-USDC', [1, 0]],
    ['market=NVDAX-USD', [3]],
    ['market=NOPE-USD', []],
    ['side=BUY', [3, 2, 0]],
    ['startDate=2027-03-10T12:00:03Z', [4, 3]],
    ['endDate=2027-03-10T12:00:01Z', [0]],
    ['side=SELL&baseAsset=ETH', [4]],
    ['limit=2&page=2', [2, 1]],
  ])('?%s', async (query, expected) => {
    expect(ids(await caller.get(`/v2/orders?${query}`))).toEqual(picked(...(expected as number[])))
  })

  test.each([
    'status=filled',
    'side=buy',
    'startDate=yesterday',
    'startDate=2027-13-01',
    'startDate=2027-02-30',
    'endDate=2027-02-28T25:00:00Z',
    'startDate=2027-03-10T12:00:00',
  ])('?%s is a validation_error', async (query) => {
    expectProblem(await caller.get(`/v2/orders?${query}`), 400, 'validation_error')
  })
})

describe('fills, newest first, by cursor', () => {
  test.each([
    ['', [4, 3, 2, 1, 0]],
    ['market=btc-usdc', [1, 0]],
    ['assetSymbol=BTC', [4, 1, 0]],
    ['assetSymbol=nvdaspv', [3]],
    ['side=SELL', [4, 1]],
    ['startDate=2027-03-10T12:00:03Z', [4, 3]],
    ['endDate=2027-03-10T12:00:03Z', [2, 1, 0]],
    ['startDate=2027-03-11', []],
  ])('?%s (startDate inclusive, endDate exclusive)', async (query, expected) => {
    expect(orderIds(await caller.get(`/v2/fills?${query}`))).toEqual(picked(...(expected as number[])))
  })

  test('by order', async () => {
    expect(orderIds(await caller.get(`/v2/fills?orderId=${placed[2]}`))).toEqual(picked(2))
  })

  test('walking with nextCursor visits every fill once, and ends at null', async () => {
    const seen: string[] = []
    let cursor: string | null = ''
    for (let page = 0; page < 10 && cursor !== null; page += 1) {
      const {
        body,
      }: { body: { data: { orderId: string }[]; pagination: { count: number; nextCursor: string | null } } } =
        await caller.get(`/v2/fills?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`)
      expect(body.pagination.count).toBe(body.data.length)
      seen.push(...body.data.map(({ orderId }) => orderId))
      cursor = body.pagination.nextCursor
    }
    expect(cursor).toBeNull()
    expect(seen).toEqual(picked(4, 3, 2, 1, 0))
  })

  test.each(['MQ', 'cursor', '%00', 'OTk5LjAwMDAwMDAw'])(
    'a cursor that was never handed out (%s) is refused',
    async (cursor) => {
      expectProblem(await caller.get(`/v2/fills?cursor=${cursor}`), 400, 'validation_error')
    },
  )

  test('fills have no page, and orders no cursor', async () => {
    expectProblem(await caller.get('/v2/fills?page=1'), 400, 'validation_error')
    expectProblem(await caller.get('/v2/orders?cursor=x'), 400, 'validation_error')
  })
})

describe('representations', () => {
  test('every resource that takes assetFormat is rebased by default, and names its format', async () => {
    const to = { assetSymbol: 'NVDASPV', amount: '1', contactReference: 'subsidiary' }
    const { body: withdrawal } = await caller.signed('/v2/withdrawals', to)
    await caller.control('POST', '/balance', { assetSymbol: 'NVDASPV', credit: '1' })
    const targets = [
      '/v2/orders',
      `/v2/orders/${placed[3]}`,
      `/v2/orders/${placed[3]}/fills`,
      '/v2/fills',
      '/v2/withdrawals',
      `/v2/withdrawals/${withdrawal.id}`,
      '/v2/deposits',
      '/v2/balances',
      '/v2/markets/NVDAX-USD/price?side=BUY',
    ]
    for (const target of targets) {
      for (const [query, format] of [
        ['', 'rebased'],
        ['assetFormat=rebased', 'rebased'],
        ['assetFormat=base', 'base'],
      ]) {
        const { body } = await caller.get(`${target}${target.includes('?') ? '&' : '?'}${query}`)
        const items = Array.isArray(body) ? body : (body.data ?? [body])
        expect(items.length, target).toBeGreaterThan(0)
        for (const item of items) {
          expect(item.assetFormat, target).toBe(format)
          // In the settled representation, the top level equals the base block.
          if (format === 'base') expect(item, target).toMatchObject(figuresOf(item.base))
        }
      }
    }
  })

  /** Removes the asset's name and the nested order from a base block, because top levels spell them differently. */
  function figuresOf({ asset: _asset, order: _order, ...figures }: Record<string, unknown>): object {
    return figures
  }

  test('a fill is found in the ledger by its id, which is the source of its entries', async () => {
    const { body: fills } = await caller.get(`/v2/fills?orderId=${placed[1]}`)
    const { body: entries } = await caller.get(`/v2/ledger?sourceId=${fills.data[0].id}`)
    expect(entries.data.map(({ source }: { source: object }) => source)).toEqual([
      { type: 'fill', id: fills.data[0].id },
      { type: 'fill', id: fills.data[0].id },
    ])
  })
})

describe('balances', () => {
  test('a rebased read names the ticker, a base read the settled code, and both hold the settled block', async () => {
    const rebased = await caller.balance('NVDAX', 'rebased')
    const base = await caller.balance('NVDASPV', 'base')
    expect(rebased).toMatchObject({ multiplier: '10', assetFormat: 'rebased', base: base.base })
    expect(base).toMatchObject({ balance: base.base.balance, base: { asset: 'NVDASPV' } })
  })

  test('values are in US dollars and in the preferred currency of the account', async () => {
    const usd = await caller.balance('USD')
    const eur = await caller.balance('EUR')
    expect(usd.balanceUSD).toBe(usd.balance)
    expect(eur.balancePrefCurrency).toBe(eur.balance)
  })
})

describe('ledger', () => {
  test('every conversion has a debit and a credit, tied to its fill and its order', async () => {
    const { body } = await caller.get(`/v2/ledger?orderId=${placed[0]}`)
    expect(body.data.map(({ type }: { type: string }) => type)).toEqual(['CONVERSION_CREDIT', 'CONVERSION_DEBIT'])
    const [{ source }] = body.data
    expect(source.type).toBe('fill')
    const bySource = await caller.get(`/v2/ledger?sourceId=${source.id}`)
    expect(bySource.body).toEqual(body)
  })

  test('it is settled, and filters by asset in either spelling', async () => {
    const { body } = await caller.get('/v2/ledger?assetSymbol=nvdax')
    expect(new Set(body.data.map(({ assetSymbol }: { assetSymbol: string }) => assetSymbol))).toEqual(
      new Set(['NVDASPV']),
    )
    expect(body.data[0].amount).toBe('1')
  })

  test('fills take no sourceId', async () => {
    expectProblem(await caller.get('/v2/fills?sourceId=x'), 400, 'validation_error')
  })

  test('the credits less the debits of an asset are its balance', async () => {
    const { body } = await caller.get('/v2/ledger?assetSymbol=USDC&limit=100')
    const sum = body.data.reduce(
      (total: number, { type, amount }: { type: string; amount: string }) =>
        total + (type.endsWith('DEBIT') ? -1 : 1) * Math.round(Number(amount) * 1e6),
      0,
    )
    expect(sum).toBe(Math.round(Number((await caller.balance('USDC')).balance) * 1e6))
  })
})

describe('deposits', () => {
  test('a deposit keeps the multiplier of its time, and lists newest first', async () => {
    await caller.control('POST', '/balance', { assetSymbol: 'NVDASPV', credit: '2' })
    await caller.control('POST', '/multiplier', { assetSymbol: 'NVDASPV', multiplier: '20' })
    await caller.control('POST', '/balance', { assetSymbol: 'NVDASPV', credit: '1' })
    const { body } = await caller.get('/v2/deposits?assetSymbol=NVDAX&limit=2')
    expect(body.data).toMatchObject([
      { assetSymbol: 'NVDAX', amount: '20', multiplier: '20', base: { asset: 'NVDASPV', amount: '1' } },
      { assetSymbol: 'NVDAX', amount: '20', multiplier: '10', base: { asset: 'NVDASPV', amount: '2' } },
    ])
    await caller.control('POST', '/multiplier', { assetSymbol: 'NVDASPV', multiplier: '10' })
  })

  test('below the smallest credited deposit nothing is credited', async () => {
    const before = await caller.balance('USD')
    await expect(caller.control('POST', '/balance', { assetSymbol: 'USD', credit: '0.99' })).rejects.toThrow('minimum')
    expect(await caller.balance('USD')).toEqual(before)
  })
})

describe('balance history', () => {
  test('end-of-period balances by day, week and month, settled, from the first movement to now', async () => {
    const opening = await caller.balance('EUR')
    nowMs = Date.parse('2027-03-14T23:00:00Z')
    await caller.control('POST', '/balance', { assetSymbol: 'EUR', credit: '1000' })
    nowMs = Date.parse('2027-04-01T00:00:00Z')
    await caller.control('POST', '/balance', { assetSymbol: 'EUR', balance: '5' })
    const history = async (query: string) => (await caller.get(`/v2/balances/eur/history?${query}`)).body
    const more = String(Number(opening.balance) + 1000)
    const monthly = await history('granularity=month')
    expect(monthly).toMatchObject({ assetSymbol: 'EUR', granularity: 'month', startDate: null, endDate: null })
    expect(monthly.data).toEqual([
      { date: '2027-03-01', balance: more },
      { date: '2027-04-01', balance: '5' },
    ])
    expect((await history('granularity=week')).data.slice(0, 2)).toEqual([
      { date: '2027-03-08', balance: more },
      { date: '2027-03-15', balance: more },
    ])
    const daily = await history('startDate=2027-03-13&endDate=2027-03-15')
    expect(daily.data).toEqual([
      { date: '2027-03-13', balance: opening.balance },
      { date: '2027-03-14', balance: more },
      { date: '2027-03-15', balance: more },
    ])
    expect((await history('')).pagination).toMatchObject({ limit: 25, totalItems: 23 })
  })

  test('it names the settled code, whichever spelling was asked for', async () => {
    expect((await caller.get('/v2/balances/nvdax/history')).body.assetSymbol).toBe('NVDASPV')
  })

  test('an asset that never moved has no history, an unknown one is not_found', async () => {
    expect((await caller.get('/v2/balances/DOGE/history')).body.data).toEqual([])
    expectProblem(await caller.get('/v2/balances/NOPE/history'), 404, 'not_found')
  })
})
