// What an approval covers: the hash of what a plan would move, of the figures that people are shown of it, and of all that
// bounds it. Reasons, labels, positions and the moment are left out. All of it is in the record of the run, so that the
// hash can be made again later.
import type { Plan, PlanLeg } from '../contract/plan.ts'
import { IntentKind } from '../contract/records.ts'
import { hashParams } from '../params-hash.ts'

/** What the legs go under. */
export interface Covered {
  /** With the policy's own guards. */
  readonly policyHash: string
  /** Of the guards of everything, and in what values are told. */
  readonly guardsHash: string
  /** ISO-8601: until when the plan may go on. */
  readonly expiresAt: string
}

/**
 * SHA-256, hex, over the policy and its name, the guards of everything, in what values are told, the turnover, which says
 * how many people must approve, until when it may go on, each leg's key, phase, request, contact and figures, in the order
 * of phase and key, and by which markets each trade goes.
 */
export function hashPlan(
  plan: Pick<Plan, 'policy' | 'kind' | 'valuationAsset' | 'turnover' | 'legs' | 'trades'>,
  { policyHash, guardsHash, expiresAt }: Covered,
): string {
  const { policy, kind, valuationAsset, turnover, trades = [] } = plan
  const legs = plan.legs
    .map((leg) => ({ key: leg.key, phase: leg.phase, kind: leg.kind, request: leg.request, ...shownOf(leg) }))
    .sort((left, right) => left.phase - right.phase || (left.key < right.key ? -1 : 1))
  const ways = trades.map(({ gives, brings, way: { markets } }) => [gives, brings, ...markets].join(' ')).sort()
  return hashParams({ policy, policyHash, kind, valuationAsset, turnover, guardsHash, expiresAt, legs, ways })
}

/** What it gives, brings and is worth, and where it leads, as people saw it. Labels decide nothing, and may be cut. */
function shownOf(leg: PlanLeg) {
  const { value } = leg
  if (leg.kind === IntentKind.Convert) {
    const { market, indicativeRate, gives, brings } = leg
    return { value, market, indicativeRate, gives, brings }
  }
  const { assetSymbol, contactId, fee, total } = leg
  const { alias: _alias, reference: _reference, paidAs: _paidAs, ...payee } = leg.payee ?? {}
  return { value, assetSymbol, contactId, fee, total, ...(leg.payee && { payee }) }
}
