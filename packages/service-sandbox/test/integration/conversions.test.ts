// Tests the description's quotes, orders and fills, with tokenised equities and credit.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Caller, expectProblem } from './caller.ts'

let caller: Caller
let nowMs = 1_800_000_000_000
beforeAll(async () => {
  caller = await Caller.start({ clock: { nowMs: () => nowMs } })
})
afterAll(() => caller.sandbox.stop())

describe('quotes', () => {
  test('a quote lives for five seconds, moves no funds and names its order by both ids', async () => {
    const before = (await caller.get('/v2/balances')).body
    const { status, body } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '1000')
    expect(status).toBe(201)
    expect(Date.parse(body.expiresAt) - Date.parse(body.quotedAt)).toBe(5_000)
    expect(body.clientOrderId).toBe(body.orderId)
    expect((await caller.get('/v2/balances')).body).toEqual(before)
    expectProblem(await caller.get(`/v2/orders/${body.orderId}`), 404, 'not_found')
  })

  test('codes match in any case and either spelling, and the market is answered canonically', async () => {
    const { body } = await caller.quote('aaplx-usdc', 'BUY', 'AaplSpv', '1')
    expect(body.market).toBe('AAPLSPV-USDC')
  })

  test.each([
    ['an unknown pairing', { baseAsset: 'USDC', quoteAsset: 'BTC' }, 422, 'unprocessable'],
    ['an unknown asset', { baseAsset: 'NOPE' }, 422, 'unprocessable'],
    ['an amountAsset that is neither leg', { amountAsset: 'ETH' }, 400, 'validation_error'],
    ['a base amount below minBaseAmount', { amountAsset: 'BTC', amount: '0.00009999' }, 422, 'unprocessable'],
    ['a quote amount below minQuoteAmount', { amount: '4.999999' }, 422, 'unprocessable'],
    ['more than the balance', { amount: '100000.01' }, 422, 'unprocessable'],
    ['an unknown side', { side: 'HOLD' }, 400, 'validation_error'],
    ['a JSON number as amount', { amount: 100 }, 400, 'validation_error'],
    ['an unknown field', { clientOrderId: 'mine' }, 400, 'validation_error'],
    ['a missing field', { side: undefined }, 400, 'validation_error'],
  ])('%s is rejected', async (_name, change, status, code) => {
    const body = { baseAsset: 'BTC', quoteAsset: 'USDC', amountAsset: 'USDC', side: 'BUY', amount: '100', ...change }
    expectProblem(await caller.post('/v2/quotes', body), status as number, code as string)
  })

  test.each(['0', '-1', '+1', '1e3', '.5', '1.', '1,5', ' 1', '0x10', '١', 'NaN', '01', '1.0000000000000000001'])(
    'the amount %j is a validation_error',
    async (amount) => {
      expectProblem(await caller.quote('BTC-USDC', 'BUY', 'USDC', amount), 400, 'validation_error')
    },
  )

  test('an amount finer than the increment is truncated, not rejected', async () => {
    const { body } = await caller.quote('BTC-USDC', 'SELL', 'BTC', '0.123456789')
    expect(body.baseAmount).toBe('0.12345678')
  })

  test('amounts and rate agree: the other leg is rounded down to its increment', async () => {
    const { body } = await caller.quote('ETH-USDC', 'SELL', 'ETH', '1.5')
    const exact = Number(body.rate) * 1.5
    expect(Number(body.quoteAmount)).toBeLessThanOrEqual(exact + 1e-9)
    expect(exact - Number(body.quoteAmount)).toBeLessThan(0.000_001)
  })

  test('assetFormat decides the units, the spelling never does', async () => {
    const ask = (amountAsset: string, assetFormat: string) =>
      caller.quote('NVDAX-USD', 'SELL', amountAsset, '10', { assetFormat })
    const { body: rebased } = await ask('NVDASPV', 'rebased')
    const { body: base } = await ask('NVDAX', 'base')
    expect(rebased).toMatchObject({ baseAmount: '10', assetFormat: 'rebased', base: { baseAmount: '1' } })
    expect(base).toMatchObject({ baseAmount: '10', assetFormat: 'base', base: { baseAmount: '10' } })
    expect(base.rate).toBe(base.base.rate)
    // The multiplier is shown whether or not it was applied, and the quote amount is never rebased.
    expect([rebased.multiplier, base.multiplier]).toEqual(['10', '10'])
    expect(rebased.quoteAmount).toBe(rebased.base.quoteAmount)
  })

  test('an amount of the quote asset is never rebased, in a quote or a price', async () => {
    for (const assetFormat of ['rebased', 'base']) {
      const { body } = await caller.quote('NVDAX-USD', 'BUY', 'USD', '1000', { assetFormat })
      expect(body).toMatchObject({ quoteAmount: '1000', base: { quoteAmount: '1000' } })
      const query = `side=BUY&amount=1000&amountAsset=USD&assetFormat=${assetFormat}`
      expect((await caller.get(`/v2/markets/NVDAX-USD/price?${query}`)).body.quoteAmount).toBe('1000')
    }
  })

  test('assetFormat defaults to rebased', async () => {
    const { body } = await caller.quote('NVDAX-USD', 'SELL', 'NVDAX', '10', { assetFormat: undefined })
    expect(body).toMatchObject({ assetFormat: 'rebased', base: { baseAmount: '1' } })
  })
})

