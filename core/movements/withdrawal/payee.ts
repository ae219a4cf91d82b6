// From a contact as the service shows it to what a plan freezes of it and a send compares: the same for both.
import type { PayeeFacts } from '../../contract/payee.ts'

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
    ...{ contactId: id, alias: clipped(alias), reference: clipped(reference), type },
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
