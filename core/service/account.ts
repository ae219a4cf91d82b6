// Reads the service's health, and the account that the current key belongs to: GET /v2/health (section "System and
// public") and GET /v2/account (section "AccountResource"). A key keeps its account and scopes for life, so each key
// is asked about once.
import * as z from 'zod/mini'
import { Transient } from '../errors.ts'
import type { KeySource } from '../keys/key-source.ts'
import { id, label, text, textOrNull } from './fields.ts'
import type { KeyReads } from './ports.ts'
import { problemOf } from './problem.ts'
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

/** Maximum number of remembered keys. An execution environment is replaced long before it has used so many. */
const MOST_KEYS = 100

/** Accounts by the key's prefix; `undefined` for a key that may not read its account. */
type KnownAccounts = Map<string, string | undefined>

/** `accounts`: the accounts that this execution environment remembers. */
export function createKeyAccount(
  keys: KeySource,
  reader: Pick<Reader, 'read'>,
  accounts: KnownAccounts = new Map(),
): KeyReads {
  async function keyInUse(): Promise<string> {
    return (await keys.current()).prefix
  }

  return {
    keyInUse,
    forgetKeys: keys.forget,

    async accountOfKey() {
      const kid = await keyInUse()
      if (accounts.has(kid)) return accounts.get(kid)
      const account = await readAccount(reader).then(
        ({ id }) => id,
        (error: unknown) => {
          if (problemOf(error)?.code === 'insufficient_scope') return undefined
          throw error
        },
      )
      // The account belongs to this key only if the key stayed the same during the read.
      if ((await keyInUse()) !== kid) throw new Transient('the key was replaced while its account was read')
      if (accounts.size >= MOST_KEYS) accounts.clear()
      accounts.set(kid, account)
      return account
    },
  }
}

const health = z.object({
  /** Open set. `MAINTENANCE` means that every other route answers 503. */
  status: text,
})
export type Health = z.output<typeof health>

/** Works also during maintenance, and without a key. */
export function readHealth(reader: Reader): Promise<Health> {
  return reader.readOpenly({ endpoint: 'GET /v2/health', target: '/v2/health', shape: health })
}