describe('orders', () => {
  test('executing a quote fills it at placement: 201, with the first fill as transactionId', async () => {
    const { body: quote } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '1000')
    const { status, body } = await caller.signed('/v2/orders', { orderId: quote.orderId })
    expect(status).toBe(201)
    expect(body).toMatchObject({ id: quote.orderId, status: 'FILLED' })
    const { body: fills } = await caller.get(`/v2/orders/${quote.orderId}/fills`)
    expect(fills.data.map(({ id }: { id: string }) => id)).toEqual([body.transactionId])
  })

  test('exactly the quoted amounts move', async () => {
    const before = { btc: await caller.balance('BTC'), usdc: await caller.balance('USDC') }
    const { body: quote } = await caller.quote('BTC-USDC', 'BUY', 'BTC', '0.01')
    await caller.signed('/v2/orders', { orderId: quote.orderId })
    const after = { btc: await caller.balance('BTC'), usdc: await caller.balance('USDC') }
    expect(units(after.btc.balance) - units(before.btc.balance)).toBe(units(quote.baseAmount))
    expect(units(before.usdc.balance) - units(after.usdc.balance)).toBe(units(quote.quoteAmount))
  })

  test('a quote is single-use: the second POST is quotation_expired', async () => {
    const { body: quote } = await caller.quote('BTC-USDC', 'BUY', 'USDC', '100')
    expect((await caller.signed('/v2/orders', { orderId: quote.orderId })).status).toBe(201)
    expectProblem(await caller.signed('/v2/orders', { orderId: quote.orderId }), 422, 'quotation_expired')
  })

  test('a quote can be executed before expiresAt, and not from expiresAt on', async () => {
    const [first, second] = [
      await caller.quote('BTC-USDC', 'BUY', 'USDC', '100'),
      await caller.quote('BTC-USDC', 'BUY', 'USDC', '100'),
    ]
    nowMs += 4_999
    expect((await caller.signed('/v2/orders', { orderId: first?.body.orderId })).status).toBe(201)
    nowMs += 1
    expectProblem(await caller.signed('/v2/orders', { orderId: second?.body.orderId }), 422, 'quotation_expired')
  })

  test('50 parallel orders for one quote: exactly one executes', async () => {
    const { body: quote } = await caller.quote('ETH-USDC', 'SELL', 'ETH', '0.1')
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => caller.signed('/v2/orders', { orderId: quote.orderId })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(answers.filter(({ body }) => body.code === 'quotation_expired')).toHaveLength(49)
  })

  test('the balance is checked again at execution, and a rejection moves nothing', async () => {
    const { body: quote } = await caller.quote('SOL-USDC', 'SELL', 'SOL', '400')
    await caller.control('POST', '/balance', { assetSymbol: 'SOL', balance: '399' })
    const before = (await caller.get('/v2/balances')).body
    expectProblem(await caller.signed('/v2/orders', { orderId: quote.orderId }), 422, 'unprocessable')
    expect((await caller.get('/v2/balances')).body).toEqual(before)
  })

  test('an order settles later with 202 PROCESSING: the amount that it gives is frozen, the amount that it gets is pending', async () => {
    await caller.rule('POST', '/v2/orders', { kind: 'settleLater', afterMs: 3_000, outcome: 'fill' })
    const before = await caller.balance('ETH')
    const { balance: usdc } = await caller.balance('USDC')
    const { status, body } = await caller.convert('ETH-USDC', 'BUY', 'ETH', '0.5')
    expect(status).toBe(202)
    expect(body).toEqual({ id: body.id, status: 'PROCESSING' })
    expect((await caller.get(`/v2/orders/${body.id}`)).body).toMatchObject({ status: 'NEW', filledBaseAmount: '0' })
    expect(await caller.balance('ETH')).toMatchObject({ balance: before.balance, balancePending: '0.5' })
    const { quoteAmount } = (await caller.get(`/v2/orders/${body.id}`)).body
    expect(await caller.balance('USDC')).toMatchObject({ balance: usdc, balanceFrozen: quoteAmount })
    nowMs += 3_000
    const { body: order } = await caller.get(`/v2/orders/${body.id}`)
    expect(order).toMatchObject({ status: 'FILLED', filledBaseAmount: '0.5', filledQuoteAmount: order.quoteAmount })
    expect(await caller.balance('ETH')).toMatchObject({ balancePending: '0' })
    expect((await caller.balance('USDC')).balanceFrozen).toBe('0')
  })

  test('an order that fails gives everything back', async () => {
    await caller.rule('POST', '/v2/orders', { kind: 'settleLater', afterMs: 1_000, outcome: 'fail' })
    const before = await caller.balance('USDC')
    const { body } = await caller.convert('ETH-USDC', 'BUY', 'USDC', '500')
    nowMs += 1_000
    expect((await caller.get(`/v2/orders/${body.id}`)).body).toMatchObject({ status: 'FAILED', filledBaseAmount: '0' })
    expect((await caller.balance('USDC')).balance).toBe(before.balance)
  })

  test('an order that fails after a partial fill keeps the fill and gives back the rest', async () => {
    await caller.rule('POST', '/v2/orders', { kind: 'settleLater', afterMs: 1_000, outcome: 'partial' })
    const before = await caller.balance('USDC')
    const { body } = await caller.convert('ETH-USDC', 'BUY', 'USDC', '500')
    nowMs += 1_000
    expect((await caller.get(`/v2/orders/${body.id}`)).body.status).toBe('PARTIALLY_FILLED')
    nowMs += 1_000
    const { body: order } = await caller.get(`/v2/orders/${body.id}`)
    expect(order.status).toBe('FAILED')
    const { body: fills } = await caller.get(`/v2/orders/${body.id}/fills`)
    expect(fills.data).toHaveLength(1)
    expect(units(before.balance) - units((await caller.balance('USDC')).balance)).toBe(units(order.filledQuoteAmount))
  })

  test('an order that reserves nothing pays when it fills, and fails if the balance is gone at that time', async () => {
    const fault = { kind: 'settleLater', afterMs: 1_000, outcome: 'fill', reserve: false }
    await caller.rule('POST', '/v2/orders', fault)
    const before = await caller.balance('USDC')
    const { body } = await caller.convert('ETH-USDC', 'BUY', 'USDC', '500')
    expect(await caller.balance('USDC')).toEqual(before)
    nowMs += 1_000
    expect((await caller.get(`/v2/orders/${body.id}`)).body.status).toBe('FILLED')
    expect(units(before.balance) - units((await caller.balance('USDC')).balance)).toBe(units('500'))
    await caller.rule('POST', '/v2/orders', fault)
    const later = await caller.convert('ETH-USDC', 'BUY', 'USDC', '500')
    await caller.control('POST', '/balance', { assetSymbol: 'USDC', balance: '400' })
    nowMs += 1_000
    expect((await caller.get(`/v2/orders/${later.body.id}`)).body.status).toBe('FAILED')
    expect((await caller.balance('USDC')).balance).toBe('400')
  })

  test('an unknown orderId is unprocessable', async () => {
    expectProblem(await caller.signed('/v2/orders', { orderId: '../quotes' }), 422, 'unprocessable')
  })
})

