// The price guard decides on the quote of a conversion: is it no worse than the plan, the indicative price and the caller
// allow? Pure and exact. The quoted rate and the rate of the quoted amounts must both pass, because money moves by the
// amounts.

import { type Decimal, divide, formatDecimal, ONE_UNIT, WHOLE_BPS } from '../money/decimal.ts'
import type { GuardSet } from './effective-guards.ts'

export interface PriceGuard {
  readonly side: 'BUY' | 'SELL'
  /** Quote units per settled base unit: the highest rate to pay (BUY), or the lowest to accept (SELL). */
  readonly worstRate: Decimal | undefined
  /** Basis points by which a rate may be worse than `reference` and `planned`. Needs `reference`. */
  readonly maxSlippageBps: number | undefined
  /** Indicative rate when the intent was opened. */
  readonly reference: Decimal | undefined
  /** Indicative rate of the plan, for a leg of a run. */
  readonly planned?: Decimal | undefined
}

/** Amounts in settled units; the rate in quote units per base unit. */
export interface QuotedPrice {
  readonly rate: Decimal
  readonly baseAmount: Decimal
  readonly quoteAmount: Decimal
}

/** A rate as a fraction: no division rounds it. */
interface Fraction {
  readonly over: bigint
  readonly under: bigint
  readonly text: string
}

/** The tightest slippage of a request and of guards, in basis points; `undefined` where nothing bounds it. */
export function tightestSlippage(asked: number | undefined, sets: readonly GuardSet[]): number | undefined {
  const bounds = [asked, ...sets.map(({ guards }) => guards.worstSlippageBps)]
  const known = bounds.filter((bps) => bps !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}

/** `undefined` when the quote passes, else one sentence on the bound that it breaks. */
export function findPriceBreach(quoted: QuotedPrice, guard: PriceGuard): string | undefined {
  const quote = { over: quoted.rate, under: ONE_UNIT, text: `the quoted rate ${formatDecimal(quoted.rate)}` }
  return findBreach(quote, guard) ?? findBreach(impliedRate(quoted, guard.side), guard)
}

/** The rate of the amounts. The text is rounded to our disadvantage; the comparison is exact. */
function impliedRate({ baseAmount, quoteAmount }: QuotedPrice, side: PriceGuard['side']): Fraction {
  const rounding = side === 'BUY' ? 'up' : 'down'
  const text = baseAmount === 0n ? 'of nothing' : formatDecimal(divide(quoteAmount, baseAmount, rounding))
  return { over: quoteAmount, under: baseAmount, text: `the rate ${text} of the quoted amounts` }
}

function findBreach(rate: Fraction, guard: PriceGuard): string | undefined {
  const { side, worstRate, maxSlippageBps, reference, planned } = guard
  const worse = side === 'BUY' ? 'above' : 'below'
  if (worstRate !== undefined && isWorse(side, rate, { over: worstRate, under: ONE_UNIT })) {
    return `${rate.text} is ${worse} worstRate ${formatDecimal(worstRate)}`
  }
  if (maxSlippageBps === undefined) return undefined
  if (reference === undefined) throw new TypeError('maxSlippageBps needs a reference rate')
  const allowance = BigInt(maxSlippageBps)
  const share = side === 'BUY' ? WHOLE_BPS + allowance : WHOLE_BPS - allowance
  const isBeyond = (from: Decimal) => isWorse(side, rate, { over: from * share, under: ONE_UNIT * WHOLE_BPS })
  const breachText = (name: string, from: Decimal) =>
    `${rate.text} is more than ${maxSlippageBps} bps ${worse} ${name} ${formatDecimal(from)}`
  if (isBeyond(reference)) return breachText('the indicative rate', reference)
  if (planned !== undefined && isBeyond(planned)) return breachText('the rate of the plan', planned)
  return undefined
}

function isWorse(
  side: 'BUY' | 'SELL',
  rate: Pick<Fraction, 'over' | 'under'>,
  bound: Pick<Fraction, 'over' | 'under'>,
) {
  const [left, right] = [rate.over * bound.under, bound.over * rate.under]
  return side === 'BUY' ? left > right : left < right
}
