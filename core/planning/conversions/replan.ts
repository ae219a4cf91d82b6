// The second phase of a plan of conversions, planned again from what the first really brought: each hub passes it on,
// shared out as planned. What came beyond the plan goes on too where the policy's kind wants it, unless the policy bounds
// its turnover or asks for approval. Bounds are those of now. Pure.
import { type ConvertLeg, type GuardSaying, type NonLeg, NonLegCode } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import type { SettledLeg } from '../../contract/runs.ts'
import {
  type Decimal,
  divide,
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
import { type Bound, type Cut, createBounds } from '../market/bounds.ts'
import { type Hop, indexMarkets } from '../market/market-index.ts'
import type { PriceObservation, Snapshot } from '../market/snapshot.ts'
import { createValuation, type Valuation } from '../market/valuation.ts'
import type { PhaseToReplan, Replanned } from '../planner.ts'
import { makeConversion } from './conversion.ts'

/** What the kind of a policy says of its later phases. */
export interface ReplanTerms {
  /** Units of an asset that stay. */
  readonly staysOf: (asset: string) => Decimal
  /** Whether a hub passes on more than was planned where more came. */
  readonly passesOnMore: boolean
  /** Values. */
  readonly smallestTrade: Decimal
  readonly largestTrade?: Decimal | undefined
  /** Whether the policy bounds its turnover: then no more is traded than was planned. */
  readonly isTurnoverBounded?: boolean
}

export function replanConversions(
  { plan, phase, snapshot: all, settled, policy }: PhaseToReplan,
  replanTerms: ReplanTerms,
): Replanned {
  // Without a price of now that of the plan counts: the quote is held against it.
  const { untold: _untold, ...now } = all
  const planned = plan.legs.filter((leg): leg is ConvertLeg => leg.kind === IntentKind.Convert)
  const due = planned.filter((leg) => leg.phase === phase)
  const snapshot = { ...now, prices: [...now.prices, ...pricesAsPlanned(due, now.prices)] }
  const valuation = createValuation(snapshot, policy.hubs ?? [snapshot.valuationAsset])
  const { staysOf, smallestTrade } = replanTerms
  const terms = { snapshot, valuation, smallestTrade, staysOf }
  const room = createRoom(snapshot, valuation, replanTerms, due)
  // More than was planned is more than was approved, or than a bound on approval was held against.
  const passesOnMore = replanTerms.passesOnMore && policy.approval === undefined
  const shares = new Map<string, Share>()
  const earlier = planned.filter((leg) => leg.phase < phase)
  for (const { gives } of due) {
    if (!shares.has(gives.asset))
      shares.set(gives.asset, shareOf(gives.asset, { earlier, due, settled, snapshot, staysOf }))
  }

  const legs: ConvertLeg[] = []
  const nonLegs: NonLeg[] = []
  const guards: GuardSaying[] = []
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
    // Each asset that a due leg gives up has its share from above.
    const share = shares.get(leg.gives.asset) as Share
    const { units, cut } = room.hold(leg.gives.asset, wishOf(leg, share, passesOnMore))
    const increment = snapshot.assets.get(leg.gives.asset)?.increment
    const gives = increment === undefined ? ZERO : quantiseDown(units, increment)
    const made = makeConversion({ hop, phase, gives }, terms)
    if (cut) report(leg, cut)
    if (!('code' in made)) {
      room.take(leg.gives.asset, gives)
      legs.push({ ...made, key: leg.key, reason: leg.reason })
    } else if (!cut)
      report(leg, {
        ...made,
        message: `${figureOf(share.available, leg.gives.asset)} came to be passed on: ${made.message}`,
      })
  }
  return guards.length === 0 ? { legs, nonLegs } : { legs, nonLegs, guards }
}

/** Where a market tells no price just now, that of the plan has to do: what is sent does not depend on it. */
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

