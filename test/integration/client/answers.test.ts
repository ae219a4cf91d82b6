// An answer that breaks the description is a defect that names the field. Additional fields are ignored.
import { describe, expect, it } from 'vitest'
import { Defect } from '../../../core/errors.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { setUpClient } from '../../helpers/client-setup.ts'
import { answerProblem } from '../../helpers/local-server.ts'
import {
  ASSET,
  asking,
  BALANCE,
  cursorPage,
  FILL,
  MARKET,
  ORDER,
  offsetPage,
  QUOTE,
  REQUEST,
  withField,
} from './answer-bodies.ts'

describe('an answer that breaks the description', () => {
  const quote = (client: ServiceClient) => client.createQuote(REQUEST)
  const order = (client: ServiceClient) => client.findOrder('o-1')
  const fills = (client: ServiceClient) => client.fillsOf('o-1', 10)
  const asset = (client: ServiceClient) => client.asset('USDC')

  const broken: readonly [string, unknown, (client: ServiceClient) => Promise<unknown>, string][] = [
    ['POST /v2/quotes', withField(QUOTE, 'orderId'), quote, 'orderId is missing'],
    ['POST /v2/quotes', withField(QUOTE, 'expiresAt'), quote, 'expiresAt is missing'],
    ['POST /v2/quotes', withField(QUOTE, 'base'), quote, 'base is missing'],
    ['POST /v2/quotes', withField(QUOTE, 'base.rate'), quote, 'base.rate is missing'],
    ['POST /v2/quotes', withField(QUOTE, 'base.rate', 100), quote, 'base.rate is not as promised'],
    ['POST /v2/quotes', withField(QUOTE, 'base.rate', '-1'), quote, 'base.rate is not as promised'],
    ['POST /v2/quotes', withField(QUOTE, 'base.baseAmount', '-2'), quote, 'base.baseAmount is not as promised'],
    ['POST /v2/quotes', withField(QUOTE, 'base.baseAmount', '2e3'), quote, 'base.baseAmount is not as promised'],
    ['POST /v2/quotes', withField(QUOTE, 'base.baseAmount', '2,5'), quote, 'base.baseAmount is not as promised'],
    ['POST /v2/quotes', withField(QUOTE, 'base.baseAmount', ' 2'), quote, 'base.baseAmount is not as promised'],
    ['POST /v2/quotes', withField(QUOTE, 'base.quoteAmount', 'NaN'), quote, 'base.quoteAmount is not as promised'],
    ['POST /v2/quotes', withField(QUOTE, 'base.quoteAmount', '9'.repeat(31)), quote, 'base.quoteAmount is not as'],
    ['POST /v2/quotes', withField(QUOTE, 'expiresAt', 'soon'), quote, 'expiresAt is not as promised'],
    ['POST /v2/quotes', withField(QUOTE, 'orderId', ''), quote, 'orderId is not as promised'],
    ['POST /v2/quotes', withField(QUOTE, 'market', 'M'.repeat(600)), quote, 'market is not as promised'],
    ['GET /v2/orders/{id}', withField(ORDER, 'status'), order, 'status is missing'],
    ['GET /v2/orders/{id}', withField(ORDER, 'base.filledBaseAmount', null), order, 'base.filledBaseAmount is not'],
    ['GET /v2/orders/{id}', withField(ORDER, 'id', 'o-2'), order, 'the order that came is not the one'],
    ['GET /v2/orders/{id}', [ORDER], order, 'the answer is not as promised'],
    ['GET /v2/orders/{id}', null, order, 'the answer is not as promised'],
    ['GET /v2/orders/{id}/fills', { data: [FILL] }, fills, 'pagination is missing'],
    ['GET /v2/orders/{id}/fills', cursorPage([FILL, withField(FILL, 'sequence', 0)]), fills, 'data[1].sequence is not'],
    ['GET /v2/orders/{id}/fills', cursorPage([withField(FILL, 'base.order')]), fills, 'data[0].base.order is missing'],
    [
      'GET /v2/orders/{id}/fills',
      cursorPage([withField(FILL, 'orderId', 'o-2')]),
      fills,
      'a fill that came belongs to another order',
    ],
    ['GET /v2/assets/{assetSymbol}', withField(ASSET, 'amountIncrement', '0'), asset, 'amountIncrement is not as'],
    ['GET /v2/assets/{assetSymbol}', withField(ASSET, 'networks.0.withdrawalFee'), asset, 'networks[0].withdrawalFee'],
    ['GET /v2/balances', [withField(BALANCE, 'base.balance', 4)], (c) => c.balances(), '[0].base.balance is not'],
    [
      'GET /v2/balances',
      [withField(BALANCE, 'base.balance', '4 or so')],
      (c) => c.balances(),
      '[0].base.balance is not',
    ],
    [
      'GET /v2/assets',
      offsetPage([withField(ASSET, 'assetClass')]),
      (c) => c.assets(),
      'data[0].assetClass is missing',
    ],
    [
      'GET /v2/markets/{market}',
      withField(MARKET, 'minBaseAmount', '-1'),
      (c) => c.market('x'),
      'minBaseAmount is not',
    ],
    ['GET /v2/account', { id: 'a' }, (c) => c.account(), 'username is missing'],
    ['GET /v2/health', {}, (c) => c.health(), 'status is missing'],
  ]
  it.each(broken.map(([endpoint, json, ask, field]) => ({ endpoint, json, ask, field })))(
    'of $endpoint says: $field',
    async ({ endpoint, json, ask, field }) => {
      const { error } = await asking(json, ask)
      expect(error).toBeInstanceOf(Defect)
      expect(String(error)).toContain(`Defect: ${endpoint}: ${field}`)
    },
  )
})

