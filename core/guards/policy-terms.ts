// Finds the policy on whose behalf something moves, as far as guards need it. A policy of the deployed treasury.json is found
// there, by its present or a former name, also for a leg of a run. Only a policy that came with its request is found in its
// run. Anybody who may start an execution can name a run. So only a run's own legs move on its behalf, and each leg's request
// is compared letter by letter.
import * as z from 'zod/mini'
import { policyName } from '../contract/fields.ts'
import type { Guards, PolicyGuards } from '../contract/guards.ts'
import { type PayeeFacts, payeeFacts } from '../contract/payee.ts'
import { INLINE, type Policy, policy } from '../contract/policies.ts'
import { recordKey } from '../contract/records.ts'
import { Refused } from '../errors.ts'
import { createPolicyNames, findPresentName } from '../journal/policy-names.ts'
import { checkRecord } from '../journal/record-format.ts'
import type { RecordStore, StoredRecord } from '../journal/record-store.ts'
import { hashParams } from '../params-hash.ts'
import { nearestHint } from '../treasury/nearest-name.ts'

export interface PolicyTerms {
  readonly name: string
  readonly guards: PolicyGuards
  /** The asset in which its guards give values; absent: the deployment's valuation asset. */
  readonly valuationAsset?: string
  /** Assets through which a price may be found. */
  readonly hubs?: readonly string[]
  /** For a run that a person approved: the hash of the deployment's guards that the approval covers. */
  readonly guardsHash?: string
  /** For a leg that nobody approved, of a policy that asks people: the value of such legs in any 24 hours. */
  readonly unaskedAbove?: string
  /** For a run's withdrawal: the contact as the leg was planned. */
  readonly payee?: PayeeFacts
  /** For a leg that happens once over all runs: the name of its try, and whether people approved it. */
  readonly tried?: { readonly once: string; readonly isApproved: boolean }
}

export interface GuardSettings {
  /** The deployment's guards. */
  readonly everywhere: Guards
  readonly policies: PolicyTermsSource
}

export interface PolicyTermsSource {
  /**
   * `undefined` where nothing moves on behalf of a policy. `intentId`: the intent of the request.
   * @throws Refused for an unknown policy or run, and for a movement that is no leg of the run.
   * @throws Transient, Defect
   */
  find(request: MovementRequest, intentId: string): Promise<PolicyTerms | undefined>
}

/** The fields of a request that name its policy and run; a leg's request is compared whole. */
export interface MovementRequest {
  readonly policy?: string | undefined
  readonly run?: string | undefined
}

/**
 * The leg of this intent as people approved it, from the record of its run; undefined where no rule asked people. A record that
 * differs from what they approved was changed, and is a Defect.
 * @throws Transient, Defect
 */
export type ApprovedLegSource = (
  run: StoredRecord,
  intentId: string,
) => Promise<{ readonly payee?: PayeeFacts | undefined } | undefined>

const plannedLeg = z.object({
  key: z.string(),
  once: z.optional(z.string()),
  request: z.record(z.string(), z.unknown()),
  payee: z.optional(payeeFacts),
})
const frozenLeg = z.object({ key: z.string(), intentId: z.string(), leg: z.optional(plannedLeg) })

/** The fields read from a run's record: its policy by name, the policy as it was planned, and the legs. */
const plannedRun = z.object({
  policy: policyName,
  asPlanned: policy,
  notAfter: z.string(),
  guardsHash: z.optional(z.string()),
  plan: z.optional(z.object({ legs: z.array(plannedLeg) })),
  phases: z.array(z.object({ legs: z.array(frozenLeg) })),
  results: z.optional(z.record(z.string(), z.object({ begunBy: z.optional(z.string()) }))),
})
type PlannedRun = StoredRecord & z.infer<typeof plannedRun>

/** Beginning of the refusal of a row that its run has left to the run named after it. */
export const LEFT_ROW = 'input.run: the run has left this row to run'

