// What the client makes of answers: settled figures out, and a Defect that names endpoint and
// field for whatever is not as promised.
import { describe, expect, it } from 'vitest'
import { Defect } from '../../../core/errors.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'
import { setUpClient } from '../../helpers/client-setup.ts'
import { answerJson } from '../../helpers/local-server.ts'

type Json = Record<string, unknown>

// An equity with a multiplier of 2: whoever reads a top-level figure instead of the settled one is seen.
const QUOTE = {
  orderId: 'q-1',
  clientOrderId: 'q-1',
  market: 'AAPLSPV-USD',
  rate: '50',
  baseAmount: '4',
  quoteAmount: '200',
  quotedAt: '2026-01-31T09:00:00.000Z',
  expiresAt: '2026-01-31T09:00:05.000Z',
  multiplier: '2',
  assetFormat: 'base',
  base: { rate: '100.00', baseAmount: '2.0', quoteAmount: '200' },
}
const ORDER = {
  id: 'o-1',
  status: 'PARTIALLY_FILLED',
  side: 'BUY',
  market: 'AAPLSPV-USD',
  baseAsset: 'AAPLX',
  quoteAsset: 'USD',
  baseAmount: '4',
  filledBaseAmount: '2',
  quoteAmount: '200',
  filledQuoteAmount: '100',
  rate: '50',
  multiplier: '2',
  assetFormat: 'base',
  onCredit: false,
  createdAt: '2026-01-31T09:00:00.000Z',
  base: {
    baseAsset: 'AAPLSPV',
    quoteAsset: 'USD',
    baseAmount: '2',
    filledBaseAmount: '1',
    quoteAmount: '200',
    filledQuoteAmount: '100',
    rate: '100',
  },
}
const FILL = {
  id: 'f-1',
  orderId: 'o-1',
  sequence: 1,
  side: 'BUY',
  market: 'AAPLSPV-USD',
  baseAsset: 'AAPLX',
  quoteAsset: 'USD',
  baseAmount: '2',
  quoteAmount: '100',
  rate: '50',
  multiplier: '2',
  assetFormat: 'base',
  onCredit: false,
  executedAt: '2026-01-31T09:00:01.000Z',
  order: { status: 'PARTIALLY_FILLED', filledBaseAmount: '2', filledQuoteAmount: '100' },
  base: {
    baseAsset: 'AAPLSPV',
    quoteAsset: 'USD',
    baseAmount: '1',
    quoteAmount: '100',
    rate: '100',
    order: { filledBaseAmount: '1', filledQuoteAmount: '100' },
  },
}
const BALANCE = {
  assetSymbol: 'AAPLSPV',
  balance: '4',
  balanceFrozen: '2',
  balancePending: '0',
  balancePrefCurrency: '-200.5',
  balanceUSD: '-200.5',
  multiplier: '2.123456789012345678901234',
  assetFormat: 'base',
  base: { asset: 'AAPLSPV', balance: '-2', balanceFrozen: '1', balancePending: '0' },
}
const ASSET = {
  assetSymbol: 'USDC',
  rebasedSymbol: 'USDC',
  assetName: 'USD Coin',
  assetClass: 'STABLECOIN',
  amountIncrement: '0.000001',
  displayIncrement: '0.01',
  minimumDeposit: '1',
  minimumWithdrawal: '1',
  minimumInternalWithdrawal: '0.1',
  withdrawalFee: '0.5',
  maxIndicativeQuoteAmount: '1000000',
  rebaseMultiplier: '1',
  networks: [
    {
      networkName: 'Ethereum',
      networkId: 'ETH',
      evmChainId: 1,
      networkNativeAsset: 'ETH',
      assetType: 'ERC20',
      withdrawalFee: '2',
      minimumWithdrawal: '5',
    },
  ],
}
const MARKET = {
  id: 'BTC-USD',
  baseAsset: 'BTC',
  rebasedBaseAsset: 'BTC',
  quoteAsset: 'USD',
  minBaseAmount: '0.001',
  minQuoteAmount: '1',
}
const REQUEST = { baseAsset: 'AAPLX', quoteAsset: 'USD', side: 'BUY', amountAsset: 'USD', amount: '200' } as const
const offsetPage = (data: readonly unknown[]) => ({
  data,
  pagination: { page: 1, limit: 100, totalItems: data.length, totalPages: 1 },
})
const cursorPage = (data: readonly unknown[]) => ({ data, pagination: { count: data.length, nextCursor: null } })

