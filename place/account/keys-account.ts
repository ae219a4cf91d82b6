// Asks the service which account the keys belong to, and compares the answers with the account of a state directory. A
// key that may not read its account is known by its prefix only. An account's id does not identify the service or the
// environment: two services may use the same id, and so may test and live. Moves nothing and writes nothing.

import type { Clock } from '../../core/clock.ts'
import { Transient } from '../../core/errors.ts'
import { stageOf } from '../../core/journal/own-key.ts'
import type { ServiceKey } from '../../core/keys/key-source.ts'
import type { Account } from '../../core/service/account.ts'
import { problemOf } from '../../core/service/problem.ts'
import { ExitCode } from '../exit-code.ts'
import { advice, option, type Step } from '../next-step.ts'
import { failedWith, OperationError, usageError } from '../operation-error.ts'
import { withConnection } from '../service/service-connection.ts'
import { serviceFailure } from '../service/service-failure.ts'
import { type AccountPin, accountDigest, pinFile } from '../state/account-pin.ts'

export interface KeyAnswer {
  readonly prefix: string
  /** Absent where the key may not read its account. */
  readonly accountId?: string
  /** The account as the service shows it; absent with its id. */
  readonly account?: Account
  /** Why the account is absent. */
  readonly refusal?: unknown
}

/** Asks once for each key. @throws OperationError (exit 1) when the service does not answer */
export async function askAccounts(url: string, keys: readonly ServiceKey[], clock: Clock): Promise<KeyAnswer[]> {
  const answers: KeyAnswer[] = []
  for (const key of keys) {
    if (answers.some(({ prefix }) => prefix === key.prefix)) continue
    answers.push(await askAccount(url, key, clock))
  }
  return answers
}

async function askAccount(baseUrl: string, key: ServiceKey, clock: Clock): Promise<KeyAnswer> {
  const { prefix } = key
  try {
    const account = await withConnection({ baseUrl, key, clock }, (client) => client.account())
    return { prefix, accountId: account.id, account }
  } catch (error) {
    if (!(error instanceof Transient)) return { prefix, refusal: error }
    const message = `${error.message}; this command has sent nothing`
    const next = 'run the same command again'
    throw failedWith('unreachable', message, next, error)
  }
}

/**
 * The one account that the keys name; undefined where no key names it.
 * @throws OperationError (exit 2) for two accounts
 */
export function accountOf(answers: readonly KeyAnswer[]): string | undefined {
  const named = answers.flatMap(({ accountId }) => accountId ?? [])
  const other = named.find((accountId) => accountId !== named[0])
  if (other === undefined) return named[0]
  throw usageError(
    'keys',
    advice`${option('keys')}: expected keys of one account; got keys of ${named[0]} and of ${other}; nothing was sent`,
    'give the keys of one account: one key for everything, or one for each role',
  )
}

/** Checks keys at the first use. @throws OperationError where a key cannot be used at all */
export function assertUsable(answers: readonly KeyAnswer[]): void {
  for (const { refusal } of answers) if (isUnusable(refusal)) throw serviceFailure(refusal)
}

/**
 * Checks keys that were all never used before. A single key stands for its account, whether it names it or not. Several
 * keys read and send, so each must name the account.
 * @throws OperationError (exit 2)
 */
export function assertNamed(answers: readonly KeyAnswer[]): void {
  const silent = answers.find(({ accountId }) => accountId === undefined)
  if (answers.length <= 1 || silent === undefined) return
  throw usageError(
    'keys',
    advice`${option('keys')}: ${answers.length} keys of which ${silent.prefix} may not read its account: whether they are keys of one account is not known; nothing was sent`,
    'give keys with the scope accounts:read, or one key for everything',
  )
}

/** The known facts of the account that the records belong to. */
type KnownAccount = Pick<AccountPin, 'account' | 'keys' | 'addresses'>

/** The keys of a command, with the service's answers about them at an address. */
export interface UsedKeys {
  readonly answers: readonly KeyAnswer[]
  readonly url: string
  /** Whether a person vouches that the keys belong to the account, where nothing else proves it. */
  readonly isVouchedFor?: boolean
}

/**
 * Checks that every key belongs to the account: the key names it, or was used here before. `url` must lead to the
 * service of the records, in their environment.
 * @throws OperationError, mostly exit 2
 */
export function assertKeysFit(known: KnownAccount, used: UsedKeys, stateDir: string): void {
  const { answers, isVouchedFor = false } = used
  const accountId = accountOf(answers)
  if (accountId !== undefined && known.account !== undefined && accountDigest(accountId) !== known.account) {
    throw otherAccount(accountId, stateDir)
  }
  assertSameService(known, used, stateDir)
  if (isVouchedFor) return
  const isKnown = ({ prefix }: KeyAnswer) => known.keys.includes(prefix)
  if (known.account === undefined && !answers.some(isKnown)) throw begunWithOtherKeys(known.keys, stateDir)
  for (const answer of answers) {
    if (isKnown(answer) || answer.accountId !== undefined) continue
    if (isUnusable(answer.refusal)) throw serviceFailure(answer.refusal)
    throw unnamed(answer.prefix, stateDir)
  }
}