describe('tokenised equities', () => {
  test('an order and its fill are read in both representations, always with the base block', async () => {
    const { body: placed } = await caller.convert('SPYSPV-USD', 'BUY', 'SPYSPV', '1.23456789')
    const { body: rebased } = await caller.get(`/v2/orders/${placed.id}`)
    const { body: base } = await caller.get(`/v2/orders/${placed.id}?assetFormat=base`)
    expect(rebased).toMatchObject({ baseAsset: 'SPYX', market: 'SPYSPV-USD', base: { baseAsset: 'SPYSPV' } })
    // 1.23456789 × 1.018233604512 = 1.257078…, truncated to eight decimals.
    expect(rebased.baseAmount).toBe('1.25707851')
    expect(base).toMatchObject({ baseAsset: 'SPYSPV', baseAmount: '1.23456789', base: rebased.base })
    expect(rebased.quoteAmount).toBe(base.quoteAmount)
    const { body: fills } = await caller.get(`/v2/fills?orderId=${placed.id}`)
    expect(fills.data[0]).toMatchObject({ baseAmount: '1.25707851', base: { baseAmount: '1.23456789' } })
  })

  test('a corporate action changes balances and prices, and no past movement', async () => {
    const { body: placed } = await caller.convert('AAPLSPV-USD', 'BUY', 'AAPLSPV', '1')
    const before = await caller.balance('AAPLSPV')
    await caller.control('POST', '/multiplier', { assetSymbol: 'AAPLX', multiplier: '2' })
    expect((await caller.get(`/v2/orders/${placed.id}`)).body).toMatchObject({ multiplier: '1.00245178' })
    const after = await caller.balance('AAPLX', 'rebased')
    expect(after).toMatchObject({ multiplier: '2', base: { balance: before.balance } })
    expect(units(after.balance)).toBe(2n * units(before.balance))
    expect((await caller.get('/v2/fills?assetSymbol=AAPLX')).body.data[0].multiplier).toBe('1.00245178')
    expect((await caller.get('/v2/assets/AAPLX')).body.rebaseMultiplier).toBe('2')
  })

  test('a corporate action between a quote and its order leaves the quoted factor and the settled amounts', async () => {
    const { body: quote } = await caller.quote('COINX-USD', 'SELL', 'COINX', '2')
    await caller.control('POST', '/multiplier', { assetSymbol: 'COINSPV', multiplier: '3' })
    const { body: placed } = await caller.signed('/v2/orders', { orderId: quote.orderId })
    const { body: order } = await caller.get(`/v2/orders/${placed.id}`)
    expect(order).toMatchObject({ multiplier: '1', base: { baseAmount: '2', quoteAmount: quote.quoteAmount } })
  })
})

