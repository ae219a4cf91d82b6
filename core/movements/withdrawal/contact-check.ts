// The contact of a withdrawal, compared with what was seen of it before: by the plan, where there is one, when the
// intent is opened; and by those checks, where they are old, right before the send. Moves no money.
import { GuardCode } from '../../contract/outcomes.ts'
import type { PayeeFacts } from '../../contract/payee.ts'
import type { Refusal } from '../../journal/intent.ts'
import type { WithdrawalReads } from './ports.ts'
import type { WithdrawFrozen } from './withdraw-intent.ts'

/** So long a look at a contact is good for. An intent that waits for its turn, or for a fence, may be hours old. */
const LOOK_GOOD_FOR_MS = 60_000

/** Where it leads, and when it was last changed. Labels say who is meant, and decide nothing. */
const COMPARED = ['contactId', 'type', 'assetSymbol', 'networkId', 'bank', 'updatedAt'] as const

/** `seenBy`: whose look it was, in words. */
export function findContactChange(then: PayeeFacts, now: PayeeFacts, seenBy: string): Refusal | undefined {
  const field = COMPARED.find((each) => then[each] !== now[each])
  if (field === undefined) return undefined
  const why = `contact ${then.contactId} has changed since ${seenBy}: its ${field} was ${then[field]} and is ${now[field]}`
  return { why, guardedBy: GuardCode.Contact }
}

/** Reads it again only where the look of the checks is too old. @throws Refused where it is gone. @throws Transient, Defect */
export async function findChangedContact(
  { payee }: WithdrawFrozen,
  service: Pick<WithdrawalReads, 'clock' | 'contact'>,
): Promise<Refusal | undefined> {
  if (payee === undefined) return undefined
  const ageMs = service.clock.nowMs() - Date.parse(payee.seenAt)
  // A look that is still to come was dated by a clock that was set.
  if (ageMs >= 0 && ageMs <= LOOK_GOOD_FOR_MS) return undefined
  return findContactChange(payee, await service.contact(payee.contactId), 'it was checked')
}
