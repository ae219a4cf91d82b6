// Defines the facts that a plan records about a contact. People who approve the plan read who is paid. The send
// compares the contact with these facts, which each leg that withdraws has frozen. Texts come from the service, and are
// null where it has none.
import * as z from 'zod/mini'
import { opaqueId } from './fields.ts'

const serviceText = z.nullable(z.string())

/**
 * The holder of the bearer secret can edit these labels. They help people to recognize a contact, and decide nothing.
 */
export const payeeLabels = z.object({ alias: serviceText, reference: serviceText })
export type PayeeLabels = z.infer<typeof payeeLabels>

/** Characters of a label that are kept: a record keeps 200 payees, and others choose the length of labels. */
const LONGEST_LABEL = 60

/** A label as it is kept: a long label is cut, and ends with "…". */
export function clipped<Label extends string | null>(label: Label): Label | string {
  return label === null || label.length <= LONGEST_LABEL ? label : `${label.slice(0, LONGEST_LABEL)}…`
}

/** A label that asks for a contact. A longer label could not be compared later with what is kept. */
export const askedLabel = z
  .string()
  .check(
    z.regex(/^[^\p{Cc}\p{Zl}\p{Zp}]+$/u, 'text without line breaks and other control characters'),
    z.maxLength(LONGEST_LABEL, `at most ${LONGEST_LABEL} characters; name a contact with a longer label by its id`),
  )

/** A contact that was asked for by a label had this label when it was looked up. */
export function hasLabel(label: string | undefined, { reference, alias }: PayeeLabels): boolean {
  return label === undefined || [reference, alias].includes(label)
}

export const payeeFacts = z.object({
  contactId: opaqueId,
  ...payeeLabels.shape,
  /** The labels under which the policy last paid the contact. Absent: unchanged, or the contact was never paid. */
  paidAs: z.optional(payeeLabels),
  /** INTERNAL, EXTERNAL_CRYPTO or BANK_ACCOUNT; an open set. */
  type: z.string(),
  /** Null where the contact takes any asset. */
  assetSymbol: serviceText,
  /** Only with EXTERNAL_CRYPTO. */
  networkId: serviceText,
  /** Only with BANK_ACCOUNT: the bank, and the last digits of the account's number. */
  bank: serviceText,
  /** When the contact was last changed, as the service states it. The format is not reliable. */
  updatedAt: z.string(),
})
export type PayeeFacts = z.infer<typeof payeeFacts>
