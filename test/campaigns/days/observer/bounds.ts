// No movement exceeds a largest bound, and no day exceeds a daily bound, in any currency or for any contact. Values use
// the lowest price since the leg began, because no guard can have read a lower one.
import type { Bound } from '../../../../core/contract/guards.ts'
import type { Mids } from './mids.ts'
import { nameOf, type Send } from './sends.ts'

/** Factor for rounding, and for a price that moves while it is read. */
const TOLERANCE = 1.0002
const DAY_MS = 86_400_000

interface Counted {
  /** The sum's scope and currency. */
  readonly key: string
  readonly field: string
  readonly bound: Bound
  readonly isRolling: boolean
  readonly amount: number
  readonly kept: number
  readonly unit: string
}

export function judgeBounds(sends: readonly Send[], mids: Mids): string[] {
  const sums = new Map<string, { readonly atMs: number; readonly kept: number }[]>()
  return sends.flatMap((send) =>
    boundsOf(send, mids).flatMap(({ key, field, bound, isRolling, amount, kept, unit }) => {
      const counted = sums.get(key) ?? []
      sums.set(key, [...counted, { atMs: send.atMs, kept }])
      const found: string[] = []
      const { largest, daily } = bound
      if (largest !== undefined && amount > Number(largest) * TOLERANCE) {
        found.push(`largest: ${nameOf(send)} spent ${amount} ${unit}, and ${field}.largest is ${largest}`)
      }
      if (daily === undefined) return found
      const day = [...counted, { atMs: send.atMs, kept }].filter(({ atMs }) => isCounted(atMs, send.atMs, isRolling))
      const total = day.reduce((all, each) => all + each.kept, 0)
      if (kept > 0 && total > Number(daily) * TOLERANCE) {
        const when = isRolling ? 'within 24 hours' : 'on one day'
        found.push(`daily: with ${nameOf(send)}, ${total} ${unit} left ${when}, and ${field}.daily is ${daily}`)
      }
      return found
    }),
  )
}

/** Whether a send counts: within 24 hours if so configured, else on the same day in UTC. */
function isCounted(atMs: number, nowMs: number, isRolling: boolean): boolean {
  if (isRolling) return nowMs - atMs < DAY_MS
  return Math.floor(atMs / DAY_MS) === Math.floor(nowMs / DAY_MS)
}

function boundsOf(send: Send, mids: Mids): Counted[] {
  const { asset, taken, kept, movement, guards, owner, policies } = send
  const span = { fromMs: send.beganMs, toMs: send.atMs }
  const inValue = (valuationAsset: string) => {
    const price = mids.worth(asset, valuationAsset, span)
    return price === undefined ? undefined : { amount: taken * price, kept: kept * price, unit: valuationAsset }
  }
  const sets = [
    { root: 'guards', guards, value: guards.valuationAsset },
    // The policy at the time of its plan, because its guards apply to its legs.
    ...policies.slice(0, 1).map((policy) => ({
      ...{ root: `policies.${owner}.guards`, guards: policy.guards },
      value: policy.valuationAsset ?? guards.valuationAsset,
    })),
  ]
  return sets.flatMap(({ root, guards: own, value }): Counted[] => {
    const isRolling = (own as { readonly dailyWindow?: string }).dailyWindow === 'rolling'
    const counted = (
      field: string,
      bound: Bound | undefined,
      size: Pick<Counted, 'amount' | 'kept' | 'unit'> | undefined,
    ) =>
      bound === undefined || size === undefined
        ? []
        : [{ key: `${field} ${size.unit}`, field, bound, isRolling, ...size }]
    const units = { amount: taken, kept, unit: asset }
    const daily = 'dailyOutflow' in own && movement.kind === 'withdrawal' ? guards.dailyOutflow[asset] : undefined
    return [
      ...counted(`${root}.total`, own.total, inValue(value)),
      ...counted(`${root}.assets.${asset}`, own.assets?.[asset], units),
      ...counted(`${root}.contacts.${movement.contactId}`, own.contacts?.[movement.contactId ?? ''], inValue(value)),
      ...counted(`${root}.dailyOutflow.${asset}`, daily === undefined ? undefined : { daily }, units),
    ]
  })
}