/** `json` with the field at `path` ("base.rate", "data.0.id") set to `value`, or taken away. */
function withField(json: unknown, path: string, value?: unknown): unknown {
  const copy = structuredClone(json)
  const steps = path.split('.')
  const last = steps.pop() ?? ''
  const parent = steps.reduce((at, step) => at[step] as Json, copy as Json)
  if (value === undefined) delete parent[last]
  else parent[last] = value
  return copy
}

async function asking<Result>(json: unknown, ask: (client: ServiceClient) => Promise<Result>) {
  const { server, client } = await setUpClient((request, response) =>
    answerJson(response, request.method === 'POST' ? 201 : 200, json),
  )
  const outcome = await ask(client).then(
    (result) => ({ result, error: undefined }),
    (error: unknown) => ({ result: undefined, error }),
  )
  return { ...outcome, sent: server.arrived[0] }
}

describe('settled figures', () => {
  it('of a quote come from its base block, as the strings they are', async () => {
    const { result, sent } = await asking(QUOTE, (client) => client.createQuote(REQUEST))
    expect(result).toEqual({
      orderId: 'q-1',
      market: 'AAPLSPV-USD',
      rate: '100.00',
      baseAmount: '2.0',
      quoteAmount: '200',
      quotedAt: '2026-01-31T09:00:00.000Z',
      expiresAt: '2026-01-31T09:00:05.000Z',
      multiplier: '2',
    })
    expect(JSON.parse(sent?.body.toString() ?? '')).toEqual({ ...REQUEST, assetFormat: 'base' })
    expect(sent?.target).toBe('/v2/quotes')
  })

  it('of an order, its fills and balances come from their base blocks', async () => {
    const order = await asking(ORDER, (client) => client.order('o-1'))
    expect(order.result).toMatchObject({ baseAsset: 'AAPLSPV', baseAmount: '2', filledBaseAmount: '1', rate: '100' })
    const fills = await asking(cursorPage([FILL]), (client) => client.fillsOf('o-1', 10))
    expect(fills.result).toMatchObject([
      {
        baseAsset: 'AAPLSPV',
        baseAmount: '1',
        quoteAmount: '100',
        rate: '100',
        order: { status: 'PARTIALLY_FILLED', filledBaseAmount: '1', filledQuoteAmount: '100' },
      },
    ])
    const balances = await asking([BALANCE], (client) => client.balances())
    expect(balances.result).toMatchObject([{ assetSymbol: 'AAPLSPV', balance: '-2', balanceFrozen: '1' }])
  })

  it('are asked for wherever the endpoint accepts it, and nowhere else', async () => {
    const price = await asking({ baseAmount: '1', rate: '2' }, (client) => client.indicativeRate(REQUEST))
    expect(price.sent?.target).toBe('/v2/markets/AAPLX-USD/price?side=BUY&amount=200&amountAsset=USD&assetFormat=base')
    const targets = [
      (await asking(ORDER, (client) => client.findOrder('o-1'))).sent?.target,
      (await asking(offsetPage([ORDER]), (client) => client.listOrders({ side: 'BUY' }, 10))).sent?.target,
      (await asking(cursorPage([FILL]), (client) => client.fillsOf('o-1', 10))).sent?.target,
      (await asking(cursorPage([FILL]), (client) => client.fills({ orderId: 'o-1' }, 10))).sent?.target,
      (await asking([BALANCE], (client) => client.balances())).sent?.target,
      (await asking(ASSET, (client) => client.asset('usdc'))).sent?.target,
      (await asking(offsetPage([ASSET]), (client) => client.assets())).sent?.target,
      (await asking(MARKET, (client) => client.market('BTC-USD'))).sent?.target,
      (await asking(offsetPage([MARKET]), (client) => client.markets())).sent?.target,
    ]
    expect(targets).toEqual([
      '/v2/orders/o-1?assetFormat=base',
      '/v2/orders?page=1&limit=100&side=BUY&assetFormat=base',
      '/v2/orders/o-1/fills?limit=100&assetFormat=base',
      '/v2/fills?limit=100&orderId=o-1&assetFormat=base',
      '/v2/balances?assetFormat=base',
      '/v2/assets/usdc',
      '/v2/assets?page=1&limit=100',
      '/v2/markets/BTC-USD',
      '/v2/markets?page=1&limit=100',
    ])
  })

  it('are a Defect when a price says that it is in other units than asked for', async () => {
    const { error } = await asking({ baseAmount: '1', rate: '2', assetFormat: 'rebased' }, (client) =>
      client.price('AAPLX-USD', { side: 'BUY' }),
    )
    expect(error).toBeInstanceOf(Defect)
  })
})

