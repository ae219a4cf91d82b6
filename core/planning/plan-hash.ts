// Makes the hash that an approval covers: of what a plan would move, of the figures that people see, and of everything that
// bounds it. Reasons, labels, positions and the time of the plan are left out. The run's record holds all that is hashed, so
// that the hash can be made again later.
import type { Plan, PlanLeg } from '../contract/plan.ts'
import type { Policy } from '../contract/policies.ts'
import { IntentKind } from '../contract/records.ts'
import { hashParams } from '../params-hash.ts'

interface Covered {
  readonly policyHash: string
  /** Hash of the deployment's guards and of the valuation asset. */
  readonly guardsHash: string
  /** ISO-8601: the plan may be carried out until then. */
  readonly expiresAt: string
}

/**
 * The fields that the hash covers. Every other field decides nothing, or may be cut, such as a label. docs/verify-proof.mjs
 * holds this list too, so that both make the same hash.
 */
export const PLAN_HASH = {
  /** The turnover decides how many people must approve. */
  plan: ['policy', 'kind', 'valuationAsset', 'turnover'],
  /** With `key` and `once`, because under another id the leg would move once more. */
  leg: ['key', 'once', 'phase', 'kind', 'request', 'value'],
  convert: ['market', 'indicativeRate', 'gives', 'brings'],
  withdraw: ['assetSymbol', 'contactId', 'fee', 'total', 'payee', 'paidAs', 'backByBalance'],
  leftOutOfPayee: ['alias', 'reference', 'paidAs'],
  /** The former name, because a renamed policy is the same policy; the rows of a run's request, because the legs have them. */
  leftOutOfPolicy: ['was', 'rows'],
} as const

/**
 * SHA-256, hex, of the covered fields, the guards, the policy, the expiry, and the markets of each trade. Legs are in the order
 * of phase and key.
 */
export function hashPlan(plan: Plan, covered: Covered): string {
  const legs = plan.legs
    .map(coveredOfLeg)
    .sort((left, right) => left.phase - right.phase || (left.key < right.key ? -1 : 1))
  const ways = (plan.trades ?? [])
    .map(({ gives, brings, way: { markets } }) => [gives, brings, ...markets].join(' '))
    .sort()
  return hashParams({ ...only(PLAN_HASH.plan, plan), ...covered, legs, ways })
}

/** SHA-256, hex. */
export function hashPolicy(policy: Policy): string {
  return hashParams(without(PLAN_HASH.leftOutOfPolicy, policy))
}

function coveredOfLeg(leg: PlanLeg) {
  const shown =
    leg.kind === IntentKind.Convert
      ? only(PLAN_HASH.convert, leg)
      : {
          ...only(PLAN_HASH.withdraw, leg),
          ...(leg.payee && { payee: without(PLAN_HASH.leftOutOfPayee, leg.payee) }),
        }
  return { ...only(PLAN_HASH.leg, leg), ...shown }
}

/** A field that is absent stays absent in JSON, and so in the hash. */
function only<Of extends object, Field extends keyof Of>(fields: readonly Field[], of: Of): Pick<Of, Field> {
  return Object.fromEntries(fields.map((field) => [field, of[field]])) as Pick<Of, Field>
}

function without(fields: readonly string[], of: object): object {
  return Object.fromEntries(Object.entries(of).filter(([field]) => !fields.includes(field)))
}
