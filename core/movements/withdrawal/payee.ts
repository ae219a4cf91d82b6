// The contact that a withdrawal pays: what is kept of it as the service shows it, and whether it has changed since a
// plan or the checks looked at it. Moves no money.
import { GuardCode } from '../../contract/outcomes.ts'
import type { PayeeFacts } from '../../contract/payee.ts'
import type { WithdrawFrozen } from '../../journal/intent.ts'
import type { Refusal } from '../../journal/moves.ts'
import type { WithdrawalReads } from './ports.ts'

type Text = string | null

/** A contact as the service shows it: the fields that say who is paid. */
export interface ShownContact {
  readonly id: string
  readonly type: string
  readonly alias: string
  readonly reference: Text
  readonly updatedAt: string
  readonly crypto?: { readonly assetSymbol: Text; readonly networkId: Text } | undefined
  readonly bank?:
    | {
        readonly assetSymbol: Text
        readonly bankId: Text
        readonly bankName: Text
        readonly bankAccountNumber: Text
      }
    | undefined
}

export function payeeOf({ id, type, alias, reference, updatedAt, crypto, bank }: ShownContact): PayeeFacts {
  return {
    contactId: id,
    alias: clipped(alias),
    reference: clipped(reference),
    type,
    assetSymbol: crypto?.assetSymbol ?? bank?.assetSymbol ?? null,
    networkId: crypto?.networkId ?? null,
    bank: bank === undefined ? null : bankText(bank),
    updatedAt,
  }
}

/** A record keeps two hundred payees; labels are as long as others like. */
const LONGEST_LABEL = 60

function clipped<Label extends Text>(label: Label): Label | string {
  return label === null || label.length <= LONGEST_LABEL ? label : `${label.slice(0, LONGEST_LABEL)}…`
}

const DIGITS_SHOWN = 4

/** The whole number of an account is nobody's to read in a plan. */
function bankText({ bankName, bankId, bankAccountNumber: number }: NonNullable<ShownContact['bank']>): string | null {
  const bank = clipped(bankName ?? bankId)
  const ending = number === null || number.length <= DIGITS_SHOWN ? null : `account …${number.slice(-DIGITS_SHOWN)}`
  const known = [bank, ending].filter((text) => text !== null)
  return known.length === 0 ? null : known.join(', ')
}

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
