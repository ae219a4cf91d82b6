// What a plan knows of a contact. People who approve the plan read who is paid. The send compares where the contact led
// when the plan was made. Each leg that withdraws has it frozen. Texts are the service's, and null where it has none.
import * as z from 'zod/mini'
import { opaqueId } from './fields.ts'

const told = z.nullable(z.string())

/** Whoever has the bearer secret can edit them: they say who is meant, and decide nothing. */
export const payeeLabels = z.object({ alias: told, reference: told })
export type PayeeLabels = z.infer<typeof payeeLabels>

export const payeeFacts = z.object({
  contactId: opaqueId,
  ...payeeLabels.shape,
  /** The labels under which the policy last paid the contact. Absent: the same as now, or it was never paid. */
  paidAs: z.optional(payeeLabels),
  /** INTERNAL, EXTERNAL_CRYPTO or BANK_ACCOUNT; open. */
  type: z.string(),
  /** Null where the contact takes any asset. */
  assetSymbol: told,
  /** With EXTERNAL_CRYPTO. */
  networkId: told,
  /** With BANK_ACCOUNT: the bank, and how the account's number ends. */
  bank: told,
  /** When it was last changed, as the service tells: in no form that can be relied upon. */
  updatedAt: z.string(),
})
export type PayeeFacts = z.infer<typeof payeeFacts>
