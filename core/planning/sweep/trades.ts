// Describes the conversions of a sweep for people: the market that each uses, and the cost of the other market between its
// assets. A sweep uses no hub: the next phase withdraws what it converts.
import { MOST_TRADES, NonLegCode, type PlanLeg, type PlanTrade, type PlanWay } from '../../contract/plan.ts'
import { IntentKind } from '../../contract/records.ts'
import { type Decimal, minus, parseDecimal } from '../../money/decimal.ts'
import { figure } from '../figures.ts'
import type { Hop } from '../market/market-index.ts'
import type { SweepDraft } from './draft.ts'

export function tradesOfSweep({ snapshot, valuation }: SweepDraft, legs: readonly PlanLeg[]): readonly PlanTrade[] {
  const { allowedMarkets } = snapshot.limits

  function wayOf({ market, gives, brings }: Hop, given: Decimal, brought: Decimal): PlanWay {
    const [before, after] = [valuation.valueUp(gives, given), valuation.valueDown(brings, brought)]
    const cost = before === null || after === null ? {} : { cost: figure(minus(before, after)) }
    return { markets: [market.id], ...cost }
  }

  function otherWay(hop: Hop, given: Decimal): PlanWay {
    const { id } = hop.market
    if (allowedMarkets?.has(id) === false) {
      return { markets: [id], code: NonLegCode.Guard, reason: `allowedMarkets does not list ${id}` }
    }
    const brought = valuation.rates.bringsFor(hop, given)
    if (brought === undefined)
      return { markets: [id], code: NonLegCode.NoPrice, reason: `no price at that size by ${id}` }
    return wayOf(hop, given, brought)
  }

  return legs
    .flatMap((leg): PlanTrade[] => {
      if (leg.kind !== IntentKind.Convert) return []
      const { gives, brings, market, value } = leg
      const given = parseDecimal(gives.amount, 'gives')
      const hops = valuation.markets.findHops(gives.asset, brings.asset)
      const taken = hops.find((hop) => hop.market.id === market)
      if (taken === undefined) return []
      const way = wayOf(taken, given, parseDecimal(brings.amount, 'brings'))
      const others = hops.filter((hop) => hop !== taken).map((hop) => otherWay(hop, given))
      return [{ gives: gives.asset, brings: brings.asset, value: figure(parseDecimal(value, 'value')), way, others }]
    })
    .slice(0, MOST_TRADES)
}
