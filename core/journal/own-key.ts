// Says whether a read with the key in use proves anything about a movement. A key of another account does not see our
// movements, and may see another movement under the same id. Also sets the pin of the account at its first use.
import { KeyFault, Transient } from '../errors.ts'
import type { KeyReads } from '../service/ports.ts'
import type { Pin, PinnedAccount } from './pinned-account.ts'

/** The key that signed an attempt. */
export interface Signer {
  /**
   * Account of the key that signed, as the service reported it before the send. Absent where the key may not read it.
   */
  readonly account: string | undefined
  readonly kid: string
}

/** A person's statement about the key in use, and what the journal knows against it. */
export interface KeyStatement {
  /** The person states that the key in use is of the account of the key that signed. */
  readonly isSameAccount: boolean
  /** The pinned account, where the journal knows it. */
  readonly pinned: Pin | undefined
}

/**
 * The signer of an attempt. If its key named no account, a person's statement makes the recorded account the signer's.
 */
export function signerOf(attempt: Signer, frozen: string | undefined, statement: KeyStatement | undefined): Signer {
  if (statement?.isSameAccount !== true) return attempt
  return { kid: attempt.kid, account: attempt.account ?? frozen ?? statement.pinned?.account }
}

/**
 * Reads evidence with the key that signed, or with a key of the same account as the service reports it. The key must
 * stay the same during the whole read. `isVouchedFor`: a person states that the accounts are the same. It counts only
 * where neither the service nor the journal knows.
 * @throws KeyFault where the read would prove nothing.
 * @throws Transient
 */
export async function readWithOwnKey<Seen>(
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
 * Makes sure that several reads in a row show the same account.
 * @throws Transient where the key was replaced meanwhile
 */
export async function withOneKey<Seen>(service: KeyReads, read: () => Promise<Seen>): Promise<Seen> {
  const kid = await service.keyInUse()
  const seen = await read()
  await assertKeyKept(kid, service)
  return seen
}

/** @throws Transient where another key is in use now, because the reads may be of two accounts */
export async function assertKeyKept(kid: string, service: KeyReads): Promise<void> {
  if ((await service.keyInUse()) !== kid) throw new Transient('the key was replaced while the service was read')
}

async function assertSameAccount(signer: Signer, kid: string, service: KeyReads, isVouchedFor: boolean): Promise<void> {
  const own = await service.accountOfKey()
  const isOfStage = stageOf(kid) === stageOf(signer.kid)
  const isUnknown = isOfStage && (own === undefined || signer.account === undefined)
  if (isUnknown ? isVouchedFor : isOfStage && own === signer.account) return
  const why = isUnknown
    ? `and nothing shows that both are of one account; put the other key back, or ${SAME_ACCOUNT_HINT}`
    : `and it is of ${accountText(own, kid)}, not of ${accountText(signer.account, signer.kid)}; put a key of that account in its place`
  throw keyFault(`sent with the key ${signer.kid}; the key in use is ${kid}, ${why}`, service)
}

/** The way out where only a person can know. */
export const SAME_ACCOUNT_HINT =
  'where a person knows that they are, settle it by hand: sluice cases resolve INTENT --same-account --movement ID, or --none'

function accountText(account: string | undefined, kid: string): string {
  return `${account === undefined ? 'an account' : `account ${account}`} (${stageOf(kid)})`
}

/**
 * Returns the account of the key in use; `undefined` where the key may not read it. `kid`: prefix of the key that
 * signed for the intent; `undefined` where the journal has lost its attempts.
 * @throws KeyFault for a key that is known to be of another account than the frozen one.
 * @throws Transient
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
 * Guards reads of a withdrawal's result. A key of another account may see another withdrawal under the same id.
 * @throws KeyFault for a key that is not proven to be of the frozen account.
 * @throws Transient
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
 * Returns the account of the key `kid`, which has just signed the request to send; `undefined` where the key may not
 * read it. First argument: the pin when the terms were settled. Another stage may have an account with the same id.
 * @throws KeyFault for a key of another account or stage than the frozen ones.
 * @throws Transient
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

/** The stage of a key, from its prefix. Both stages may have accounts with the same id. */
export function stageOf(kid: string): string {
  return /^svc_(test|live)_/.exec(kid)?.[1] ?? ''
}

/**
 * Returns the pin, and sets it at first use.
 * @throws KeyFault for a key of another account.
 * @throws Transient
 */
export async function settleAccount(pinned: PinnedAccount, service: KeyReads): Promise<Pin | undefined> {
  try {
    const account = await service.accountOfKey()
    return await pinned.settle(account, stageOf(await service.keyInUse()))
  } catch (error) {
    if (error instanceof KeyFault) service.forgetKeys()
    throw error
  }
}

/** Forgets the cached keys, because the right key may be in place now. */
function keyFault(message: string, service: KeyReads): KeyFault {
  service.forgetKeys()
  return new KeyFault(message)
}
