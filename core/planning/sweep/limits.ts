// Tracks what guards leave for the legs of a run while they are planned one after another. Each leg takes its part of a day's
// bounds, so that no two legs count on the same part. Values count at prices rounded up. Limits change, so a trial uses a copy.
import {
  addTo,
  type Decimal,
  divide,
  formatDecimal,
  greatest,
  minus,
  multiply,
  plus,
  ZERO,
} from '../../money/decimal.ts'
import type { PlanLimits } from '../market/snapshot.ts'

export interface Move {
  readonly asset: string
  /** The contact of a withdrawal; absent: a conversion. */
  readonly contactId?: string
  /** Value of one settled unit; null without a price. */
  readonly price: Decimal | null
}

/** The tightest bound: settled units, and the guard that sets it. */
export interface Allowance {
  readonly most: Decimal
  readonly guard: string
  /** Text on what the guard leaves: a sentence without its end. */
  readonly message: string
}

export interface SweepLimits {
  /** `within`: units that the same movement has taken already. `undefined`: nothing bounds it. */
  allowanceOf(move: Move, within?: Decimal): Allowance | undefined
  /** Value that all movements may still sell and withdraw today; absent: no bound. */
  leftValue(): Decimal | undefined
  /** Whether a bound by value applies that cannot be checked without a price. */
  needsPrice(move: Move): boolean
  /** Value as guards count it: zero without a price. */
  valueOf(move: Move, units: Decimal): Decimal
  take(move: Move, units: Decimal): void
  copy(): SweepLimits
}

interface Taken {
  readonly units: Map<string, Decimal>
  readonly outflow: Map<string, Decimal>
  readonly contacts: Map<string, Decimal>
  value: Decimal
}

/**
 * `dearPriceOf`: the dearer price of an asset, by which guards count. The move's own price counts where it is higher, or alone.
 */
export function createSweepLimits(limits: PlanLimits, dearPriceOf: DearPriceOf): SweepLimits {
  return limitsFrom(limits, dearPriceOf, { units: new Map(), outflow: new Map(), contacts: new Map(), value: ZERO })
}

type DearPriceOf = (asset: string) => Decimal | null

function limitsFrom(limits: PlanLimits, dearPriceOf: DearPriceOf, taken: Taken): SweepLimits {
  const left = (daily: Decimal | undefined, used: Decimal = ZERO) =>
    daily === undefined ? undefined : greatest(minus(daily, used), ZERO)

  /** Never below the price that the plan uses. */
  const countedPrice = ({ asset, price }: Move) => {
    const dear = dearPriceOf(asset)
    return price === null || dear === null ? price : greatest(price, dear)
  }

  const limitsNow: SweepLimits = {
    allowanceOf(move, within = ZERO) {
      const { asset, contactId } = move
      const price = countedPrice(move)
      const own = limits.assets.get(asset)
      const contact = contactId === undefined ? undefined : limits.contacts.get(contactId)
      const inUnits: Bounds = [
        [`assets.${asset}.largest`, left(own?.largest, within)],
        [`assets.${asset}.daily`, left(own?.leftToday, taken.units.get(asset))],
        ...(contactId === undefined
          ? []
          : [[`dailyOutflow.${asset}`, left(limits.outflow?.get(asset), taken.outflow.get(asset))] as const]),
      ]
      const valueWithin = price === null ? ZERO : multiply(within, price, 'up')
      const inValue: Bounds = [
        ['total.largest', left(limits.largestValue, valueWithin)],
        ['total.daily', limitsNow.leftValue()],
        [`contacts.${contactId}.largest`, left(contact?.largestValue, valueWithin)],
        [`contacts.${contactId}.daily`, left(contact?.leftTodayValue, taken.contacts.get(contactId ?? ''))],
      ]
      return tightest(asset, inUnits, inValue, price)
    },

    leftValue: () => left(limits.leftTodayValue, taken.value),

    needsPrice({ contactId, price }) {
      const contact = contactId === undefined ? undefined : limits.contacts.get(contactId)
      const bounds = [limits.largestValue, limits.leftTodayValue, contact?.largestValue, contact?.leftTodayValue]
      return price === null && bounds.some((bound) => bound !== undefined)
    },

    valueOf(move, units) {
      const price = countedPrice(move)
      return price === null ? ZERO : multiply(units, price, 'up')
    },

    take(move, units) {
      const { asset, contactId } = move
      const price = countedPrice(move)
      const value = price === null ? ZERO : multiply(units, price, 'up')
      taken.value = plus(taken.value, value)
      addTo(taken.units, asset, units)
      if (contactId === undefined) return
      addTo(taken.outflow, asset, units)
      addTo(taken.contacts, contactId, value)
    },

    copy: () =>
      limitsFrom(limits, dearPriceOf, {
        units: new Map(taken.units),
        outflow: new Map(taken.outflow),
        contacts: new Map(taken.contacts),
        value: taken.value,
      }),
  }
  return limitsNow
}

type Bounds = readonly (readonly [guard: string, most: Decimal | undefined])[]

function tightest(asset: string, inUnits: Bounds, inValue: Bounds, price: Decimal | null): Allowance | undefined {
  const allowances: Allowance[] = []
  for (const [guard, most] of inUnits) {
    if (most !== undefined) allowances.push({ most, guard, message: `leaves ${formatDecimal(most)} ${asset}` })
  }
  for (const [guard, value] of inValue) {
    // Without a price see needsPrice. A bound by value does not limit an asset that is worth nothing.
    if (value === undefined || price === null || price === 0n) continue
    allowances.push({ most: divide(value, price, 'down'), guard, message: `leaves a value of ${formatDecimal(value)}` })
  }
  return allowances.reduce<Allowance | undefined>(
    (lowest, other) => (lowest === undefined || other.most < lowest.most ? other : lowest),
    undefined,
  )
}
