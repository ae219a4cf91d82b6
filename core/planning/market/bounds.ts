// Collects the bounds on the conversions of a plan: guards, the policy's own limits, and the service's limits. Bounds are values,
// so that all assets can be compared with them. Each bound has the reason that a plan gives for what it cuts. Also counts what
// conversions leave of the bounds.
import { MOST_LEGS, NonLegCode } from '../../contract/plan.ts'
import { addTo, type Decimal, divide, formatDecimal, greatest, minus, partOf, plus, ZERO } from '../../money/decimal.ts'
import type { Snapshot } from './snapshot.ts'
import type { Valuation } from './valuation.ts'

/** Why something is smaller than wanted, or missing. `guard`: the guard of treasury.json that did it, if one did. */
export interface Cut {
  readonly code: NonLegCode
  readonly guard?: string
  readonly message: string
}

export interface Bound {
  /** Highest allowed value. */
  readonly value: Decimal
  readonly cut: Cut
}

export interface Bounds {
  ofOne(asset: string): Bound | undefined
  /** The bound on all conversions together that spend `asset`. */
  ofAsset(asset: string): Bound | undefined
  /** The bound on all conversions together. */
  readonly ofAll: Bound | undefined
  readonly mostLegs: { readonly count: number; readonly cut: Cut }
}

/** The policy's own limits, in values. */
export interface OwnLimits {
  readonly largestTrade?: Decimal | undefined
  readonly turnoverRun?: Decimal | undefined
  readonly turnoverDay?: Decimal | undefined
}

export function createBounds(snapshot: Snapshot, valuation: Valuation, own: OwnLimits = {}): Bounds {
  const { limits, valuationAsset, turnoverToday } = snapshot
  const inValue = (value: Decimal) => `${formatDecimal(value)} ${valuationAsset}`

  /**
   * Guards count by the dearer side of a market, plans by the middle: so a guard's bound is a smaller value in the middle. For
   * several assets together the widest spread decides.
   */
  function inMiddle(value: Decimal, assets: Iterable<string>): Decimal {
    let narrowest = value
    for (const asset of assets) {
      const [middle, dear] = [valuation.priceOf(asset), valuation.dearPriceOf(asset)]
      if (middle === null || dear === null || dear <= middle) continue
      const converted = partOf(value, middle, dear, 'down')
      if (converted < narrowest) narrowest = converted
    }
    return narrowest
  }

  /** A bound of zero still is a bound. */
  function ofValue(
    most: Decimal | undefined,
    assets: Iterable<string>,
    cutOf: (most: Decimal) => Cut,
  ): Bound | undefined {
    return most === undefined ? undefined : { value: inMiddle(most, assets), cut: cutOf(most) }
  }

  const largestOf = (asset: string) =>
    ofValue(limits.largestValue, [asset], (most) =>
      byGuard('total.largest', `the guards let one movement be of at most ${inValue(most)}`),
    )
  const leftTodayValue = ofValue(limits.leftTodayValue, snapshot.positions.keys(), (left) =>
    byGuard('total.daily', `the guards let ${inValue(left)} more move today`),
  )
  const largestTrade = boundOf(own.largestTrade, (most) => ({
    code: NonLegCode.CutShort,
    message: `the largest trade of the policy is ${inValue(most)}`,
  }))
  const turnoverRun = boundOf(own.turnoverRun, (most) => ({
    code: NonLegCode.TurnoverSpent,
    message: `the turnover of a run is at most ${inValue(most)}`,
  }))
  const leftOfDay = own.turnoverDay && greatest(ZERO, minus(own.turnoverDay, turnoverToday))
  const turnoverDay = boundOf(leftOfDay, (left) => ({
    code: NonLegCode.TurnoverSpent,
    message: `${inValue(left)} is left of the turnover of today`,
  }))

  function ofUnits(asset: string, units: Decimal | undefined, cutOf: (units: Decimal) => Cut): Bound | undefined {
    const value = units === undefined ? null : valuation.valueDown(asset, units)
    return units === undefined || value === null ? undefined : { value, cut: cutOf(units) }
  }

  function readBounds(asset: string): { readonly single: Bound | undefined; readonly together: Bound | undefined } {
    const { largest, leftToday } = limits.assets.get(asset) ?? {}
    const inAsset = (units: Decimal) => `${formatDecimal(units)} ${asset}`
    const quotable = snapshot.assets.get(asset)?.maxIndicativeAmount ?? ZERO
    const single = tightest(
      largestOf(asset),
      largestTrade,
      ofUnits(asset, largest, (most) =>
        byGuard(`assets.${asset}.largest`, `the guards let one movement spend at most ${inAsset(most)}`),
      ),
      ofUnits(asset, quotable === 0n ? undefined : quotable, (most) => ({
        code: NonLegCode.CutShort,
        message: `the service tells no price for more than ${inAsset(most)}`,
      })),
    )
    const together = ofUnits(asset, leftToday, (left) =>
      byGuard(`assets.${asset}.daily`, `the guards let ${inAsset(left)} more be spent today`),
    )
    return { single, together }
  }

  const byAsset = new Map<string, ReturnType<typeof readBounds>>()
  function boundsOf(asset: string): ReturnType<typeof readBounds> {
    let known = byAsset.get(asset)
    if (known === undefined) {
      known = readBounds(asset)
      byAsset.set(asset, known)
    }
    return known
  }

  return {
    ofOne: (asset) => boundsOf(asset).single,
    ofAsset: (asset) => boundsOf(asset).together,
    ofAll: tightest(leftTodayValue, turnoverRun, turnoverDay),
    mostLegs: {
      count: MOST_LEGS,
      cut: { code: NonLegCode.CutShort, message: `one run makes at most ${MOST_LEGS} conversions` },
    },
  }
}

