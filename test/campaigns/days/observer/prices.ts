// No conversion is worse than worstSlippageBps against the service's own price at that size, neither when it was
// planned nor at its send. Any price that could have been read in that time is accepted.
import type { Mids } from './mids.ts'
import { nameOf, type Send } from './sends.ts'

/** Indicative prices are for about the size of a leg, which guards may reduce. */
const TOLERANCE_BPS = 3
/** A quote lives for five seconds. */
const QUOTE_LIFE_MS = 5_000

export function judgePrices(sends: readonly Send[], mids: Mids): string[] {
  return sends.flatMap((send) => {
    const { atMs, planned, movement } = send
    const { market, side, baseAmount, quoteAmount } = movement
    const worstBps = worstSlippageOf(send)
    if (market === undefined || baseAmount === undefined || worstBps === undefined) return []
    const rate = Number(quoteAmount) / Number(baseAmount)
    const isBuy = side === 'BUY'
    const allowed = (isBuy ? 1 : -1) * ((worstBps + TOLERANCE_BPS) / 10_000)
    const spans = [
      // A price that moves as the planning state is left moves after the plan.
      ['when it was planned', { ...planned, toMs: Math.max(planned.fromMs, planned.toMs - 1) }],
      ['at its send', { fromMs: atMs - QUOTE_LIFE_MS, toMs: atMs }],
    ] as const
    return spans.flatMap(([when, span]) => {
      const { lowest, highest } = mids.rates(market, isBuy ? 'BUY' : 'SELL', baseAmount, span)
      const bound = (isBuy ? highest : lowest) * (1 + allowed)
      if (isBuy ? rate <= bound : rate >= bound) return []
      const asked = isBuy ? highest : lowest
      const bps = Math.abs(rate / asked - 1) * 10_000
      return [
        `price: ${nameOf(send)} ${isBuy ? 'bought' : 'sold'} at ${rate.toFixed(4)}, ${bps.toFixed(0)} bps worse than ${asked.toFixed(4)} ${when}; ${worstBps} are allowed`,
      ]
    })
  })
}

function worstSlippageOf({ guards, policies }: Send): number | undefined {
  const own = policies.map((policy) => policy.guards.worstSlippageBps).filter((bps) => bps !== undefined)
  const bounds = [
    guards.worstSlippageBps,
    ...(own.length < policies.length || own.length === 0 ? [] : [Math.max(...own)]),
  ]
  const known = bounds.filter((bps) => bps !== undefined)
  return known.length === 0 ? undefined : Math.min(...known)
}
