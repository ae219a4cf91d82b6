// Tests balances, their history, deposits and the ledger. It only reads.
import { expect, it } from 'vitest'
import { type Target, take } from './target.ts'

export function describeMoney(target: () => Target): void {
  it('balances have one position for each asset, with equal settled figures in either representation', async () => {
    const { read } = target()
    const balances = await read.balances()
    expect(new Set(balances.map(({ assetSymbol }) => assetSymbol)).size).toBe(balances.length)
    const rebased = await read.rebased.balances()
    expect(rebased.map(({ assetSymbol }) => assetSymbol).sort()).toEqual(
      balances.map(({ assetSymbol }) => assetSymbol).sort(),
    )
  })

  it.each(['day', 'week', 'month'] as const)(
    'the history of a balance is told by %s, of the settled code',
    async (granularity) => {
      const { read } = target()
      const assets = (await read.assets()).filter(({ assetClass }) => assetClass === 'STOCK')
      const [held] = await read.balances()
      for (const spelling of [held?.assetSymbol, assets[0]?.rebasedSymbol]) {
        if (spelling === undefined) continue
        const { assetSymbol } = await read.asset(spelling)
        const periods = await take(40, read.walkBalanceHistory(spelling, { granularity }, { pageLimit: 7 }))
        expect(periods.every((period) => period.assetSymbol === assetSymbol)).toBe(true)
        expect(new Set(periods.map(({ date }) => date)).size).toBe(periods.length)
      }
    },
  )

  it('deposits are listed, settled and rebased, and filtered by asset', async (test) => {
    const { read } = target()
    const deposits = await take(20, read.walkDeposits({}, { pageLimit: 2 }))
    expect((await take(20, read.rebased.walkDeposits())).length).toBe(deposits.length)
    const assetSymbol = deposits.find((each) => each.assetSymbol !== null)?.assetSymbol
    if (typeof assetSymbol !== 'string') return target().lacks('deposit', test)
    for (const deposit of await take(20, read.walkDeposits({ assetSymbol })))
      expect(deposit.assetSymbol).toBe(assetSymbol)
  })

  it('the ledger is listed, and filtered by asset, order and source', async (test) => {
    const { read } = target()
    const entries = await take(20, read.walkLedger({}, { pageLimit: 7 }))
    const [order] = await take(1, read.walkOrders({ status: 'FILLED' }))
    if (order !== undefined) expect(await take(1, read.walkLedger({ orderId: order.id }))).not.toEqual([])
    // A withdrawal under way may be booked only when it completes.
    const [withdrawal] = await take(1, read.walkWithdrawals({ status: 'COMPLETED' }))
    if (withdrawal !== undefined) expect(await take(1, read.walkLedger({ sourceId: withdrawal.id }))).not.toEqual([])
    const [entry] = entries
    if (typeof entry?.assetSymbol !== 'string') return target().lacks('ledger entry with an asset', test)
    for (const each of await take(20, read.walkLedger({ assetSymbol: entry.assetSymbol })))
      expect(each.assetSymbol).toBe(entry.assetSymbol)
  })
}
