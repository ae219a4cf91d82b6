// Tests the description's account, assets, markets and indicative price.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Caller, expectProblem } from './caller.ts'

let caller: Caller
beforeAll(async () => {
  caller = await Caller.start({ clock: { nowMs: () => 1_800_000_000_000 } })
})
afterAll(() => caller.sandbox.stop())

const price = (market: string, query: string) => caller.get(`/v2/markets/${market}/price?${query}`)

test('the account names the preferred currency of balances', async () => {
  const { body } = await caller.get('/v2/account')
  const { body: asset } = await caller.get(`/v2/assets/${body.preferredCurrency}`)
  expect(asset.assetClass).toBe('FIAT')
})

describe('assets', () => {
  test('the assets fill more than one page, and every class has some', async () => {
    const { body } = await caller.get('/v2/assets?limit=100')
    expect(body.data.length).toBeGreaterThan(25)
    const classes = new Set(body.data.map(({ assetClass }: { assetClass: string }) => assetClass))
    expect([...classes].sort()).toEqual(['CRYPTO', 'FIAT', 'STABLECOIN', 'STOCK'])
  })

  test.each(['SPYSPV', 'SPYX', 'spyspv', 'spyx', 'SpyX'])(
    '%s is the asset with the settled code SPYSPV',
    async (code) => {
      expect((await caller.get(`/v2/assets/${code}`)).body).toMatchObject({
        assetSymbol: 'SPYSPV',
        rebasedSymbol: 'SPYX',
      })
    },
  )

  test('only tokenised equities rebase, some with a multiplier of exactly 1', async () => {
    const { body } = await caller.get('/v2/assets?limit=100')
    for (const asset of body.data) {
      if (asset.assetClass === 'STOCK') expect(asset.rebasedSymbol).not.toBe(asset.assetSymbol)
      else expect(asset).toMatchObject({ rebasedSymbol: asset.assetSymbol, rebaseMultiplier: '1' })
    }
    expect((await caller.get('/v2/assets/TSLAX')).body.rebaseMultiplier).toBe('1')
    expect((await caller.get('/v2/assets/NVDAX')).body.rebaseMultiplier).toBe('10')
  })

  test('networks differ in fee, the asset names the cheapest, and fiat has no networks', async () => {
    const { body: usdc } = await caller.get('/v2/assets/USDC')
    const fees = usdc.networks.map(({ withdrawalFee }: { withdrawalFee: string }) => Number(withdrawalFee))
    expect(new Set(fees).size).toBeGreaterThan(1)
    expect(Number(usdc.withdrawalFee)).toBe(Math.min(...fees))
    expect((await caller.get('/v2/assets/USD')).body).toMatchObject({ networks: [], withdrawalFee: '0' })
  })

  test('the display increment is coarser than the amount increment', async () => {
    const { body } = await caller.get('/v2/assets?limit=100')
    for (const asset of body.data) expect(Number(asset.displayIncrement)).toBeGreaterThan(Number(asset.amountIncrement))
  })

  test("a network's minimum is never below the asset's platform-wide floor", async () => {
    const { body } = await caller.get('/v2/assets?limit=100')
    for (const { networks, minimumWithdrawal } of body.data) {
      for (const network of networks) {
        expect(Number(network.minimumWithdrawal)).toBeGreaterThanOrEqual(Number(minimumWithdrawal))
      }
    }
  })

  test('only EVM networks have a chain id', async () => {
    const { body } = await caller.get('/v2/assets/USDC')
    const byId = Object.fromEntries(body.networks.map((network: { networkId: string }) => [network.networkId, network]))
    expect(byId).toMatchObject({ POLYGON: { evmChainId: 137, assetType: 'ERC20' }, SOLANA: { evmChainId: null } })
    const { body: eth } = await caller.get('/v2/assets/ETH')
    expect(eth.networks[0]).toMatchObject({ assetType: 'BASE_ASSET', networkNativeAsset: 'ETH' })
  })

  test('an unknown asset is not_found', async () => {
    expectProblem(await caller.get('/v2/assets/NOPE'), 404, 'not_found')
  })
})

describe('markets', () => {
  test('the markets fill more than one page', async () => {
    expect((await caller.get('/v2/markets')).body.pagination).toMatchObject({ page: 1, limit: 25, totalPages: 3 })
  })

  test.each(['NVDASPV-USD', 'NVDAX-USD', 'nvdax-usd'])('%s resolves to the canonical NVDASPV-USD', async (id) => {
    expect((await caller.get(`/v2/markets/${id}`)).body).toMatchObject({
      id: 'NVDASPV-USD',
      baseAsset: 'NVDASPV',
      rebasedBaseAsset: 'NVDAX',
      quoteAsset: 'USD',
    })
  })

  test.each(['USD-NVDASPV', 'BTC', 'BTC-USD-EUR', 'BTC_USD'])('%s is not_found: legs cannot be swapped', async (id) => {
    expectProblem(await caller.get(`/v2/markets/${id}`), 404, 'not_found')
  })
})

