// Figures are read from the settled block, whatever the top level has, and fills are read to their end.
import { describe, expect, it } from 'vitest'
import { Defect } from '../../../core/errors.ts'
import { parseSignedDecimal } from '../../../core/money/decimal.ts'
import { setUpClient } from '../../helpers/client-setup.ts'
import { answerJson } from '../../helpers/local-server.ts'
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

describe('settled figures', () => {
  it('settled figures of a quote come from its base block, as unchanged strings', async () => {
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

  it('settled figures of an order, its fills and balances come from their base blocks', async () => {
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

  it('a balance in another notation is marked, hides no other, and is computed with by nothing', async () => {
    const { result = [] } = await asking([withField(BALANCE, 'base.balance', '0E-8'), BALANCE], (c) => c.balances())
    expect(result).toMatchObject([{ balance: 'unreadable: 0E-8', balanceFrozen: '1' }, { balance: '-2' }])
    expect(() => parseSignedDecimal(result[0]?.balance ?? '', 'balance of AAPLSPV')).toThrow(
      /balance of AAPLSPV.* 0E-8/,
    )
  })

  it('an asset or market of a list with a figure in another notation hides no other, and is refused alone', async () => {
    const broken = [withField(ASSET, 'minimumWithdrawal', '0E-8'), withField(ASSET, 'assetSymbol', 'OTHER')]
    const assets = await asking(offsetPage(broken), (client) => client.assets())
    expect(assets.result?.map(({ minimumWithdrawal }) => minimumWithdrawal)).toEqual([
      'unreadable: 0E-8',
      expect.anything(),
    ])
    const markets = await asking(offsetPage([withField(MARKET, 'minBaseAmount', '1e-8')]), (client) => client.markets())
    expect(markets.result).toMatchObject([{ minBaseAmount: 'unreadable: 1e-8' }])
    const alone = await asking(broken[0], (client) => client.asset(ASSET.assetSymbol))
    expect(alone.error).toMatchObject({
      name: 'Defect',
      message: expect.stringContaining('minimumWithdrawal is not as'),
    })
  })

  it('are requested wherever the endpoint accepts it, and nowhere else', async () => {
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

  it('are a Defect when a price is in other units than requested', async () => {
    const { error } = await asking({ baseAmount: '1', rate: '2', assetFormat: 'rebased' }, (client) =>
      client.price('AAPLX-USD', { side: 'BUY' }),
    )
    expect(error).toBeInstanceOf(Defect)
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

  it('are requested with the unchanged cursor', async () => {
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
