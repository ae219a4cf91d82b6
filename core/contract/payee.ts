// What a plan knows of a contact. People who approve the plan read who is paid. The send compares where the contact led
// when the plan was made. Each leg that withdraws has it frozen. Texts are the service's, and null where it has none.
import * as z from 'zod/mini'
import { opaqueId } from './fields.ts'

const told = z.nullable(z.string())

export const payeeFacts = z.object({
  contactId: opaqueId,
  /** Labels, which can be edited: they say who is meant, and decide nothing. */
  alias: told,
  reference: told,
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