describe('credit', () => {
  test('an order beyond the balance is funded on credit and fills as the debt is paid', async () => {
    await caller.control('POST', '/capacity', { assetSymbol: 'GBP', total: '1000' })
    await caller.control('POST', '/balance', { assetSymbol: 'GBP', credit: '40' })
    const placed = await caller.convert('GBP-USD', 'SELL', 'GBP', '100')
    expect(placed.status).toBe(202)
    const read = async () => (await caller.get(`/v2/orders/${placed.body.id}`)).body
    expect(await read()).toMatchObject({ status: 'PARTIALLY_FILLED', onCredit: true, filledBaseAmount: '40' })
    expect(await caller.balance('GBP')).toMatchObject({
      balance: '0',
      balanceCapacityTotal: '1000',
      balanceCapacitySpent: '60',
      balanceCapacityAvailable: '940',
    })
    await caller.control('POST', '/balance', { assetSymbol: 'GBP', credit: '25' })
    await caller.control('POST', '/balance', { assetSymbol: 'GBP', credit: '50' })
    const order = await read()
    expect(order).toMatchObject({ status: 'FILLED', filledBaseAmount: '100', filledQuoteAmount: order.quoteAmount })
    const { body: fills } = await caller.get(`/v2/orders/${placed.body.id}/fills?assetFormat=base`)
    expect(fills.data.map(({ sequence }: { sequence: number }) => sequence)).toEqual([3, 2, 1])
    expect(await caller.balance('GBP')).toMatchObject({ balance: '15', balanceCapacitySpent: '0' })
  })

  test('beyond balance and capacity together a quote is refused', async () => {
    expectProblem(await caller.quote('GBP-USD', 'SELL', 'GBP', '1015.01'), 422, 'unprocessable')
    expect((await caller.quote('GBP-USD', 'SELL', 'GBP', '1015')).status).toBe(201)
  })
})

test('the books balance after all of this', async () => {
  expect((await caller.control('GET', '/oracle')).invariants).toEqual({ ok: true, violations: [] })
})

/** Converts a decimal string to units of 10^-18, exactly. */
function units(text: string): bigint {
  const [whole = '', fraction = ''] = text.split('.')
  return BigInt(whole + fraction.padEnd(18, '0'))
}