/**
 * Accepts a new address with new keys only where a key names the account and a person vouches for the service.
 * @throws OperationError (exit 2)
 */
function assertSameService(
  { account, keys, addresses }: KnownAccount,
  { answers, url, isVouchedFor = false }: UsedKeys,
  stateDir: string,
): void {
  const stages = new Set(keys.map(stageOf))
  const other = answers.find(({ prefix }) => !stages.has(stageOf(prefix)))
  if (other !== undefined) throw otherEnvironment(stageOf(other.prefix), [...stages], stateDir)
  if (addresses.includes(url)) return
  // A key that was used before, and that this service knows, proves that it is the same service.
  if (answers.some((answer) => keys.includes(answer.prefix) && isHonoured(answer))) return
  const namesIt = account !== undefined && accountOf(answers) !== undefined
  if (!(isVouchedFor && namesIt)) throw unknownService(url, addresses, stateDir, namesIt)
}

/** Checks keys that a person vouches for. @throws OperationError for a key that the service does not know */
export function assertHonoured(answers: readonly KeyAnswer[]): void {
  for (const answer of answers) if (!isHonoured(answer)) throw serviceFailure(answer.refusal)
}

/** Whether the service knows the key, whatever the key may do there. */
function isHonoured({ accountId, refusal }: KeyAnswer): boolean {
  return accountId !== undefined || problemOf(refusal)?.code === 'insufficient_scope'
}

/**
 * Whether the key itself was refused. A missing scope does not count, and neither does an account that cannot be read.
 */
function isUnusable(refusal: unknown): boolean {
  const code = refusal === undefined ? undefined : problemOf(refusal)?.code
  return code !== undefined && KEY_REFUSALS.has(code)
}

const KEY_REFUSALS: ReadonlySet<string> = new Set([
  'unauthorized',
  'key_expired',
  'key_revoked',
  'ip_not_allowed',
  'api_access_disabled',
])

export function otherAccount(accountId: string, stateDir: string): OperationError {
  return usageError(
    'keys',
    advice`${option('keys')}: these are keys of account ${accountId}, and ${stateDir} keeps the records of another account; nothing was sent`,
    advice`give the keys of that account, or name the state directory of this one with ${option('state')} DIR: each account has its own`,
  )
}

export function otherEnvironment(stage: string, known: readonly string[], stateDir: string): OperationError {
  return usageError(
    'keys',
    advice`${option('keys')}: these are ${stage} keys, and ${stateDir} keeps the records of an account of ${known.join(', ')} keys, which is another account whatever its id; nothing was sent`,
    advice`give keys of that environment, or name a state directory of its own for this one with ${option('state')} DIR`,
  )
}

/** `namesIt`: whether a key names the account of the records. A person may then vouch for the service. */
function unknownService(url: string, addresses: readonly string[], stateDir: string, namesIt: boolean): OperationError {
  const adopt = namesIt ? advice`, or where you know that it is the same service: ${adopting(stateDir)}` : ''
  return usageError(
    'keys',
    advice`${option('service')}: ${stateDir} keeps the records of an account that was reached at ${addresses.join(', ')}; neither ${url} nor these keys were used there before, and nothing shows that it is the same service; nothing was sent`,
    advice`use the new key at the known address first, or a known key at the new address${adopt}; another service needs a state directory of its own (${option('state')} DIR)`,
  )
}

function adopting(stateDir: string): Step {
  return { do: 'adopt-keys', at: { state: stateDir, service: 'URL', keys: 'FILE' } }
}

/** Records without account.json: their service and keys are unknown. */
export function pinMissing(stateDir: string): OperationError {
  return new OperationError({
    exitCode: ExitCode.NeedsPerson,
    code: 'state_unusable',
    message: `${pinFile(stateDir)} is missing, so whose records ${stateDir} keeps is not known; this command has sent nothing`,
    next: advice`put it back from a copy of the directory; where there is none, a key that names the account of the journal is taken by ${adopting(stateDir)}`,
  })
}

export function nothingToAdopt(stateDir: string): OperationError {
  return usageError(
    'keys',
    advice`${option('state')}: ${stateDir} keeps no records of a service yet, so there is no account to take a key for; nothing was written`,
    advice`name the state directory with ${option('state')} DIR; a new one takes the keys of its first run`,
  )
}

function begunWithOtherKeys(prefixes: readonly string[], stateDir: string): OperationError {
  return usageError(
    'keys',
    advice`${option('keys')}: ${stateDir} keeps the records of keys that may not read their account (${prefixes.join(', ')}); whether these are keys of the same one is not known; nothing was sent`,
    advice`give one of those keys, or where you know that these are of the same account: ${adopting(stateDir)}`,
  )
}

function unnamed(prefix: string, stateDir: string): OperationError {
  return usageError(
    'keys',
    advice`${option('keys')}: key ${prefix} may not read its account, and was not used in ${stateDir} before: whether it is a key of the same account is not known; nothing was sent`,
    advice`give a key with the scope accounts:read, or the key that was used there before, or where you know that it is of the same account: ${adopting(stateDir)}`,
  )
}
