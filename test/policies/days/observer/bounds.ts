// No movement exceeds a largest, and no day of sends a daily bound, in any currency or for any contact. Values are by
// the lowest price since the leg began: whatever a guard has read, it was no lower.
import type { Bound } from '../../../../core/contract/guards.ts'
import type { Mids } from './mids.ts'
import { nameOf, type Send } from './sends.ts'

/** Rounding, and a price that moves while it is read. */
const TOLERANCE = 1.0002
const DAY_MS = 86_400_000

interface Counted {
  /** Whose sum: scope and currency. */
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
        found.push(`largest: ${nameOf(send)} gave up ${amount} ${unit}, and ${field}.largest is ${largest}`)
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

/** Any 24 hours, where it is configured so; else the day of the send, UTC. */
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
    // The policy as its run was planned by it: its guards are those of its legs.
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
