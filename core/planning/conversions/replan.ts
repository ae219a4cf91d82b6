// Plans the conversions of a later phase again, from what the earlier phases really brought. Each hub passes on what it received,
// in the planned shares, within the present bounds. A surplus beyond the plan is passed on where the kind of policy wants it,
// but not where the policy bounds its turnover or needs approval. Also reads from a result what a conversion moved. Pure.
import { type ConvertLeg, type GuardMessage, type NonLeg, NonLegCode } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import type { SettledLeg } from '../../contract/runs.ts'
import {
  type Decimal,
  greatest,
  least,
  minus,
  parseDecimal,
  partOf,
  plus,
  quantiseDown,
  sumOf,
  ZERO,
} from '../../money/decimal.ts'
import { figureOf } from '../figures.ts'
import { type Bounds, type Cut, createBounds, createRoom } from '../market/bounds.ts'
import { type Hop, indexMarkets } from '../market/market-index.ts'
import type { PriceObservation, Snapshot } from '../market/snapshot.ts'
import { createValuation, type Valuation } from '../market/valuation.ts'
import type { PhaseToReplan, Replanned } from '../planner.ts'
import { makeConversion } from './conversion.ts'

interface ReplanTerms {
  /** Units of an asset that stay. */
  readonly staysOf: (asset: string) => Decimal
  /** Whether a hub passes on a surplus beyond the plan. */
  readonly passesOnMore: boolean
  /** Values of the smallest and of the largest trade. */
  readonly smallestTrade: Decimal
  readonly largestTrade?: Decimal | undefined
  /** Whether the policy bounds its turnover: then the phase trades no more than planned. */
  readonly isTurnoverBounded?: boolean
}

export function replanConversions(
  { plan, phase, snapshot: all, settled, policy }: PhaseToReplan,
  replanTerms: ReplanTerms,
): Replanned {
  // Without a present price the plan's price counts: the quote is compared with that price.
  const { missingPrices: _untold, ...present } = all
  const planned = plan.legs.filter((leg): leg is ConvertLeg => leg.kind === IntentKind.Convert)
  const due = planned.filter((leg) => leg.phase === phase)
  const snapshot = { ...present, prices: [...present.prices, ...pricesAsPlanned(due, present.prices)] }
  const valuation = createValuation(snapshot, policy.hubs ?? [snapshot.valuationAsset])
  const { staysOf, smallestTrade } = replanTerms
  const terms = { snapshot, valuation, smallestTrade, staysOf }
  const room = createRoom(boundsOf(due, snapshot, valuation, replanTerms), valuation)
  // An amount above the plan was neither approved nor compared with a bound on approval.
  const passesOnMore = replanTerms.passesOnMore && policy.approval === undefined
  const shares = new Map<string, Share>()
  const earlier = planned.filter((leg) => leg.phase < phase)
  for (const { gives } of due) {
    if (!shares.has(gives.asset))
      shares.set(gives.asset, shareOf(gives.asset, { earlier, due, settled, snapshot, staysOf }))
  }

  const legs: ConvertLeg[] = []
  const nonLegs: NonLeg[] = []
  const guards: GuardMessage[] = []
  const report = ({ brings, key }: ConvertLeg, { code, guard, message }: Cut) => {
    nonLegs.push({ asset: brings.asset, code, reason: message })
    if (guard !== undefined) guards.push({ guard, leg: key, says: message })
  }
  for (const leg of due) {
    const hop = findUsable(leg, snapshot)
    if ('code' in hop) {
      report(leg, hop)
      continue
    }
    // The loop above computed a share for each asset that a due leg spends.
    const share = shares.get(leg.gives.asset) as Share
    const { units, cut } = room.fit(leg.gives.asset, wishOf(leg, share, passesOnMore))
    const increment = snapshot.assets.get(leg.gives.asset)?.increment
    const gives = increment === undefined ? ZERO : quantiseDown(units, increment)
    const conversion = makeConversion({ hop, phase, gives }, terms)
    if (cut) report(leg, cut)
    if (!('code' in conversion)) {
      room.take(leg.gives.asset, gives)
      legs.push({ ...conversion, key: leg.key, reason: leg.reason })
    } else if (!cut)
      report(leg, {
        ...conversion,
        message: `${figureOf(share.available, leg.gives.asset)} came to be passed on: ${conversion.message}`,
      })
  }
  return guards.length === 0 ? { legs, nonLegs } : { legs, nonLegs, guards }
}

