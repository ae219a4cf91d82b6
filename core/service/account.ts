// Reads the account that the key belongs to: GET /v2/account (section "AccountResource"). Decides nothing.
import * as z from 'zod/mini'
import { id, label, text, textOrNull } from './fields.ts'
import type { Reader } from './reader.ts'

const account = z.object({
  id,
  username: label,
  email: label,
  fullName: label,
  nationalId: textOrNull,
  verificationStatus: text,
  /** Currency of `balancePrefCurrency` on balances. */
  preferredCurrency: text,
})
export type Account = z.output<typeof account>

export function readAccount(reader: Pick<Reader, 'read'>): Promise<Account> {
  return reader.read({ endpoint: 'GET /v2/account', target: '/v2/account', shape: account })
}