describe('indicative price', () => {
  test('side is required', async () => {
    const answer = await price('BTC-USDC', '')
    expectProblem(answer, 400, 'validation_error')
    expect(answer.body.detail).toContain('side')
  })

  test('without amount and amountAsset the price is for the market minimum', async () => {
    const { body: market } = await caller.get('/v2/markets/BTC-USDC')
    expect((await price('BTC-USDC', 'side=BUY')).body.baseAmount).toBe(market.minBaseAmount)
  })

  test.each(['amount=1', 'amountAsset=BTC'])('%s alone is a validation_error', async (query) => {
    expectProblem(await price('BTC-USDC', `side=BUY&${query}`), 400, 'validation_error')
  })

  test('amountAsset is one of the two legs, in either spelling', async () => {
    expectProblem(await price('BTC-USDC', 'side=BUY&amount=1&amountAsset=ETH'), 400, 'validation_error')
    expect((await price('NVDAX-USD', 'side=BUY&amount=1&amountAsset=nvdax')).status).toBe(200)
  })

  test('buying costs more than selling yields, and a larger amount widens the difference', async () => {
    const rate = async (side: string, amount: string) =>
      Number((await price('BTC-USDC', `side=${side}&amount=${amount}&amountAsset=BTC`)).body.rate)
    const [buy, bigBuy, sell, bigSell] = [
      await rate('BUY', '0.01'),
      await rate('BUY', '5'),
      await rate('SELL', '0.01'),
      await rate('SELL', '5'),
    ]
    expect([bigSell, sell, buy, bigBuy]).toEqual([bigSell, sell, buy, bigBuy].toSorted((a, b) => a - b))
    expect(new Set([bigSell, sell, buy, bigBuy]).size).toBe(4)
  })

  test('an amount above maxIndicativeQuoteAmount is rejected, not repriced', async () => {
    const { body: btc } = await caller.get('/v2/assets/BTC')
    const cap = btc.maxIndicativeQuoteAmount
    expect((await price('BTC-USDC', `side=BUY&amountAsset=BTC&amount=${cap}`)).status).toBe(200)
    expectProblem(await price('BTC-USDC', `side=BUY&amountAsset=BTC&amount=${cap}.00000001`), 400, 'validation_error')
  })

  test('assetFormat sets the units of the amount sent and of amounts and rate returned', async () => {
    const query = 'side=SELL&amount=20&amountAsset=NVDAX'
    const { body: rebased } = await price('NVDAX-USD', query)
    const { body: base } = await price('NVDAX-USD', `${query.replace('=20', '=2')}&assetFormat=base`)
    expect(rebased).toMatchObject({ assetFormat: 'rebased', baseAmount: '20', multiplier: '10' })
    expect(base).toMatchObject({ assetFormat: 'base', baseAmount: '2', quoteAmount: rebased.quoteAmount })
    expect(Number(base.rate)).toBeCloseTo(Number(rebased.rate) * 10, 6)
    expect(rebased.base).toEqual(base.base)
  })

  test('a price reserves nothing and cannot be executed', async () => {
    const before = (await caller.get('/v2/balances')).body
    const { body } = await price('BTC-USDC', 'side=BUY&amount=1&amountAsset=BTC')
    expect(body).not.toHaveProperty('orderId')
    expect((await caller.get('/v2/balances')).body).toEqual(before)
  })

  test('a price fixed by a control call is the mid of prices', async () => {
    await caller.control('POST', '/price', { market: 'ETH-USDC', mid: '3000' })
    expect((await price('ETH-USDC', 'side=BUY')).body.rate).toMatch(/^300[23]/)
    expect((await price('ETH-USDC', 'side=SELL')).body.rate).toMatch(/^299[67]/)
  })
})

test.each([
  ['/price', { market: 'ETH-USDC', mid: '0.000000000000000001' }],
  ['/price', { market: 'ETH-USDC', mid: '1000000000001' }],
  ['/price', { market: 'ETH-USDC', mid: 3000 }],
  ['/price', { market: 'NO-PE', mid: '1' }],
  ['/multiplier', { assetSymbol: 'NVDAX', multiplier: '0' }],
  ['/multiplier', { assetSymbol: 'NVDAX', multiplier: '1000001' }],
  ['/multiplier', { assetSymbol: 'BTC', multiplier: '2' }],
])('control %s refuses %j', async (path, body) => {
  await expect(caller.control('POST', path as string, body)).rejects.toThrow(/validation_error|not_found/)
})

test('the same seed gives the same world, and another seed another', async () => {
  const clock = { nowMs: () => 1_800_000_000_000 }
  const [same, other] = await Promise.all([Caller.start({ clock }), Caller.start({ clock, seed: 'another' })])
  const view = async (from: Caller) => ({
    keys: from.sandbox.keys,
    contacts: from.sandbox.contacts,
    price: (await from.get('/v2/markets/BTC-USD/price?side=BUY')).body,
  })
  expect(await view(same)).toEqual(await view(caller))
  const different = await view(other)
  expect(different.keys.full.secret).not.toBe(caller.sandbox.keys.full.secret)
  expect(different.price.rate).not.toBe((await view(caller)).price.rate)
  await Promise.all([same.sandbox.stop(), other.sandbox.stop()])
})
