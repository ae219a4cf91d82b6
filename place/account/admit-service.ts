// Admits a service to a state directory: one directory records one account. The journal of one account must never be
// read against another account. An order of the first is not found there, and would count as never sent.
import { existsSync } from 'node:fs'
import { databaseFolder } from '@sluice/embedded-aws'
import type { Clock } from '../../core/clock.ts'
import { JOURNAL_TABLE } from '../../core/contract/records.ts'
import { Transient } from '../../core/errors.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import type { PersonsDecision } from '../../core/journal/journal.ts'
import { stageOf } from '../../core/journal/own-key.ts'
import { findPin, type Pin } from '../../core/journal/pinned-account.ts'
import type { ServiceKey } from '../../core/keys/key-source.ts'
import { embeddedClient } from '../journal/journal-client.ts'
import { openKeptJournal } from '../journal/kept-journal.ts'
import { assertReachable } from '../service/service-address.ts'
import { withConnection, withHealth } from '../service/service-connection.ts'
import { type AccountPin, accountDigest, findAccountPin, writeAccountPin } from '../state/account-pin.ts'
import { builtInFolder, type ServiceFolder, serviceFolder } from '../state/state-layout.ts'
import {
  accountOf,
  askAccounts,
  assertHonoured,
  assertKeysFit,
  assertNamed,
  assertUsable,
  type KeyAnswer,
  nothingToAdopt,
  otherAccount,
  otherEnvironment,
  pinMissing,
  type UsedKeys,
} from './keys-account.ts'

/** A named service, with the keys that are used there. */
interface UsedService {
  readonly url: string
  readonly ownKeys: readonly ServiceKey[]
}

/**
 * Checks, under the directory's lock and before anything starts, that the service answers and that its account is the
 * directory's. It writes the account to disk. `vouch` asks a person whether keys that do not name their account belong
 * to it; absent where no person may be asked. Returns the folder with the account's records. Without a service that is
 * the built-in sandbox's.
 * @throws OperationError: exit 1 where the service does not answer, exit 2 for another or uncertain account. Exit 3
 * where account.json is damaged, or is missing beside records.
 */
export async function admitService(
  stateDir: string,
  service: UsedService | undefined,
  clock: Clock,
  vouch?: Vouch,
): Promise<ServiceFolder> {
  if (service === undefined) return builtInFolder(stateDir)
  const [key] = service.ownKeys
  await assertReachable(service.url).catch(async (error) => {
    throw key === undefined ? error : await withHealth(error, { baseUrl: service.url, key, clock })
  })
  const answers = await askAccounts(service.url, service.ownKeys, clock)
  const isVouchedFor = vouch !== undefined
  const found: FoundAccount = { answers, url: service.url, isVouchedFor, timeNow: () => serviceTime(service, clock) }
  if (isVouchedFor) assertHonoured(answers)
  const known = findAccountPin(stateDir)
  let pin = known === undefined ? await begin(stateDir, found) : await continueWith(stateDir, known, found)
  if (vouch !== undefined) pin = await vouched({ pin, known }, found, stateDir, vouch)
  if (JSON.stringify(pin) !== JSON.stringify(known)) writeAccountPin(stateDir, pin)
  return { ...serviceFolder(stateDir), newSince: pin.newSince }
}

/**
 * Checks, for work at another process's desk, that the keys in hand belong to the directory's account. Otherwise the
 * movement would be another account's. Writes nothing.
 * @throws OperationError: exit 1 where the service does not answer, exit 2 for keys of another account, exit 3 without
 * a pin
 */
export async function assertAdmitted(stateDir: string, { url, ownKeys }: UsedService, clock: Clock): Promise<void> {
  const pin = findAccountPin(stateDir)
  if (pin === undefined) throw pinMissing(stateDir)
  assertKeysFit(pin, { answers: await askAccounts(url, ownKeys, clock), url }, stateDir)
}

/**
 * Asks about the keys of these prefixes, and about `address` where the directory does not know it.
 * @throws OperationError for a refusal
 */
type Vouch = (keys: readonly string[], address: string | undefined) => Promise<PersonsDecision>