describe('an amount to be sent', () => {
  it.each(['', '0', '0.00', '-1', '+1', '1e9', 'NaN', '.5', '1.', '1,5', '0x10', ' 1', '01', '9'.repeat(31)])(
    'is refused before anything leaves: %j',
    async (amount) => {
      const quote = await asking(QUOTE, (client) => client.createQuote({ ...REQUEST, amount }))
      const price = await asking({}, (client) => client.indicativeRate({ ...REQUEST, amount }))
      for (const { error, sent } of [quote, price]) {
        expect(error).toMatchObject({ name: 'Refused', message: expect.stringMatching(/^amount: expected a plain/) })
        expect(sent).toBeUndefined()
      }
    },
  )
})

describe('a market without a price', () => {
  const find = (client: ServiceClient) => client.findPrice('BTC', 'USDC', 'BUY')

  it('has a rate of 0: it is refused by its name, and no fault of ours', async () => {
    const rate = { baseAmount: '1', rate: '0.00' }
    expect((await asking(rate, find)).result).toBeUndefined()
    const price = await asking(rate, (client) => client.indicativeRate(REQUEST))
    const quote = await asking(withField(QUOTE, 'base.rate', '0'), (client) => client.createQuote(REQUEST))
    for (const { error } of [price, quote])
      expect(error).toMatchObject({ name: 'Refused', message: expect.stringMatching(/a price of 0 for AAPL/) })
  })

  it.each(['unprocessable', 'market_halted'])('is refused with the code %s', async (code) => {
    const { client } = await setUpClient((_, response) => answerProblem(response, 422, code))
    expect(await find(client)).toBeUndefined()
  })

  it('is not there for a plan while it is halted, and a movement asks again', async () => {
    const { client } = await setUpClient((_, response) =>
      answerProblem(response, 409, 'market_halted', { retryable: true }),
    )
    await expect(client.price('AAPL-USDC', { side: 'BUY' })).rejects.toMatchObject({
      name: 'Refused',
      message: expect.stringContaining('market_halted'),
    })
    for (const ask of [() => client.indicativeRate(REQUEST), () => client.createQuote(REQUEST), () => find(client)])
      await expect(ask()).rejects.toMatchObject({ name: 'RateLimited' })
  })
})

describe('an answer with additional fields', () => {
  it('is read without them', async () => {
    const { result } = await asking({ ...QUOTE, news: { deep: [1e99] }, base: { ...QUOTE.base, more: -1 } }, (client) =>
      client.createQuote(REQUEST),
    )
    expect(Object.keys(result ?? {})).not.toContain('news')
  })

  it('may use codes that are newer than this client', async () => {
    const order = await asking({ ...ORDER, status: 'SETTLING', side: 'SWAP' }, (client) => client.findOrder('o-1'))
    expect(order.result).toMatchObject({ status: 'SETTLING', side: 'SWAP' })
    const asset = await asking({ ...ASSET, assetClass: 'BOND' }, (client) => client.asset('USDC'))
    expect(asset.result?.assetClass).toBe('BOND')
  })

  it('may be null if the description allows it', async () => {
    const quote = await asking({ ...QUOTE, quotedAt: null, expiresAt: null }, (client) => client.createQuote(REQUEST))
    expect(quote.result?.expiresAt).toBeNull()
    const order = await asking(withField(ORDER, 'base.baseAsset', null), (client) => client.findOrder('o-1'))
    expect(order.result?.baseAsset).toBeNull()
  })
})
