// Tests health, time, webhook keys, account, assets, markets and prices. It only reads.
import { expect, it } from 'vitest'
import { type Target, take } from './target.ts'

/** Items of a long list that are read one by one. */
const SAMPLE = 5

export function describeReferenceData(target: () => Target): void {
  it('health has a status', async () => {
    expect((await target().read.health()).status).not.toBe('')
  })

  it('the time can be measured to within two seconds', async () => {
    const { clock } = target().read
    await clock.measure()
    expect(clock.offset()?.uncertaintyMs).toBeLessThan(2_000)
    expect(Math.abs((await target().read.time()).epochMs - clock.nowMs())).toBeLessThan(5_000)
  })

  it('the webhook key set holds an Ed25519 key with a kid', async () => {
    expect(await target().read.webhookKeys()).not.toHaveLength(0)
  })

  it('the account has an id and a preferred currency', async () => {
    const account = await target().read.account()
    expect([account.id, account.preferredCurrency]).not.toContain('')
  })

  it('assets are listed once each, and read one by one in either spelling and any case', async () => {
    const { read } = target()
    const assets = await read.assets()
    expect(assets).not.toHaveLength(0)
    expect(new Set(assets.map(({ assetSymbol }) => assetSymbol)).size).toBe(assets.length)
    const equities = assets.filter(({ assetClass }) => assetClass === 'STOCK')
    for (const asset of [...assets.slice(0, SAMPLE), ...equities.slice(0, SAMPLE)])
      for (const spelling of [asset.assetSymbol, asset.rebasedSymbol, asset.assetSymbol.toLowerCase()])
        expect((await read.asset(spelling)).assetSymbol).toBe(asset.assetSymbol)
  })

  it('markets are pairs of listed assets, and read one by one, of an equity in either spelling', async () => {
    const { read } = target()
    const [markets, assets] = [await read.markets(), await read.assets()]
    const symbols = new Set(assets.map(({ assetSymbol }) => assetSymbol))
    expect(markets).not.toHaveLength(0)
    for (const market of markets) expect(symbols.has(market.baseAsset) && symbols.has(market.quoteAsset)).toBe(true)
    const rebasing = markets.filter(({ baseAsset, rebasedBaseAsset }) => baseAsset !== rebasedBaseAsset)
    for (const market of [...markets.slice(0, SAMPLE), ...rebasing.slice(0, SAMPLE)]) {
      expect((await read.market(market.id)).id).toBe(market.id)
      expect((await read.market(`${market.rebasedBaseAsset}-${market.quoteAsset}`)).id).toBe(market.id)
    }
  })

  it('prices are shown at the minimum and at a size, settled and rebased', async () => {
    const { read } = target()
    const markets = await read.markets()
    const rebasing = markets.filter(({ baseAsset, rebasedBaseAsset }) => baseAsset !== rebasedBaseAsset)
    for (const { id, quoteAsset, minQuoteAmount } of [...markets.slice(0, 2), ...rebasing.slice(0, 1)]) {
      for (const side of ['BUY', 'SELL'] as const) {
        expect((await read.price(id, { side })).rate).toMatch(/[1-9]/)
        expect((await read.rebased.price(id, { side })).rate).toMatch(/[1-9]/)
      }
      if (!/[1-9]/.test(minQuoteAmount)) continue
      const size = { side: 'BUY', amount: minQuoteAmount, amountAsset: quoteAsset } as const
      expect((await read.price(id, size)).baseAmount).toMatch(/[1-9]/)
    }
  })

  it('an unknown item is refused as not found', async () => {
    const { read } = target()
    const notFound = { name: 'Refused', problem: { code: 'not_found', isDocument: true } }
    await expect(read.asset('NO-SUCH-ASSET')).rejects.toMatchObject(notFound)
    await expect(read.market('NO-SUCH-MARKET')).rejects.toMatchObject(notFound)
    await expect(take(1, read.walkBalanceHistory('NO-SUCH-ASSET'))).rejects.toMatchObject(notFound)
  })
}