async function vouched(
  { pin, known }: { readonly pin: AccountPin; readonly known: AccountPin | undefined },
  { answers, url }: FoundAccount,
  stateDir: string,
  vouch: Vouch,
): Promise<AccountPin> {
  const own = await pinInJournal(stateDir)
  const accountId = accountOf(answers)
  if (own !== undefined && accountId !== undefined && accountId !== own.account) throw otherAccount(accountId, stateDir)
  const keys = prefixesOf(answers).filter((prefix) => !known?.keys.includes(prefix))
  if (keys.length === 0) return pin
  const isKnownAddress = known?.addresses.includes(url) === true
  const address = isKnownAddress ? undefined : url
  const vouching = { keys, ...(address && { address }), ...(await vouch(keys, address)) }
  return { ...pin, vouched: [...(pin.vouched ?? []), vouching] }
}

interface FoundAccount extends UsedKeys {
  readonly timeNow: () => Promise<string>
}

/** The first use of a directory; or account.json is gone and a person vouches for the keys. */
async function begin(stateDir: string, found: FoundAccount): Promise<AccountPin> {
  const { url, answers, isVouchedFor, timeNow } = found
  assertUsable(answers)
  const accountId = accountOf(answers)
  const isKept = existsSync(serviceFolder(stateDir).awsDir)
  if (isKept && !isVouchedFor) throw pinMissing(stateDir)
  if (!isKept && isVouchedFor) throw nothingToAdopt(stateDir)
  assertNamed(answers)
  if (isKept) await assertOfJournal(stateDir, answers)
  return {
    ...(accountId !== undefined && { account: accountDigest(accountId) }),
    keys: prefixesOf(answers),
    addresses: [url],
    // The age of the records is unknown when their account.json was removed.
    newSince: await timeNow(),
  }
}

/** A new key at a new address proves nothing. The journal must name the account of the keys, and their stage. */
async function assertOfJournal(stateDir: string, answers: readonly KeyAnswer[]): Promise<void> {
  const own = await pinInJournal(stateDir)
  const accountId = accountOf(answers)
  if (own === undefined || accountId === undefined) throw pinMissing(stateDir)
  if (accountId !== own.account) throw otherAccount(accountId, stateDir)
  const stage = answers.map(({ prefix }) => stageOf(prefix)).find((each) => each !== own.stage)
  if (stage !== undefined) throw otherEnvironment(stage, [own.stage], stateDir)
}

async function continueWith(stateDir: string, pin: AccountPin, found: FoundAccount): Promise<AccountPin> {
  const { url, answers, isVouchedFor, timeNow } = found
  const accountId = accountOf(answers)
  const named = pin.account ?? (isVouchedFor ? await accountInJournal(stateDir) : undefined)
  assertKeysFit({ ...pin, ...(named !== undefined && { account: named }) }, found, stateDir)
  // If the records were removed since, the directory counts as new again.
  const isEmptied = !existsSync(databaseFolder(serviceFolder(stateDir).awsDir))
  return {
    ...(accountId !== undefined && { account: accountDigest(accountId) }),
    // The order of the fields stays, so that two equal pins are equal texts.
    ...pin,
    keys: [...new Set([...pin.keys, ...prefixesOf(answers)])],
    addresses: [...new Set([...pin.addresses, url])],
    newSince: isEmptied ? await timeNow() : pin.newSince,
  }
}

async function accountInJournal(stateDir: string): Promise<string | undefined> {
  const own = await pinInJournal(stateDir)
  return own && accountDigest(own.account)
}

/** Reads the account that the journal itself is pinned to. @throws OperationError (exit 3) for a damaged journal */
async function pinInJournal(stateDir: string): Promise<Pin | undefined> {
  const journal = await openKeptJournal(serviceFolder(stateDir).awsDir)
  if (journal === undefined) return undefined
  const client = embeddedClient(journal)
  try {
    return await findPin(createDynamoStore(client, JOURNAL_TABLE))
  } finally {
    client.destroy()
    await journal.stop()
  }
}

function prefixesOf(answers: readonly KeyAnswer[]): string[] {
  return answers.map(({ prefix }) => prefix)
}

/** The time by the service's own clock, because the service dates its rows by it. */
async function serviceTime({ url: baseUrl, ownKeys }: UsedService, clock: Clock): Promise<string> {
  const [key] = ownKeys
  if (key === undefined) throw new TypeError('a service is used with a key')
  return withConnection({ baseUrl, key, clock }, async (client) => {
    await client.clock.measure()
    // Everything that was sent before is certainly older than this.
    const atMostMs = client.clock.atMostMs()
    if (atMostMs === undefined) throw new Transient("this machine's clock was set while the service was asked")
    return new Date(atMostMs).toISOString()
  })
}
