// Reads whom a run pays: its contacts, and how far the payments of a file have come. A long file has thousands of both, which a
// slow service answers in minutes. So they are read before the figures, which must be fresh. Their age does no harm: the id of
// a payment is paid once, and the steps that send compare the contact of their moment with the contact of the plan. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import type { PlanLeg } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import type { ContactFacts, PaymentFacts } from '../../planning/market/snapshot.ts'
import { rowKey } from '../../planning/payouts/rows.ts'
import { contactIdsOf, paymentsOf } from '../../policies/kinds.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { readPayment, readPayments } from './payments.ts'
import { createReadingTime } from './reading-time.ts'
import { readContacts } from './under-way.ts'

export interface Payees {
  readonly contacts: ReadonlyMap<string, ContactFacts>
  /** By the id of a row. Empty for a policy without rows. */
  readonly payments: ReadonlyMap<string, PaymentFacts>
}

type Ports = Pick<RunPorts, 'journal' | 'service' | 'treasury'>

/**
 * Leaves out the contacts of rows that need no leg. `legs`: legs that are planned already, whose contacts are read in any case.
 * Needs a measured clock. @throws TooSlow where one call has no time for them, Transient, Defect
 */
export async function readPayees(
  policy: Policy,
  memory: PolicyRecord,
  ports: Ports,
  legs: readonly PlanLeg[] = [],
): Promise<Payees> {
  const rows = paymentsOf(policy).length
  const time = createReadingTime(ports.service.clock, rows)
  const payments = await readPayments(policy, ports, time.begin(rows))
  const left = paymentsOf(policy).filter(({ id }) => needsLeg(payments.get(id)))
  const named = payments.size === 0 ? contactIdsOf(policy) : left.map(({ contactId }) => contactId)
  const contactIds = [...new Set([...named, ...contactsOf(legs)])]
  return { contacts: await readContacts(contactIds, memory, ports, time.begin(contactIds.length)), payments }
}

/**
 * Only the contacts of planned legs, and their payments as they were planned. Whether the balance still shows a refund is read
 * again. @throws Transient, Defect
 */
export async function readPayeesOf(
  policy: Policy,
  legs: readonly PlanLeg[],
  memory: PolicyRecord,
  ports: Ports,
): Promise<Payees> {
  const planned = new Map(legs.map((leg) => [leg.key, leg]))
  const payments = await mapBounded(paymentsOf(policy), READS_AT_ONCE, async (payment) => {
    const leg = planned.get(rowKey(payment.id))
    if (leg?.once === undefined) return []
    const isUnshown = 'backByBalance' in leg && leg.backByBalance !== undefined
    const facts = isUnshown ? await readPayment(payment, ports) : { once: leg.once }
    return [[payment.id, facts] as const]
  })
  return {
    contacts: await readContacts([...new Set(contactsOf(legs))], memory, ports),
    payments: new Map(payments.flat()),
  }
}

function needsLeg(facts: PaymentFacts | undefined): boolean {
  return facts !== undefined && facts.earlier === undefined && facts.usedUp === undefined
}

function contactsOf(legs: readonly PlanLeg[]): string[] {
  return legs.flatMap((leg) => ('contactId' in leg ? [leg.contactId] : []))
}