describe('an answer that is not as promised', () => {
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
    ['POST /v2/quotes', withField(QUOTE, 'base.rate', '0'), quote, 'base.rate is not as promised'],
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
    ['GET /v2/balances', [withField(BALANCE, 'base.balance', '--4')], (c) => c.balances(), '[0].base.balance is not'],
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

describe('an answer with more than was promised', () => {
  it('is read as if the rest were not there', async () => {
    const { result } = await asking({ ...QUOTE, news: { deep: [1e99] }, base: { ...QUOTE.base, more: -1 } }, (client) =>
      client.createQuote(REQUEST),
    )
    expect(Object.keys(result ?? {})).not.toContain('news')
  })

  it('may use words that are newer than this client', async () => {
    const order = await asking({ ...ORDER, status: 'SETTLING', side: 'SWAP' }, (client) => client.findOrder('o-1'))
    expect(order.result).toMatchObject({ status: 'SETTLING', side: 'SWAP' })
    const asset = await asking({ ...ASSET, assetClass: 'BOND' }, (client) => client.asset('USDC'))
    expect(asset.result?.assetClass).toBe('BOND')
  })

  it('may be null where the description says so', async () => {
    const quote = await asking({ ...QUOTE, quotedAt: null, expiresAt: null }, (client) => client.createQuote(REQUEST))
    expect(quote.result?.expiresAt).toBeNull()
    const order = await asking(withField(ORDER, 'base.baseAsset', null), (client) => client.findOrder('o-1'))
    expect(order.result?.baseAsset).toBeNull()
  })
})

describe('the fills of an order', () => {
  const numbered = (sequence: number) => ({ ...FILL, id: `f-${sequence}`, sequence })

  it('come oldest first, from all pages', async () => {
    const { client } = await setUpClient((request, response) => {
      const isFirst = !request.target.includes('cursor=')
      answerJson(response, 200, {
        data: isFirst ? [numbered(3), numbered(2)] : [numbered(1)],
        pagination: { count: 2, nextCursor: isFirst ? 'next/+ =?' : null },
      })
    })
    expect((await client.fillsOf('o-1', 3)).map(({ sequence }) => sequence)).toEqual([1, 2, 3])
    await expect(client.fillsOf('o-1', 2)).rejects.toThrow('GET /v2/orders/{id}/fills: more than 2 items')
  })

  it('are asked for with the cursor just as it was given', async () => {
    const { server, client } = await setUpClient((request, response) =>
      answerJson(response, 200, {
        data: [],
        pagination: { count: 0, nextCursor: request.target.includes('cursor=') ? null : 'a/+ =?&%' },
      }),
    )
    await client.fillsOf('o-1', 10)
    expect(new URL(`http://x${server.arrived[1]?.target}`).searchParams.get('cursor')).toBe('a/+ =?&%')
  })
})