function boundOf(value: Decimal | undefined, cutOf: (value: Decimal) => Cut): Bound | undefined {
  return value === undefined ? undefined : { value, cut: cutOf(value) }
}

function byGuard(guard: string, message: string): Cut {
  return { code: NonLegCode.Guard, guard, message }
}

/** Counts what conversions use of the bounds, one conversion after another. Amounts are units of the asset that is spent. */
export function createRoom(bounds: Bounds, valuation: Valuation) {
  const usedOf = new Map<string, Decimal>()
  let usedTogether = ZERO
  return {
    /** The part of `wish` that the bounds still allow. `cut`: what made it smaller. */
    fit(asset: string, wish: Decimal): { readonly units: Decimal; readonly cut?: Cut } {
      const price = valuation.priceOf(asset)
      if (price === null || price === 0n) {
        return { units: ZERO, cut: { code: NonLegCode.NoPrice, message: `no market tells what ${asset} is worth` } }
      }
      let units = wish
      let cut: Cut | undefined
      const apply = (bound: Bound | undefined, used: Decimal) => {
        if (!bound) return
        const most = divide(greatest(ZERO, minus(bound.value, used)), price, 'down')
        if (most >= units) return
        units = most
        cut = bound.cut
      }
      apply(bounds.ofOne(asset), ZERO)
      apply(bounds.ofAsset(asset), usedOf.get(asset) ?? ZERO)
      apply(bounds.ofAll, usedTogether)
      return cut ? { units, cut } : { units }
    },
    take(asset: string, units: Decimal): void {
      const value = valuation.valueUp(asset, units) ?? ZERO
      addTo(usedOf, asset, value)
      usedTogether = plus(usedTogether, value)
    },
  }
}

/** The bound with the smallest value; the first among equals. */
function tightest(...bounds: readonly (Bound | undefined)[]): Bound | undefined {
  let tight: Bound | undefined
  for (const bound of bounds) if (bound && (tight === undefined || bound.value < tight.value)) tight = bound
  return tight
}
