// Owns the facts that are kept of the contact that a withdrawal pays. Says whether the contact has changed since a plan or the
// checks read it. Moves no money.
import { GuardCode } from '../../contract/outcomes.ts'
import { clipped, type PayeeFacts, type PayeeLabels } from '../../contract/payee.ts'
import type { Refusal } from '../../journal/moves.ts'

/** The sub-types that the row of a withdrawal may have, by the type of its contact. */
export const SUB_TYPES: Readonly<Record<string, readonly string[]>> = {
  INTERNAL: ['INTERNAL'],
  EXTERNAL_CRYPTO: ['EXTERNAL_CRYPTO'],
  BANK_ACCOUNT: ['EXTERNAL_FIAT_BANK', 'EXTERNAL_FIAT_REDPAY'],
}

type Text = string | null

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

/** The contacts with exactly this reference or alias, before either is cut. */
export function withLabel<Each extends Pick<ShownContact, 'alias' | 'reference'>>(
  contacts: readonly Each[],
  label: string,
): Each[] {
  return contacts.filter(({ alias, reference }) => alias === label || reference === label)
}

/** Undefined for a payee whose labels were left out, as in a run of very many legs. */
export function labelsOf(payee: PayeeFacts | undefined): PayeeLabels | undefined {
  if (payee === undefined || payee.alias === null) return undefined
  return { alias: payee.alias, reference: payee.reference }
}

/** The payee with the labels under which it was last paid, where they differ. */
export function besidePaidAs(payee: PayeeFacts, paidAs: PayeeLabels | undefined): PayeeFacts {
  const isRenamed = paidAs !== undefined && (paidAs.alias !== payee.alias || paidAs.reference !== payee.reference)
  return { ...payee, ...(isRenamed && { paidAs }) }
}

const DIGITS_SHOWN = 4

/** Shows the last digits of an account's number: nobody may read the whole number in a plan. */
function bankText({ bankName, bankId, bankAccountNumber: number }: NonNullable<ShownContact['bank']>): string | null {
  const bank = clipped(bankName ?? bankId)
  const ending = number === null || number.length <= DIGITS_SHOWN ? null : `account …${number.slice(-DIGITS_SHOWN)}`
  const known = [bank, ending].filter((text) => text !== null)
  return known.length === 0 ? null : known.join(', ')
}

/** Fields that say where the money goes, and when the contact last changed. Labels decide nothing. */
const COMPARED = ['contactId', 'type', 'assetSymbol', 'networkId', 'bank', 'updatedAt'] as const

/** `seenBy`: who read the contact before, as a text. */
export function findContactChange(then: PayeeFacts, now: PayeeFacts, seenBy: string): Refusal | undefined {
  const field = COMPARED.find((each) => then[each] !== now[each])
  if (field === undefined) return undefined
  const why = `contact ${then.contactId} has changed since ${seenBy}: its ${field} was ${then[field]} and is ${now[field]}`
  return { why, guardedBy: GuardCode.Contact }
}
