// The policy on whose behalf something moves, as far as guards go: from treasury.json by its name, or as it
// was when its run was planned.
import * as z from 'zod/mini'
import { policyName } from '../../contract/fields.ts'
import type { PolicyGuards } from '../../contract/guards.ts'
import { type Policy, policy } from '../../contract/policies.ts'
import { recordKey } from '../../contract/records.ts'
import { Defect, Refused } from '../errors.ts'
import type { RecordStore } from '../journal/record-store.ts'

export interface PolicyTerms {
  readonly name: string
  readonly guards: PolicyGuards
  /** What the values of its guards are told in; absent: what the deployment's are. */
  readonly valuationAsset?: string
  /** Assets through which a price may be found. */
  readonly hubs?: readonly string[]
}

export interface PolicyTermsSource {
  /**
   * `undefined` where nothing moves on behalf of a policy.
   * @throws Refused for a policy or a run that is not known. @throws Transient
   */
  find(request: {
    readonly policy?: string | undefined
    readonly run?: string | undefined
  }): Promise<PolicyTerms | undefined>
}

/** What is read of a run's record: whose run it is, and the policy as it was when it was planned. */
const planned = z.object({ policy: policyName, asPlanned: policy })

/** `store`: where the records of runs are. */
export function createPolicyTerms(
  policies: Readonly<Record<string, Policy>>,
  store: Pick<RecordStore, 'read'>,
): PolicyTermsSource {
  async function readPlanned(run: string): Promise<z.infer<typeof planned>> {
    const record = await store.read(recordKey.run(run))
    if (record === undefined) throw new Refused('input.run: no run has this id; leave it out to move without one')
    const parsed = planned.safeParse(record)
    if (!parsed.success) throw new Defect(`the record of run ${run} does not hold the policy that it was planned by`)
    return parsed.data
  }

  return {
    async find({ policy: name, run }) {
      if (run !== undefined) {
        const { policy: owner, asPlanned } = await readPlanned(run)
        if (name !== owner) throw new Refused(`input.policy: expected ${owner}, whose run this is`)
        return termsOf(owner, asPlanned)
      }
      if (name === undefined) return undefined
      const known = Object.hasOwn(policies, name) ? policies[name] : undefined
      if (known === undefined) {
        throw new Refused(`input.policy: treasury.json has no policy ${name}; name one that it has, or leave it out`)
      }
      return termsOf(name, known)
    },
  }
}

function termsOf(name: string, { guards, valuationAsset, hubs }: Policy): PolicyTerms {
  return { name, guards, ...(valuationAsset !== undefined && { valuationAsset }), ...(hubs && { hubs }) }
}