/** The plan's prices for markets without a present price: they do not change what is sent. */
function pricesAsPlanned(due: readonly ConvertLeg[], known: readonly PriceObservation[]): PriceObservation[] {
  const priced = new Set(known.map(({ marketId, side }) => `${marketId} ${side}`))
  return due
    .filter(({ market, request }) => !priced.has(`${market} ${request.side}`))
    .map(({ market, request, gives, brings, indicativeRate }) => ({
      marketId: market,
      side: request.side,
      baseAmount: parseDecimal(request.side === 'SELL' ? gives.amount : brings.amount, 'amount'),
      rate: parseDecimal(indicativeRate, 'indicativeRate'),
    }))
}

/** The leg's market, or the reason why it must not be used now. */
function findUsable({ market, gives, brings }: ConvertLeg, { positions, markets, limits }: Snapshot): Hop | Cut {
  const doubtful = [gives.asset, brings.asset].find((asset) => positions.get(asset)?.inDoubt !== undefined)
  if (doubtful !== undefined) {
    const message = `intent ${positions.get(doubtful)?.inDoubt} is in doubt, so what there is of ${doubtful} may be about to change`
    return { code: NonLegCode.InDoubt, message }
  }
  if (limits.allowedMarkets && !limits.allowedMarkets.has(market)) {
    return { code: NonLegCode.Guard, guard: 'allowedMarkets', message: `the guards do not allow ${market}` }
  }
  const hop = indexMarkets(markets.filter(({ id }) => id === market)).findHop(gives.asset, brings.asset)
  return hop ?? { code: NonLegCode.NoMarket, message: `${market} is no longer there` }
}

/** The leg's part of what its hub has to pass on. */
function wishOf({ gives }: ConvertLeg, { available, planned }: Share, passesOnMore: boolean): Decimal {
  const amount = parseDecimal(gives.amount, 'gives.amount')
  const part = planned === 0n ? ZERO : partOf(available, amount, planned, 'down')
  return passesOnMore ? part : least(part, amount)
}

/** The present bounds, and the planned turnover of the phase where the policy bounds its turnover. */
function boundsOf(due: readonly ConvertLeg[], snapshot: Snapshot, valuation: Valuation, terms: ReplanTerms): Bounds {
  const { largestTrade, isTurnoverBounded } = terms
  const planned = () => sumOf(due.map(({ value }) => parseDecimal(value, 'value')))
  return createBounds(snapshot, valuation, { largestTrade, turnoverRun: isTurnoverBounded ? planned() : undefined })
}

/**
 * The part of a hub's balance that it may pass on: what the first phase really brought for this phase, and what was planned
 * from the hub's own balance. A shortfall is not replaced from elsewhere.
 */
interface Share {
  /** Units of the hub that this phase planned to spend. */
  readonly planned: Decimal
  /** Units of the hub that may be spent now. */
  readonly available: Decimal
}

interface ShareTerms {
  /** Planned legs of the earlier phases. `due`: the legs of this phase. */
  readonly earlier: readonly ConvertLeg[]
  readonly due: readonly ConvertLeg[]
  readonly settled: readonly SettledLeg[]
  readonly snapshot: Snapshot
  readonly staysOf: ReplanTerms['staysOf']
}

function shareOf(hub: string, { earlier, due, settled, snapshot, staysOf }: ShareTerms): Share {
  const into = earlier.filter(({ brings }) => brings.asset === hub)
  const expected = sumOf(into.map(({ brings }) => parseDecimal(brings.amount, 'brings.amount')))
  const came = sumOf(into.map(({ key }) => broughtBy(settled.find(({ leg }) => leg.key === key)?.conversion)))
  const from = due.filter(({ gives }) => gives.asset === hub)
  const planned = sumOf(from.map(({ gives }) => parseDecimal(gives.amount, 'gives.amount')))
  const own = greatest(ZERO, minus(planned, expected))
  // The rest of the expected amount was planned to stay in the hub: the hub bears its part of a shortfall.
  const onward = minus(planned, own)
  const passedOn = expected === 0n ? ZERO : partOf(came, onward, expected, 'down')
  const spendable = greatest(ZERO, minus(snapshot.positions.get(hub)?.spendable ?? ZERO, staysOf(hub)))
  return { planned, available: least(spendable, plus(own, passedOn)) }
}

/** Units that a conversion has certainly brought so far. */
export function broughtBy(conversion: SettledLeg['conversion']): Decimal {
  const text = conversion?.side === 'BUY' ? conversion.baseAmount : conversion?.quoteAmount
  return text === undefined ? ZERO : parseDecimal(text, 'conversion')
}

/** Units that a conversion has certainly spent so far. */
export function givenBy(conversion: SettledLeg['conversion']): Decimal {
  const text = conversion?.side === 'BUY' ? conversion.quoteAmount : conversion?.baseAmount
  return text === undefined ? ZERO : parseDecimal(text, 'conversion')
}
