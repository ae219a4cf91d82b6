// Reads what is under way, in the form that planners use. An intent in doubt blocks its assets: its movement may or may not be
// in the figures, so nothing is planned with them. A contact is read with its destination. It also shows whether a withdrawal
// of the policy has reached it since it last changed, and whether a withdrawal is on its way. Reads only.
import { mapBounded, READS_AT_ONCE } from '../../bounded.ts'
import { IntentKind, IntentState, listing } from '../../contract/records.ts'
import { FAILED_WITHDRAWAL_STATUSES } from '../../contract/withdraw.ts'
import { type Intent, isConversion, type WithdrawIntent } from '../../journal/intent.ts'
import { findNamed } from '../../journal/journal.ts'
import { readNamed } from '../../journal/listed-records.ts'
import { besidePaidAs, labelsOf, payeeOf, type ShownContact } from '../../movements/withdrawal/payee.ts'
import { readBooking } from '../../movements/withdrawal/report.ts'
import type { ContactFacts } from '../../planning/market/snapshot.ts'
import type { RunPorts } from '../ports.ts'
import type { PolicyRecord, ReachedContact } from '../record/policy-record.ts'

/** Maximum open intents: with more, nothing is planned. */
const MOST_OPEN_INTENTS = 1_000

export interface OpenIntents {
  /** By asset code: the intent in doubt. */
  readonly inDoubt: ReadonlyMap<string, string>
  /** By contact id: the withdrawal to it that has not ended. */
  readonly onTheirWay: ReadonlyMap<string, string>
}

/** @throws Transient, Defect beyond 1,000 open intents */
export async function findOpenIntents({ journal, index }: Pick<RunPorts, 'journal' | 'index'>): Promise<OpenIntents> {
  const names = await index.list(listing.open, MOST_OPEN_INTENTS)
  const intents = await readNamed(names, (name) => findNamed(journal, name))
  const inDoubt = new Map<string, string>()
  const onTheirWay = new Map<string, string>()
  for (const intent of intents) {
    // A READY intent has nothing under way that could change the figures.
    const isDoubtful = intent.state === IntentState.Armed || intent.state === IntentState.Escalated
    if (isDoubtful) for (const asset of assetsOf(intent)) inDoubt.set(asset, intent.intentId)
    const contactId = isConversion(intent) ? undefined : contactOf(intent)
    if (contactId !== undefined && (isDoubtful || intent.state === IntentState.Ready)) {
      onTheirWay.set(contactId, intent.intentId)
    }
  }
  return { inDoubt, onTheirWay }
}

/** For an intent that the journal had lost, only the request is known, and perhaps a part of it. */
function assetsOf(intent: Intent): readonly string[] {
  if (isConversion(intent)) return [intent.params.baseAsset, intent.params.quoteAsset].filter(isText)
  return [{ ...intent.params, ...intent.frozen }.assetSymbol].filter(isText)
}

function contactOf({ params, frozen }: WithdrawIntent): string | undefined {
  const { contactId } = { ...params, ...frozen }
  return isText(contactId) ? contactId : undefined
}

function isText(value: unknown): value is string {
  return typeof value === 'string'
}

/**
 * A contact that the service does not know is left out: the planner then gives the reason for its legs. `onRead` is called
 * after each contact.
 * @throws Transient, Defect, what `onRead` throws
 */
export async function readContacts(
  contactIds: readonly string[],
  memory: PolicyRecord,
  ports: Pick<RunPorts, 'journal' | 'service' | 'treasury'>,
  onRead: () => void = () => undefined,
): Promise<ReadonlyMap<string, ContactFacts>> {
  const found = await mapBounded(contactIds, READS_AT_ONCE, async (contactId) => {
    const contact = await ports.service.findContact(contactId)
    const facts = contact && factsOf(contact, await reachedBy(memory.contacts[contactId] ?? {}, ports))
    onRead()
    return facts
  })
  return new Map(found.flatMap((facts) => (facts === undefined ? [] : [[facts.payee.contactId, facts] as const])))
}

/** The contacts with the withdrawals of all policies that have not ended. */
export function withOnTheirWay(
  contacts: ReadonlyMap<string, ContactFacts>,
  { onTheirWay }: OpenIntents,
): ReadonlyMap<string, ContactFacts> {
  return new Map(
    [...contacts].map(([id, facts]) => {
      const onItsWay = onTheirWay.get(id)
      return [id, onItsWay === undefined ? facts : { ...facts, onItsWay }]
    }),
  )
}

/** A withdrawal that was on its way when its run was settled may have arrived or failed since. */
async function reachedBy(
  { unfinished, ...proven }: ReachedContact,
  { journal, service, treasury }: Pick<RunPorts, 'journal' | 'service' | 'treasury'>,
): Promise<ReachedContact> {
  if (unfinished === undefined) return proven
  const intent = await journal.find(unfinished, IntentKind.Withdraw)
  if (intent === undefined || intent.state === IntentState.Rejected || intent.state === IntentState.Exhausted) {
    return proven
  }
  const row = intent.ref === undefined ? undefined : await service.findWithdrawal(intent.ref)
  if (row?.status === 'COMPLETED') {
    const paidAs = 'payee' in intent.frozen ? labelsOf(intent.frozen.payee) : undefined
    return { ...proven, provenAt: intent.createdAt, ...(paidAs && { paidAs }) }
  }
  // The withdrawal was sent long ago. If it failed, ledger entries that are missing now will never come.
  if (row !== undefined && FAILED_WITHDRAWAL_STATUSES.has(row.status)) {
    const { booking } = await readBooking(row, intent, treasury.timing, true, service)
    if (booking === 'none' || booking === 'refunded') return proven
  }
  return { ...proven, unfinished }
}

function factsOf(contact: ShownContact, { provenAt, paidAs, unfinished }: ReachedContact): ContactFacts {
  return {
    payee: besidePaidAs(payeeOf(contact), paidAs),
    // Where either time cannot be read, the comparison is false: the contact must be proven again.
    isProven: provenAt !== undefined && Date.parse(provenAt) > Date.parse(contact.updatedAt),
    ...(unfinished !== undefined && { onItsWay: unfinished }),
  }
}
