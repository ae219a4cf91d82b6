// Makes the hash that an approval covers: of what a plan would move, of the figures that people see, and of everything that
// bounds it. Reasons, labels, positions and the time of the plan are left out. The run's record holds all that is hashed, so
// that the hash can be made again later.
import type { Plan, PlanLeg } from '../contract/plan.ts'
import { IntentKind } from '../contract/records.ts'
import { hashParams } from '../params-hash.ts'

export interface Covered {
  /** Hash of the policy with its own guards. */
  readonly policyHash: string
  /** Hash of the deployment's guards and of the valuation asset. */
  readonly guardsHash: string
  /** ISO-8601: the plan may be carried out until then. */
  readonly expiresAt: string
}

/**
 * SHA-256, hex, of the policy and its name, the deployment's guards, the valuation asset, the turnover, the expiry, the legs
 * and the markets of each trade. The turnover decides how many people must approve. A leg counts by its key, its name over
 * all runs, phase, request, contact and figures; legs are in the order of phase and key.
 */
export function hashPlan(
  plan: Pick<Plan, 'policy' | 'kind' | 'valuationAsset' | 'turnover' | 'legs' | 'trades'>,
  { policyHash, guardsHash, expiresAt }: Covered,
): string {
  const { policy, kind, valuationAsset, turnover, trades = [] } = plan
  const legs = plan.legs
    .map((leg) => ({ ...idOf(leg), phase: leg.phase, kind: leg.kind, request: leg.request, ...shownOf(leg) }))
    .sort((left, right) => left.phase - right.phase || (left.key < right.key ? -1 : 1))
  const ways = trades.map(({ gives, brings, way: { markets } }) => [gives, brings, ...markets].join(' ')).sort()
  return hashParams({ policy, policyHash, kind, valuationAsset, turnover, guardsHash, expiresAt, legs, ways })
}

/** All that the id of the leg's intent is made from beside the run. Under another id the leg would move once more. */
function idOf({ key, once }: PlanLeg): Pick<PlanLeg, 'key' | 'once'> {
  return { key, ...(once !== undefined && { once }) }
}

/** The leg's figures and destination as people saw them. Labels are left out: they decide nothing, and may be cut. */
function shownOf(leg: PlanLeg) {
  const { value } = leg
  if (leg.kind === IntentKind.Convert) {
    const { market, indicativeRate, gives, brings } = leg
    return { value, market, indicativeRate, gives, brings }
  }
  const { assetSymbol, contactId, fee, total, paidAs } = leg
  const { alias: _alias, reference: _reference, paidAs: _paidAs, ...payee } = leg.payee ?? {}
  const shown = { value, assetSymbol, contactId, fee, total, ...(leg.payee && { payee }) }
  return { ...shown, ...(paidAs !== undefined && { paidAs }) }
}
