// The contacts that a policy sends to, as planners see them: where they lead, whether a withdrawal of the policy
// has reached them since they were last changed, and whether one is on its way.

import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { type Policy, PolicyKind } from '../../contract/policies.ts'
import { IntentState } from '../../contract/records.ts'
import { FAILED_WITHDRAWAL_STATUSES } from '../../contract/withdraw.ts'
import { payeeOf, type ShownContact } from '../../movements/withdrawal/payee.ts'
import type { ContactFacts } from '../../planning/market/snapshot.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord, ReachedContact } from '../record/policy-record.ts'

export function contactIdsOf(policy: Policy): string[] {
  if (policy.kind === PolicyKind.Sweep) return [...new Set(policy.rules.map(({ contactId }) => contactId))]
  return policy.kind === PolicyKind.ConvertAndWithdraw ? [policy.contactId] : []
}

/** A contact that the service does not know is left out: the planner says so of its legs. @throws Transient, Defect */
export async function readContacts(
  policy: Policy,
  memory: PolicyRecord,
  onTheirWay: ReadonlyMap<string, string>,
  ports: Pick<RunPorts, 'journal' | 'service'>,
): Promise<ReadonlyMap<string, ContactFacts>> {
  const found = await mapBounded(contactIdsOf(policy), READS_AT_ONCE, async (contactId) => {
    const contact = await ports.service.findContact(contactId)
    if (contact === undefined) return undefined
    const reached = await reachedBy(memory.contacts[contactId] ?? {}, ports)
    const unfinished = onTheirWay.get(contactId) ?? reached.unfinished
    return factsOf(contact, { ...reached, ...(unfinished !== undefined && { unfinished }) })
  })
  return new Map(found.flatMap((facts) => (facts === undefined ? [] : [[facts.payee.contactId, facts] as const])))
}

/** What was on its way when its run was settled may have arrived, or failed, since. */
async function reachedBy(
  { provenAt, unfinished }: ReachedContact,
  { journal, service }: Pick<RunPorts, 'journal' | 'service'>,
): Promise<ReachedContact> {
  const proven = provenAt === undefined ? {} : { provenAt }
  if (unfinished === undefined) return proven
  const intent = await journal.find(unfinished)
  if (intent === undefined || intent.state === IntentState.Rejected || intent.state === IntentState.Exhausted) {
    return proven
  }
  const row = intent.ref === undefined ? undefined : await service.findWithdrawal(intent.ref)
  if (row?.status === 'COMPLETED') return { provenAt: intent.createdAt }
  // Settled long ago: what a failed one has not booked by now, it never will.
  if (row !== undefined && FAILED_WITHDRAWAL_STATUSES.has(row.status)) {
    const booking = await service.bookingOf(row)
    if (booking !== 'debited') return proven
  }
  return { ...proven, unfinished }
}

function factsOf(contact: ShownContact, { provenAt, unfinished }: ReachedContact): ContactFacts {
  return {
    payee: payeeOf(contact),
    // Where either time cannot be read the comparison is false: it is proven anew.
    isProven: provenAt !== undefined && Date.parse(provenAt) > Date.parse(contact.updatedAt),
    ...(unfinished !== undefined && { onItsWay: unfinished }),
  }
}
