// Gathers what a plan is made from: the account, the markets, the doubts, and what guards leave. All of it is read in one call,
// and dated by its start. Payees are read before. Prices are read later, as the planner requires them; so are the exact
// budgets, which only some plans need. It computes what is spendable now, and what will be there once all movements under way
// are done; docs/assumptions.md has the reason. Writes nothing.
import type { Policy } from '../../contract/policies.ts'
import { dayOf } from '../../journal/sending-days.ts'
import { type Decimal, greatest, minus, parseDecimal, parseSignedDecimal, plus, ZERO } from '../../money/decimal.ts'
import { DATING_SLACK_MS, MOST_KNOWN_ROWS } from '../../movements/withdrawal/known-rows.ts'
import {
  type AssetFacts,
  type MarketFacts,
  type PaymentFacts,
  type PlanLimits,
  type Position,
  type Snapshot,
  unreadableAsset,
  unreadableIn,
} from '../../planning/market/snapshot.ts'
import { paymentsOf } from '../../policies/kinds.ts'
import type { WithdrawalState } from '../../service/ports.ts'
import { spelling } from '../../treasury/policy-references.ts'
import type { AssetReading, BalanceReading, MarketReading, OpenOrder, RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import type { RunRecord } from '../record/run-record.ts'
import { claimedBalances } from '../settle/stranded-balances.ts'
import { guardSetsOf, readLimits } from './limits.ts'
import { findPaidAlike } from './paid-alike.ts'
import type { Payees } from './read-payees.ts'
import { findOpenIntents, type OpenIntents, withOnTheirWay } from './under-way.ts'

/** Maximum orders for each status. */
const MOST_OPEN_ORDERS = 1_000
const OPEN_STATUSES = ['NEW', 'PARTIALLY_FILLED']

export interface TakenSnapshot {
  /** Without prices. Its limits count every reservation of the day as moved. */
  readonly snapshot: Snapshot
  /** Returns the settled code of an asset in any spelling. */
  readonly settled: (code: string) => string
  readonly unreadable: Unreadable
  /** Limits without the reservations of certified zeros: one read for each reservation of today. @throws Transient */
  readonly settledLimits: () => Promise<PlanLimits>
}

/** By the code of an asset or the id of a market: which figure of it the service wrote in another notation. */
type Unreadable = ReadonlyMap<string, string>

/** Needs a measured clock. @throws Transient, Defect */
export async function takeSnapshot(
  run: RunRecord,
  memory: PolicyRecord,
  { contacts, payments }: Payees,
  ports: RunPorts,
): Promise<TakenSnapshot> {
  const { policy: name, asPlanned: policy } = run
  const takenAtMs = Math.floor(ports.service.clock.nowMs())
  // Doubts are read before balances: a movement that is settled in between is still a doubt, so nothing is planned with it.
  const open = await findOpenIntents(ports)
  const { settled, unreadable, ...figures } = await readFigures(policy, open.inDoubt, ports)
  const { valuationAsset } = figures
  const sets = guardSetsOf(name, policy, ports, await ports.namesOf(name))
  const terms = { valuationAsset, nowMs: takenAtMs, settled, markets: figures.markets.map(({ id }) => id) }
  const [limits, paying] = await Promise.all([
    readLimits(sets, terms, ports.budgets.counted),
    payments.size > 0 ? readPaying(run, payments, settled, ports) : undefined,
  ])
  const claimed = claimedBalances(policy, memory, figures)
  const snapshot = {
    ...(claimed.size > 0 && { stranded: claimed }),
    ...figures,
    takenAtMs,
    contacts: withOnTheirWay(contacts, open),
    limits,
    ...paying,
    turnoverToday: turnoverOf(memory, valuationAsset, takenAtMs),
    ...(memory.lastTradedAt !== undefined && { lastTradedAtMs: Date.parse(memory.lastTradedAt) }),
  }
  return { snapshot, settled, unreadable, settledLimits: () => readLimits(sets, terms, ports.budgets.settled) }
}

type Figures = Pick<Snapshot, 'valuationAsset' | 'assets' | 'leftOut' | 'positions' | 'markets' | 'prices'>

/** The payments, with those that pay the same as another row, and how many rows may still be sent. */
async function readPaying(
  run: RunRecord,
  payments: Payees['payments'],
  settled: (code: string) => string,
  ports: RunPorts,
): Promise<Pick<Snapshot, 'payments' | 'sendsLeft'>> {
  const { sent, left: sendsLeft } = await readRecentSends(run.asPlanned, settled, ports)
  const paidAs = await findPaidAlike(run, sent, settled, ports)
  const withOther = ([id, facts]: readonly [string, PaymentFacts]) => {
    const other = paidAs.get(id)
    return [id, other === undefined ? facts : { ...facts, paidAs: other }] as const
  }
  return { payments: new Map([...payments].map(withOther)), sendsLeft }
}

/**
 * The figures that come from the service alone. Assets and markets with a figure that cannot be read are left out, and their
 * balances with them; `unreadable` names them. `inDoubt`: the intent in doubt by the asset's code. `settled` in the result
 * returns the settled code of an asset.
 * @throws Transient, Defect
 */
export async function readFigures(
  policy: Policy,
  inDoubt: OpenIntents['inDoubt'],
  ports: RunPorts,
): Promise<Figures & Pick<TakenSnapshot, 'settled' | 'unreadable'>> {
  const { service } = ports
  const [assetList, markets, balances, orders] = await Promise.all([
    service.assets(),
    service.markets(),
    service.balances(),
    Promise.all(OPEN_STATUSES.map((status) => service.listOrders({ status }, MOST_OPEN_ORDERS))),
  ])
  const unreadable = findUnreadable(assetList, markets, balances)
  const assets = new Map(
    assetList
      .filter(({ assetSymbol }) => !unreadable.has(assetSymbol))
      .map((asset) => [asset.assetSymbol, assetFacts(asset)]),
  )
  const settled = spelling(assetList)
  return {
    assets,
    settled,
    unreadable,
    leftOut: leftOutOf(balances, assets, unreadable),
    prices: [],
    valuationAsset: settled(policy.valuationAsset ?? ports.treasury.guards.valuationAsset),
    positions: positionsOf(balances, orders.flat(), assets, settledCodes(inDoubt, settled)),
    markets: markets.filter(({ id }) => !unreadable.has(id)).map(marketFacts),
  }
}

/** A balance that cannot be read may be one, so it is named too. */
function leftOutOf(
  balances: readonly BalanceReading[],
  assets: ReadonlyMap<string, AssetFacts>,
  unreadable: Unreadable,
): ReadonlyMap<string, string> {
  const held = balances.filter(({ assetSymbol, balance }) => !assets.has(assetSymbol) && /[1-9]/.test(balance))
  return new Map(
    held.map(({ assetSymbol: code }) => [code, unreadable.get(code) ?? `the service lists no asset ${code}`]),
  )
}

function findUnreadable(
  assets: readonly AssetReading[],
  markets: readonly MarketReading[],
  balances: readonly BalanceReading[],
): Unreadable {
  const found = [
    ...assets.map((asset) => [asset.assetSymbol, unreadableAsset(asset)] as const),
    ...markets.map(
      ({ id, minBaseAmount, minQuoteAmount }) => [id, unreadableIn(id, { minBaseAmount, minQuoteAmount })] as const,
    ),
    ...balances.map(
      ({ assetSymbol, balance, balanceFrozen, balancePending }) =>
        [assetSymbol, unreadableIn(assetSymbol, { balance, balanceFrozen, balancePending })] as const,
    ),
  ]
  return new Map(found.flatMap(([name, unreadable]) => (unreadable === undefined ? [] : [[name, unreadable] as const])))
}

function turnoverOf({ turnover }: PolicyRecord, valuationAsset: string, nowMs: number): Decimal {
  const isTodays = turnover?.day === dayOf(nowMs) && turnover.asset === valuationAsset
  return isTodays ? parseDecimal(turnover.value, 'turnover') : ZERO
}

function settledCodes(byCode: ReadonlyMap<string, string>, settled: (code: string) => string) {
  return new Map([...byCode].map(([code, intentId]) => [settled(code), intentId]))
}

function assetFacts(asset: AssetReading): AssetFacts {
  const read = (field: 'minimumWithdrawal' | 'minimumInternalWithdrawal') => parseDecimal(asset[field], field)
  return {
    assetSymbol: asset.assetSymbol,
    assetClass: asset.assetClass,
    increment: parseDecimal(asset.amountIncrement, 'amountIncrement'),
    maxIndicativeAmount: parseDecimal(asset.maxIndicativeQuoteAmount, 'maxIndicativeQuoteAmount'),
    minimumWithdrawal: read('minimumWithdrawal'),
    minimumInternalWithdrawal: read('minimumInternalWithdrawal'),
    networks: asset.networks.map(({ networkId, withdrawalFee, minimumWithdrawal }) => ({
      networkId,
      withdrawalFee: parseDecimal(withdrawalFee, 'withdrawalFee'),
      minimumWithdrawal: parseDecimal(minimumWithdrawal, 'minimumWithdrawal'),
    })),
  }
}

function marketFacts({ id, baseAsset, quoteAsset, minBaseAmount, minQuoteAmount }: MarketReading): MarketFacts {
  return {
    id,
    baseAsset,
    quoteAsset,
    minBaseAmount: parseDecimal(minBaseAmount, 'minBaseAmount'),
    minQuoteAmount: parseDecimal(minQuoteAmount, 'minQuoteAmount'),
  }
}

interface UnderWay {
  leaves: Decimal
  arrives: Decimal
}

/** `doubts`: the intent in doubt by the asset's settled code. Balances of unknown assets are left out. */
export function positionsOf(
  balances: readonly BalanceReading[],
  orders: readonly OpenOrder[],
  assets: ReadonlyMap<string, AssetFacts>,
  doubts: ReadonlyMap<string, string>,
): ReadonlyMap<string, Position> {
  const underWay = ordersUnderWay(orders)
  const held = new Map(balances.map((balance) => [balance.assetSymbol, balance]))
  const positions = new Map<string, Position>()
  for (const code of new Set([...held.keys(), ...underWay.keys(), ...doubts.keys()])) {
    const asset = assets.get(code)
    if (asset === undefined) continue
    const inDoubt = doubts.get(code)
    positions.set(code, { ...figuresOf(asset, held.get(code), underWay.get(code)), ...(inDoubt && { inDoubt }) })
  }
  return positions
}

function figuresOf(asset: AssetFacts, held: BalanceReading | undefined, moving: UnderWay | undefined): Position {
  const read = (field: 'balance' | 'balanceFrozen' | 'balancePending') =>
    parseSignedDecimal(held?.[field] ?? '0', `${field} of ${asset.assetSymbol}`)
  const balance = read('balance')
  // The description does not say whether an open order's funds are frozen and pending, so the larger figure counts.
  const leaves = greatest(read('balanceFrozen'), moving?.leaves ?? ZERO)
  const arrives = greatest(read('balancePending'), moving?.arrives ?? ZERO)
  const left = minus(balance, leaves)
  return { asset, spendable: greatest(left, ZERO), holding: greatest(plus(left, arrives), ZERO) }
}

/** Amounts that open orders still give and bring. An order without asset codes shows only in the balances. */
function ordersUnderWay(orders: readonly OpenOrder[]): ReadonlyMap<string, UnderWay> {
  const underWay = new Map<string, UnderWay>()
  const add = (asset: string | null, way: keyof UnderWay, whole: string, filled: string) => {
    if (asset === null) return
    const moving = underWay.get(asset) ?? { leaves: ZERO, arrives: ZERO }
    const rest = minus(parseDecimal(whole, 'amount'), parseDecimal(filled, 'filled amount'))
    moving[way] = plus(moving[way], greatest(rest, ZERO))
    underWay.set(asset, moving)
  }
  for (const order of orders) {
    const isSale = order.side === 'SELL'
    add(order.baseAsset, isSale ? 'leaves' : 'arrives', order.baseAmount, order.filledBaseAmount)
    add(order.quoteAsset, isSale ? 'arrives' : 'leaves', order.quoteAmount, order.filledQuoteAmount)
  }
  return underWay
}

/** Far more rows than an asset may have in the days that are read. */
const MOST_ROWS = 10_000

/** By settled code, for the assets of the policy's payments. */
interface RecentSends {
  readonly sent: ReadonlyMap<string, readonly WithdrawalState[]>
  readonly left: ReadonlyMap<string, number>
}

/** Needs a measured clock. @throws Transient, Defect */
export async function readRecentSends(
  policy: Policy,
  settled: (code: string) => string,
  { service }: RunPorts,
): Promise<RecentSends> {
  const sinceMs = service.clock.nowMs() - DATING_SLACK_MS
  // The service filters by coarse dates.
  const startDate = new Date(sinceMs - DATING_SLACK_MS).toISOString()
  const assets = [...new Set(paymentsOf(policy).map(({ asset }) => settled(asset)))]
  const entries = await Promise.all(
    assets.map(async (assetSymbol) => {
      const rows = await service.listWithdrawals({ assetSymbol, startDate }, MOST_ROWS)
      return [assetSymbol, rows] as const
    }),
  )
  // The test is negated, so that a row whose time cannot be read counts.
  const isRecent = ({ createdAt }: WithdrawalState) => !(Date.parse(createdAt) < sinceMs)
  const leftOf = (rows: readonly WithdrawalState[]) => Math.max(MOST_KNOWN_ROWS - rows.filter(isRecent).length, 0)
  return { sent: new Map(entries), left: new Map(entries.map(([asset, rows]) => [asset, leftOf(rows)])) }
}
