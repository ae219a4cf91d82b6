// Owns which account at the service the key in use belongs to. A key belongs to one account for as long as
// it lives, and its scopes are fixed, so each key is asked about once.
import { Transient } from '../errors.ts'
import type { KeySource } from '../keys/key-source.ts'
import { readAccount } from './account.ts'
import type { KeyReads } from './ports.ts'
import { problemOf } from './problem.ts'
import type { Reader } from './reader.ts'

/** Keys that one environment meets: it is made anew long before it has seen so many. */
const MOST_KEYS = 100

/** Accounts by the key's prefix; `undefined` for one that may not read its account. */
export type KnownAccounts = Map<string, string | undefined>

/** `accounts`: what the environment remembers of its keys. */
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
      // Whose account that is, is known only while one key was in use all the time.
      if ((await keyInUse()) !== kid) throw new Transient('the key was replaced while its account was read')
      if (accounts.size >= MOST_KEYS) accounts.clear()
      accounts.set(kid, account)
      return account
    },
  }
}