export function createPolicyTerms(
  policies: Policies,
  store: RecordStore,
  findApproved: ApprovedLegSource,
): PolicyTermsSource {
  const namesOf = createPolicyNames(store, policies)

  async function readDeployed(name: string): Promise<readonly [name: string, policy: Policy]> {
    const present = await findPresentName(name, policies, namesOf)
    const found = present === undefined ? undefined : policyIn(policies, present)
    if (found === undefined) throw new Refused(unknownText(name, policies))
    return found
  }

  async function readPlanned(run: string): Promise<PlannedRun> {
    const record = await store.read(recordKey.run(run))
    if (record === undefined)
      throw new Refused('input.run: no run has this id; leave the field out to move without a run')
    return checkRecord(plannedRun, record)
  }

  return {
    async find(request, intentId) {
      const { policy: name, run } = request
      if (run !== undefined) {
        const record = await readPlanned(run)
        const { policy: owner, asPlanned, guardsHash } = record
        if (name !== owner) throw new Refused(`input.policy: expected ${owner}, whose run this is`)
        const leg = findLeg(request, intentId, record)
        if (leg === undefined) {
          throw new Refused(
            'input.run: this is no leg of that run as it was planned; leave the field out to move without a run',
          )
        }
        const { begunBy } = record.results?.[intentId] ?? {}
        if (begunBy !== undefined) throw new Refused(`${LEFT_ROW} ${begunBy}`)
        // Checked for every leg of a run: a record without a rule may have been changed after people were asked.
        const approved = await findApproved(record, intentId)
        const isInline = owner.startsWith(INLINE) && !Object.hasOwn(policies, owner)
        const [present, deployed] = isInline ? [owner, asPlanned] : await readDeployed(owner)
        if (approved && hashParams(rulesOf(deployed)) !== hashParams(rulesOf(asPlanned)))
          throw new Refused(`input.policy: ${present} has changed since people approved the run; ask for another run`)
        // A leg that was planned again has the contact of that moment, and people saw an earlier one.
        const { payee } = approved ?? leg
        return {
          ...termsOf(present, deployed),
          ...(approved === undefined && deployed.approval && { unaskedAbove: deployed.approval.above }),
          ...(guardsHash !== undefined && { guardsHash }),
          ...(payee && { payee }),
          ...(leg.once !== undefined && { tried: { once: leg.once, isApproved: approved !== undefined } }),
        }
      }
      if (name === undefined) return undefined
      return termsOf(...(await readDeployed(name)))
    },
  }
}

type Policies = Readonly<Record<string, Policy>>

function unknownText(name: string, policies: Policies): string {
  const hint = nearestHint(name, Object.keys(policies)) || '; name one that it has, or leave it out'
  return `input.policy: treasury.json has no policy ${name}${hint}`
}

/** The policy of treasury.json that has this name, or that says it had it before. */
export function termsIn(policies: Policies, name: string): PolicyTerms | undefined {
  const found = policyIn(policies, name)
  return found && termsOf(...found)
}

function policyIn(policies: Policies, name: string): readonly [name: string, policy: Policy] | undefined {
  if (Object.hasOwn(policies, name)) return [name, policies[name] as Policy]
  return Object.entries(policies).find(([, { was }]) => was === name)
}

/** The rules of a policy that people rely on when they approve a run. */
function rulesOf({ guards, approval }: Policy) {
  return { guards, approval: approval ?? null }
}

/** The leg that the run froze under this id for this movement; undefined for any other movement. */
function findLeg(
  { policy: name, run, ...asked }: MovementRequest,
  intentId: string,
  { phases, plan, notAfter }: PlannedRun,
): z.infer<typeof plannedLeg> | undefined {
  const frozen = phases.flatMap(({ legs }) => legs).find((leg) => leg.intentId === intentId)
  if (frozen === undefined) return undefined
  const leg = frozen.leg ?? plan?.legs.find(({ key }) => key === frozen.key)
  const isAsPlanned = leg !== undefined && hashParams(asked) === hashParams({ ...leg.request, notAfter })
  return isAsPlanned ? leg : undefined
}

function termsOf(name: string, { guards, valuationAsset, hubs }: Policy): PolicyTerms {
  return {
    name,
    guards,
    ...(valuationAsset !== undefined && { valuationAsset }),
    ...(hubs && { hubs }),
  }
}
