// Says whether what the key in use sees proves anything of a movement. A key of another account sees none of our
// movements, and may see another movement under the same id.
import { KeyFault, Transient } from '../errors.ts'
import type { KeyReads } from '../service/ports.ts'
import type { Pin, PinnedAccount } from './pinned-account.ts'

/** Who signed an attempt. */
export interface Signer {
  /** The account of the key that signed, as the service said before the send; absent where the key may not read it. */
  readonly account: string | undefined
  /** Its prefix. */
  readonly kid: string
}

/** What a person says of the key that looks, where the journal cannot tell, and what its records know against it. */
export interface KeyWord {
  /** That it is of the account of the key that signed. */
  readonly isSameAccount: boolean
  /** The account that the journal is about, where it knows it. */
  readonly pinned: Pin | undefined
}

/** Of an attempt whose key named no account: with a person's word the account that the records name is the signer's. */
export function signerOf(attempt: Signer, frozen: string | undefined, word: KeyWord | undefined): Signer {
  if (word?.isSameAccount !== true) return attempt
  return { kid: attempt.kid, account: attempt.account ?? frozen ?? word.pinned?.account }
}

/**
 * For proof: looks with the key that signed, or with one that the service says is of the same account, and with
 * one key from beginning to end. `isVouchedFor`: a person says that it is, which counts where neither the service
 * nor the journal can tell. @throws KeyFault where the look would prove nothing. @throws Transient
 */
export async function lookWithOwnKey<Seen>(
  signer: Signer,
  service: KeyReads,
  look: () => Promise<Seen>,
  isVouchedFor = false,
): Promise<Seen> {
  const kid = await service.keyInUse()
  if (kid !== signer.kid) await assertSameAccount(signer, kid, service, isVouchedFor)
  const seen = await look()
  if ((await service.keyInUse()) !== kid) throw new KeyFault('the key was replaced while the service was looked at')
  return seen
}

/**
 * For what is decided by several reads, one after the other: all of them show one account. @throws Transient where the
 * key was replaced meanwhile
 */
export async function withOneKey<Seen>(service: Pick<KeyReads, 'keyInUse'>, read: () => Promise<Seen>): Promise<Seen> {
  const kid = await service.keyInUse()
  const seen = await read()
  await assertKeyKept(kid, service)
  return seen
}

/** @throws Transient where another key is in use by now: what was read may be of two accounts. */
export async function assertKeyKept(kid: string, service: Pick<KeyReads, 'keyInUse'>): Promise<void> {
  if ((await service.keyInUse()) !== kid) throw new Transient('the key was replaced while the service was read')
}

async function assertSameAccount(signer: Signer, kid: string, service: KeyReads, isVouchedFor: boolean): Promise<void> {
  const own = await service.accountOfKey()
  const isOfStage = stageOf(kid) === stageOf(signer.kid)
  const isUnknown = isOfStage && (own === undefined || signer.account === undefined)
  if (isUnknown ? isVouchedFor : isOfStage && own === signer.account) return
  const why = isUnknown
    ? `and nothing shows that both are of one account; put the other key back, or ${SAY_SAME_ACCOUNT}`
    : `and it is of ${accountText(own, kid)}, not of ${accountText(signer.account, signer.kid)}; put a key of that account in its place`
  throw keyFault(`sent with the key ${signer.kid}; the key in use is ${kid}, ${why}`, service)
}

/** The way out where nobody but a person can tell. */
export const SAY_SAME_ACCOUNT =
  'where a person knows that they are, settle it by hand: sluice cases resolve INTENT --same-account --movement ID, or --none'

function accountText(account: string | undefined, kid: string): string {
  return `${account === undefined ? 'an account' : `account ${account}`} (${stageOf(kid)})`
}

/**
 * The account of the key in use; `undefined` where it may not read it. `kid`: of the key that signed for the intent;
 * `undefined` of one whose attempts the journal has lost.
 * @throws KeyFault for one that is known to be of another account than the frozen one. @throws Transient
 */
export async function assertOwnAccount(
  account: string | undefined,
  kid: string | undefined,
  service: KeyReads,
): Promise<string | undefined> {
  const own = await service.accountOfKey()
  const stage = stageOf(await service.keyInUse())
  if (kid !== undefined && stage !== stageOf(kid))
    throw keyFault(`sent with the key ${kid}; the key in use is a ${stage} key`, service)
  if (account === undefined || own === undefined || own === account) return own
  throw keyFault(
    `the key in use is of account ${own} at the service, and this intent is of account ${account}`,
    service,
  )
}

/**
 * For what became of a withdrawal: under its id a key of another account may see another. @throws KeyFault for a key
 * that is not shown to be of the frozen account. @throws Transient
 */
export async function assertProvenAccount(
  account: string | undefined,
  kid: string | undefined,
  service: KeyReads,
): Promise<void> {
  const own = await assertOwnAccount(account, kid, service)
  if (own !== undefined || (await service.keyInUse()) === kid) return
  throw keyFault('the key in use may not read its account; give it the scope accounts:read', service)
}

/**
 * Returns the account of the key `kid`, which has just signed what is about to be sent; `undefined` where it may not read
 * it. `frozen`: the pin as it was when the terms were settled. Another stage may have an account of the same id.
 * @throws KeyFault for a key of another account or stage than the frozen ones. @throws Transient
 */
export async function accountOfSigner(
  { account, stage }: Partial<Pin>,
  kid: string,
  service: KeyReads,
): Promise<string | undefined> {
  if (stage !== undefined && stageOf(kid) !== stage)
    throw keyFault(`the key ${kid} is a ${stageOf(kid)} key, and this intent is of a ${stage} account`, service)
  const own = await assertOwnAccount(account, kid, service)
  if ((await service.keyInUse()) !== kid) throw new Transient('the key was replaced while a request was signed')
  return own
}

/** The environment that a key is of, as its prefix says: accounts of both may have one id. */
export function stageOf(kid: string): string {
  return /^svc_(test|live)_/.exec(kid)?.[1] ?? ''
}

/** The account that the journal is about, pinned at its first use. @throws KeyFault for a key of another one. @throws Transient */
export async function settleAccount(pinned: PinnedAccount, service: KeyReads): Promise<Pin | undefined> {
  try {
    const account = await service.accountOfKey()
    return await pinned.settle(account, stageOf(await service.keyInUse()))
  } catch (error) {
    if (error instanceof KeyFault) service.forgetKeys()
    throw error
  }
}

/** The right key may be in place by now. */
function keyFault(message: string, service: KeyReads): KeyFault {
  service.forgetKeys()
  return new KeyFault(message)
}
