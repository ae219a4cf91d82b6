// Whether what the key in use sees, or does not see, says anything of a movement. A key of another account
// sees none of ours, and may see another movement under the same id.
import { KeyFault, Transient } from '../errors.ts'
import type { KeyReads } from '../service/ports.ts'

/** What an intent remembers of its account and key. */
export interface Signed {
  /** The account that was frozen in the intent; absent where no key could tell it. */
  readonly account: string | undefined
  /** Of the key that signed the attempt. */
  readonly kid: string
}

/**
 * For proof: looks with the key that signed, or with one that the service says is of the frozen account, and
 * with the same one from beginning to end. @throws KeyFault where the look would prove nothing. @throws Transient
 */
export async function lookWithOwnKey<Seen>(
  signed: Signed,
  service: KeyReads,
  look: () => Promise<Seen>,
): Promise<Seen> {
  const kid = await service.keyInUse()
  if (kid !== signed.kid) await assertOfAccount(signed, kid, service)
  const seen = await look()
  if ((await service.keyInUse()) !== kid) throw new KeyFault('the key was replaced while the service was looked at')
  return seen
}

async function assertOfAccount({ account, kid: signer }: Signed, kid: string, service: KeyReads): Promise<void> {
  const own = await service.accountOfKey()
  if (own !== undefined && own === account) return
  const why =
    own === undefined || account === undefined
      ? 'and nothing shows that both are of one account; give it the scope accounts:read, or put the other key back'
      : `and it is of account ${own}, not of ${account}; put a key of that account in its place`
  throw new KeyFault(`sent with the key ${signer}; the key in use is ${kid}, ${why}`)
}

/** @throws KeyFault for a key in use that is known to be of another account than the frozen one. @throws Transient */
export async function assertOwnAccount(account: string | undefined, service: KeyReads): Promise<void> {
  if (account === undefined) return
  const own = await service.accountOfKey()
  if (own === undefined || own === account) return
  throw new KeyFault(`the key in use is of account ${own} at the service, and this intent is of account ${account}`)
}

/**
 * Of what was just signed, before it is sent. `isSilenceFine`: whether a key that may not read its account is taken
 * at its word; else it sends nothing. @throws KeyFault, Transient
 */
export async function assertSignedFor(
  { account, kid }: Signed,
  isSilenceFine: boolean,
  service: KeyReads,
): Promise<void> {
  await assertOwnAccount(account, service)
  if (!isSilenceFine && (await service.accountOfKey()) === undefined)
    throw new KeyFault(`the key ${kid} may not read its account; give it the scope accounts:read`)
  if ((await service.keyInUse()) !== kid) throw new Transient('the key was replaced while a request was signed')
}
