// Whose a residue is: a hub's alone, or what conversions brought to go to one contact. The key under which a policy
// remembers how much of it there is. Pure.
import { isWithdrawing, type Policy, PolicyKind } from '../contract/policies.ts'
import { passingHubsOf } from './policy-hubs.ts'

export interface ResidueOwner {
  /** Settled code. */
  readonly asset: string
  /** Of a policy that withdraws: to whom it was to go. */
  readonly contactId?: string | undefined
}

/** No asset's code holds a space; what a contact's id holds nobody says. */
const BETWEEN = ' '

export function residueKey({ asset, contactId }: ResidueOwner): string {
  return contactId === undefined ? asset : `${asset}${BETWEEN}${contactId}`
}

export function ownerOfResidue(key: string): ResidueOwner {
  const at = key.indexOf(BETWEEN)
  return at < 0 ? { asset: key } : { asset: key.slice(0, at), contactId: key.slice(at + BETWEEN.length) }
}

/** All that runs of the policy may leave and its next run carries on. */
export function residueOwnersOf(policy: Policy, valuationAsset: string): readonly ResidueOwner[] {
  if (!isWithdrawing(policy)) return passingHubsOf(policy, valuationAsset).map((asset) => ({ asset }))
  const routes =
    policy.kind === PolicyKind.Sweep
      ? policy.rules.map(({ convertInto, contactId }) => ({ asset: convertInto, contactId }))
      : [{ asset: policy.into, contactId: policy.contactId }]
  const owners = routes.flatMap(({ asset, contactId }) => (asset === undefined ? [] : [{ asset, contactId }]))
  return [...new Map(owners.map((owner) => [residueKey(owner), owner])).values()]
}

export function carriesOn(policy: Policy, valuationAsset: string, key: string): boolean {
  return residueOwnersOf(policy, valuationAsset).some((owner) => residueKey(owner) === key)
}