/** The leg's market, or why it is not to be used now. */
function findUsable({ market, gives, brings }: ConvertLeg, { positions, markets, limits }: Snapshot): Hop | Cut {
  const doubtful = [gives.asset, brings.asset].find((asset) => positions.get(asset)?.inDoubt !== undefined)
  if (doubtful !== undefined) {
    const message = `intent ${positions.get(doubtful)?.inDoubt} is in doubt, so what there is of ${doubtful} may be about to change`
    return { code: NonLegCode.InDoubt, message }
  }
  if (limits.allowedMarkets && !limits.allowedMarkets.has(market)) {
    return { code: NonLegCode.Guard, guard: 'allowedMarkets', message: `the guards do not allow ${market}` }
  }
  const there = indexMarkets(markets.filter(({ id }) => id === market)).findHop(gives.asset, brings.asset)
  return there ?? { code: NonLegCode.NoMarket, message: `${market} is no longer there` }
}

/** The leg's part of what its hub has to pass on. */
function wishOf({ gives }: ConvertLeg, { available, planned }: Share, passesOnMore: boolean): Decimal {
  const amount = parseDecimal(gives.amount, 'gives.amount')
  const part = planned === 0n ? ZERO : partOf(available, amount, planned, 'down')
  return passesOnMore ? part : least(part, amount)
}

/** Of bounds as they are now; where the policy has bounded its turnover, also of what was planned. */
function createRoom(
  snapshot: Snapshot,
  valuation: Valuation,
  { largestTrade, isTurnoverBounded }: ReplanTerms,
  due: readonly ConvertLeg[],
) {
  const bounds = createBounds(snapshot, valuation, {
    largestTrade,
    turnoverRun: isTurnoverBounded ? sumOf(due.map(({ value }) => parseDecimal(value, 'value'))) : undefined,
  })
  const givenOf = new Map<string, Decimal>()
  let given = ZERO
  return {
    hold(asset: string, wish: Decimal): { readonly units: Decimal; readonly cut?: Cut } {
      const price = valuation.priceOf(asset)
      if (price === null || price === 0n) {
        return { units: ZERO, cut: { code: NonLegCode.NoPrice, message: `no market tells what ${asset} is worth` } }
      }
      let units = wish
      let cut: Cut | undefined
      const consider = (bound: Bound | undefined, used: Decimal) => {
        if (!bound) return
        const most = divide(greatest(ZERO, minus(bound.value, used)), price, 'down')
        if (most >= units) return
        units = most
        cut = bound.cut
      }
      consider(bounds.ofOne(asset), ZERO)
      consider(bounds.ofAsset(asset), givenOf.get(asset) ?? ZERO)
      consider(bounds.ofAll, given)
      return cut ? { units, cut } : { units }
    },
    take(asset: string, units: Decimal): void {
      const value = valuation.valueUp(asset, units) ?? ZERO
      givenOf.set(asset, plus(givenOf.get(asset) ?? ZERO, value))
      given = plus(given, value)
    },
  }
}

/**
 * What a hub may pass on: what the first phase really brought it of what was to be passed on, and what was to be added
 * from its own. What did not come is not made up for from elsewhere.
 */
interface Share {
  /** Units of the hub that this phase was to give up. */
  readonly planned: Decimal
  /** Units that it may give up now. */
  readonly available: Decimal
}

interface ShareTerms {
  /** Legs of the phases before, and of this one, as planned. */
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
  // The rest of what was expected was to stay with the hub: it bears its part of what did not come.
  const onward = minus(planned, own)
  const passedOn = expected === 0n ? ZERO : partOf(came, onward, expected, 'down')
  const there = greatest(ZERO, minus(snapshot.positions.get(hub)?.spendable ?? ZERO, staysOf(hub)))
  return { planned, available: least(there, plus(own, passedOn)) }
}

/** What a conversion has filled so far, and nothing that is not certain. */
export function broughtBy(conversion: SettledLeg['conversion']): Decimal {
  const text = conversion?.side === 'BUY' ? conversion.baseAmount : conversion?.quoteAmount
  return text === undefined ? ZERO : parseDecimal(text, 'conversion')
}

/** What it has given up for that. */
export function givenBy(conversion: SettledLeg['conversion']): Decimal {
  const text = conversion?.side === 'BUY' ? conversion.quoteAmount : conversion?.baseAmount
  return text === undefined ? ZERO : parseDecimal(text, 'conversion')
}
