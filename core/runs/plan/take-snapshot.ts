// Gathers what a plan is made from: the account, the markets, what is in doubt, and what guards leave, all read
// within one call and dated by its beginning. Prices come later, as the planner asks for them, and so does what
// only a plan that today's budgets bound has to know. Writes nothing.
import type { Policy } from '../../contract/policies.ts'
import { dayOf } from '../../journal/sending-days.ts'
import { type Decimal, parseDecimal, ZERO } from '../../money/decimal.ts'
import type { AssetFacts, MarketFacts, PlanLimits, Snapshot } from '../../planning/market/snapshot.ts'
import type { AssetReading, MarketReading, RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { claimedResidues } from '../settle/residues.ts'
import { readContacts } from './contacts.ts'
import { findOpenIntents, type OpenIntents } from './doubts.ts'
import { guardSetsOf, readLimits } from './limits.ts'
import { positionsOf } from './positions.ts'
import { spelling } from './spelling.ts'

/** Orders that are still moving, of each of the statuses that the service names. */
const MOST_OPEN_ORDERS = 1_000
const OPEN_STATUSES = ['NEW', 'PARTIALLY_FILLED']

/** In what the values of this policy are told. */
export function valuationAssetOf(policy: Policy, { treasury }: Pick<RunPorts, 'treasury'>): string {
  return policy.valuationAsset ?? treasury.guards.valuationAsset
}

export interface Taken {
  /** Without prices. Of the day's budgets it has what is left if all that was reserved has moved. */
  readonly snapshot: Snapshot
  /** The settled code of an asset, however it is spelled. */
  readonly settled: (code: string) => string
  /** Without the reservations of certified zeros: a read for each that there is today. @throws Transient */
  readonly settledLimits: () => Promise<PlanLimits>
}

/** The service's clock has been measured. @throws Transient, Defect */
export async function takeSnapshot(
  name: string,
  policy: Policy,
  memory: PolicyRecord,
  ports: RunPorts,
): Promise<Taken> {
  const takenAtMs = Math.floor(ports.service.clock.nowMs())
  // Doubts first: what is armed after this look is not in balances that are read after it either way.
  const open = await findOpenIntents(ports)
  const { settled, ...figures } = await readFigures(policy, open.inDoubt, ports)
  const { valuationAsset } = figures
  const sets = guardSetsOf(name, policy, ports)
  const asked = { valuationAsset, nowMs: takenAtMs, settled, markets: figures.markets.map(({ id }) => id) }
  const [contacts, limits] = await Promise.all([
    readContacts(policy, memory, open.onTheirWay, ports),
    readLimits(sets, asked, ports.budgets.counted),
  ])
  const residues = claimedResidues(policy, memory, figures)
  const snapshot = {
    ...(residues.size > 0 && { stranded: residues }),
    ...{ ...figures, takenAtMs, contacts, limits, turnoverToday: turnoverOf(memory, valuationAsset, takenAtMs) },
    ...(memory.lastTradedAt !== undefined && { lastTradedAtMs: Date.parse(memory.lastTradedAt) }),
  }
  return { snapshot, settled, settledLimits: () => readLimits(sets, asked, ports.budgets.settled) }
}

type Figures = Pick<Snapshot, 'valuationAsset' | 'assets' | 'positions' | 'markets' | 'prices'>

/**
 * What the service alone tells. `inDoubt`: by an asset's code, the intent. `settled`: the settled code of an asset.
 * @throws Transient, Defect
 */
export async function readFigures(
  policy: Policy,
  inDoubt: OpenIntents['inDoubt'],
  ports: Pick<RunPorts, 'service' | 'treasury'>,
): Promise<Figures & { readonly settled: (code: string) => string }> {
  const { service } = ports
  const [assetList, markets, balances, orders] = await Promise.all([
    service.assets(),
    service.markets(),
    service.balances(),
    Promise.all(OPEN_STATUSES.map((status) => service.listOrders({ status }, MOST_OPEN_ORDERS))),
  ])
  const assets = new Map(assetList.map((asset) => [asset.assetSymbol, assetFacts(asset)]))
  const settled = spelling(assetList)
  return {
    ...{ assets, settled, prices: [], valuationAsset: settled(valuationAssetOf(policy, ports)) },
    positions: positionsOf(balances, orders.flat(), assets, settledCodes(inDoubt, settled)),
    markets: markets.map(marketFacts),
  }
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
    ...{ assetSymbol: asset.assetSymbol, assetClass: asset.assetClass },
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
    ...{ id, baseAsset, quoteAsset },
    minBaseAmount: parseDecimal(minBaseAmount, 'minBaseAmount'),
    minQuoteAmount: parseDecimal(minQuoteAmount, 'minQuoteAmount'),
  }
}
