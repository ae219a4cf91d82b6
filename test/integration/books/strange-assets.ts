// Adds to a client of the service what its sandbox does not have. Assets have long codes, codes that beancount refuses, 18
// decimals and 29 digits. One was delisted in the year, and the market of one is halted. Ledger entries have unknown types.
import { type Decimal, formatDecimal, negate, parseDecimal, plus, ZERO } from '../../../core/money/decimal.ts'
import type { Fill } from '../../../core/service/fills.ts'
import type { LedgerEntry } from '../../../core/service/ledger.ts'
import type { ServiceClient } from '../../../core/service/service-client.ts'

export const STRANGE_ORDER = 'order-strange'
/** The file says the direction of the entries of which neither type nor balances say it. */
export const DIRECTIONS = { 'correction-in': 'in', 'correction-out': 'out' } as const
const DELISTED = 'US-TREASURY-BILL-2026-06-18'

type Row = readonly [day: string, asset: string, type: string, direction: '+' | '-', amount: string, id?: string]

const months = Array.from({ length: 12 }, (_, month) => `2026-${String(month + 1).padStart(2, '0')}`)
const FILL = ['CONVERSION_DEBIT', 'CONVERSION_CREDIT']
const ROWS: readonly Row[] = [
  ['2026-01-05', DELISTED, 'DEPOSIT', '+', '1000'],
  ['2026-06-18', DELISTED, 'MATURITY', '-', '1000'],
  ['2026-01-05', 'US-TREASURY-BILL-2026-07-16', 'DEPOSIT', '+', '646.5'],
  ['2026-07-16', 'US-TREASURY-BILL-2026-07-16', 'DIVIDEND_PAYOUT', '+', '3.25'],
  ['2026-02-01', '1INCH', 'DEPOSIT', '+', '12345678901.123456789012345678'],
  ['2026-03-09', '1INCH', 'CONVERSION_DEBIT', '-', '0.000000000000000003'],
  ['2026-03-09', 'X.1INCH.X', 'CONVERSION_CREDIT', '+', '0.000000000000000007'],
  ...months.map(
    (month): Row => [`${month}-11`, 'STAKED-WRAPPED-ETHER-OF-2026', 'STAKING_REWARD', '+', '0.010000000000000001'],
  ),
  ['2026-05-12', 'STAKED-WRAPPED-ETHER-OF-2026', 'SLASHING', '-', '0.000000000000000009'],
  ['2026-04-02', 'HALTED', 'DEPOSIT', '+', '50'],
  ['2026-04-03', 'HALTED', 'FEE_REBATE', '+', '0.5'],
  ['2026-08-03', 'HALTED', 'CORRECTION', '+', '2', 'correction-in'],
  ['2026-08-04', 'HALTED', 'CORRECTION', '-', '2', 'correction-out'],
]

const ENTRIES = ROWS.map(([day, assetSymbol, type, direction, amount, id = `${assetSymbol} ${type} ${day}`]) => {
  const isFill = FILL.includes(type)
  const source = isFill ? { type: 'fill', id: 'fill-strange' } : { type: type === 'DEPOSIT' ? 'deposit' : 'event', id }
  const entry: LedgerEntry = {
    ...{ id, type, assetSymbol, amount, source, createdAt: `${day}T12:00:00.000Z` },
    orderId: isFill ? STRANGE_ORDER : null,
  }
  const value = parseDecimal(amount, 'amount')
  return { entry, day, assetSymbol, change: direction === '+' ? value : negate(value) }
})
const ASSETS = [...new Set(ENTRIES.map(({ assetSymbol }) => assetSymbol))]

/** At the end of a day. */
function balanceOf(asset: string, day: string): string {
  const until = ENTRIES.filter((each) => each.assetSymbol === asset && each.day <= day)
  return formatDecimal(until.reduce<Decimal>((sum, { change }) => plus(sum, change), ZERO))
}

/** The delisted asset is in no list of assets any more. */
export function withStrangeAssets(client: ServiceClient): ServiceClient {
  return {
    ...client,
    async assets() {
      const listed = await client.assets()
      const names = ASSETS.filter((asset) => asset !== DELISTED)
      return [
        ...listed,
        ...listed
          .slice(0, 1)
          .flatMap((one) =>
            names.map((name) => ({ ...one, assetSymbol: name, rebasedSymbol: name, assetClass: 'CRYPTO' })),
          ),
      ]
    },
    async balances() {
      const held = await client.balances()
      const figures = ASSETS.map((assetSymbol) => ({
        assetSymbol,
        balance: balanceOf(assetSymbol, '9999'),
        balanceFrozen: '0',
      }))
      return [...held, ...held.slice(0, 1).flatMap((one) => figures.map((each) => ({ ...one, ...each })))]
    },
    async *walkLedger(filter = {}, bounds = {}) {
      const own = ENTRIES.map(({ entry }) => entry).filter(
        ({ assetSymbol }) => (filter.assetSymbol ?? assetSymbol) === assetSymbol,
      )
      const entries = [...own]
      for await (const entry of client.walkLedger(filter, bounds)) entries.push(entry)
      yield* entries.toSorted((one, other) => Date.parse(other.createdAt ?? '') - Date.parse(one.createdAt ?? ''))
    },
    async *walkBalanceHistory(asset, filter = {}, bounds = {}) {
      if (!ASSETS.includes(asset)) return yield* client.walkBalanceHistory(asset, filter, bounds)
      const { startDate = '', endDate = '9999' } = filter
      const days = new Set(ENTRIES.filter((each) => each.assetSymbol === asset).map(({ day }) => day))
      for (const day of days)
        if (day >= startDate.slice(0, 10) && day <= endDate.slice(0, 10))
          yield { date: day, balance: balanceOf(asset, day), assetSymbol: asset }
    },
    async *walkFills(filter = {}, bounds = {}) {
      let one: Fill | undefined
      for await (const fill of client.walkFills(filter, bounds)) {
        one ??= fill
        yield fill
      }
      const { startDate = '', endDate = '9999' } = filter
      const executedAt = '2026-03-09T12:00:00.000Z'
      if (one === undefined || filter.assetSymbol !== undefined || executedAt < startDate || executedAt >= endDate)
        return
      yield {
        ...one,
        id: 'fill-strange',
        baseAsset: '1INCH',
        quoteAsset: 'X.1INCH.X',
        rate: '2.333333333333333333',
        executedAt,
      }
    },
  }
}
