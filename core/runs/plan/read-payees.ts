// Reads whom a run pays: its contacts, and how far the payments of a file have come. A long file has thousands of both,
// which a slow service answers in minutes. So they are read before the figures, which must be fresh. Their age does no
// harm: the id of a payment is paid once, and the steps that send compare the contact of their moment with the contact
// of the plan. Reads only. A list that takes longer than one call has is refused, with how many rows would fit.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import type { PlanLeg } from '../../contract/plan.ts'
import type { Policy } from '../../contract/policies.ts'
import { Transient } from '../../errors.ts'
import type { ContactFacts, PaymentFacts } from '../../planning/market/snapshot.ts'
import { rowKey } from '../../planning/payouts/rows.ts'
import { contactIdsOf, paymentsOf } from '../../policies/kinds.ts'
import type { ServiceClock } from '../../service/ports.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord } from '../record/policy-record.ts'
import { readPayment, readPayments } from './payments.ts'
import { readContacts } from './under-way.ts'

export interface Payees {
  readonly contacts: ReadonlyMap<string, ContactFacts>
  /** By the id of a row. Empty for a policy without rows. */
  readonly payments: ReadonlyMap<string, PaymentFacts>
}

/**
 * Leaves out the contacts of rows that need no leg. `legs`: legs that are planned already, whose contacts are read in any case.
 * Needs a measured clock. @throws TooSlow where one call has no time for them, Transient, Defect
 */
export async function readPayees(
  policy: Policy,
  memory: PolicyRecord,
  ports: RunPorts,
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
  ports: RunPorts,
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

/** Milliseconds for reading the payees. A call lives for 240 s, and prices and balances take some thirty reads more. */
const MOST_MS_OF_PAYEES = 205_000
/** Milliseconds until the pace is judged: a single slow read counts for little then. */
const FIRST_MS = 60_000

/** It takes longer than a call has. Nothing was planned. */
export class TooSlow extends Transient {}

interface ReadingTime {
  /** `of`: how many reads the list takes. The returned function is called after each of them. @throws TooSlow */
  begin(of: number): () => void
}

export function createReadingTime(clock: ServiceClock, rows: number): ReadingTime {
  const begunMs = clock.nowMs()
  return {
    begin(of) {
      const listMs = clock.nowMs()
      let done = 0
      return () => {
        done += 1
        const nowMs = clock.nowMs()
        // Reads that are under way count as done, so that a list is refused only where it surely takes too long.
        const ahead = Math.min(done + READS_AT_ONCE - 1, of)
        const msPerRead = (nowMs - listMs) / ahead
        const wholeMs = nowMs - begunMs + msPerRead * (of - ahead)
        if (nowMs - begunMs < FIRST_MS || wholeMs <= MOST_MS_OF_PAYEES) return
        throw new TooSlow(tooSlowText(rows, wholeMs, 1_000 / msPerRead))
      }
    },
  }
}

function tooSlowText(rows: number, wholeMs: number, perSecond: number): string {
  const share = MOST_MS_OF_PAYEES / wholeMs
  const most = Math.max(Math.floor(rows * share * 0.9), 1)
  const needed = Math.ceil(perSecond / share / 0.9)
  const seconds = (ms: number) => Math.round(ms / 1000)
  return (
    `reading whom ${rows} rows pay would take ${seconds(wholeMs)} s, and a plan has ${seconds(MOST_MS_OF_PAYEES)} s: ` +
    `the service answers ${perSecond.toFixed(1)} reads a second. Pay at most ${most} rows in one file, ` +
    `or have the limit of the key raised to ${needed} reads a second`
  )
}
