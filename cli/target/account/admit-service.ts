// Admits a service to a state directory: one directory records one account. The journal of one account must never be
// read against another, because an order of the first is not found there and would count as never sent. One account
// must not have two journals in a directory either, because an id of the one could move again under the other.
import { existsSync } from 'node:fs'
import { databaseFolder } from '@sluice/embedded-aws'
import type { Clock } from '../../../core/clock.ts'
import { Transient } from '../../../core/errors.ts'
import type { PersonsWord } from '../../../core/journal/journal.ts'
import type { ServiceKey } from '../../../core/keys/key-source.ts'
import { assertReachable, serviceFolderName } from '../service/service-address.ts'
import { withConnection, withHealth } from '../service/service-connection.ts'
import { type AccountPin, accountDigest, findAccountPin, writeAccountPin } from '../state/account-pin.ts'
import { formerFolders, markSplit, NEW_FOLDER } from '../state/former-folders.ts'
import { builtInFolder, folderAt, type ServiceFolder } from '../state/state-layout.ts'
import { formerFolderOf, pinInJournal, twoJournals } from './former-records.ts'
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
  type UsedKeys,
} from './keys-account.ts'

/** A service that is named, with the keys that are used there. */
interface UsedService {
  readonly url: string
  readonly ownKeys: readonly ServiceKey[]
}

/**
 * Checks, under the directory's lock and before anything is started, that the service answers and that its account is
 * the one that the directory is known by; and writes that to disk. Without a service it gives the folder of the
 * built-in sandbox.
 * @param vouch asks a person whether keys that do not name their account belong to it; absent where no person may be
 * asked
 * @returns where the records of the account lie
 * @throws CommandError: exit 1 where the service does not answer, exit 2 for another account or one that is not certain
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
  let pin = known === undefined ? await begin(stateDir, found) : await goOn(stateDir, known, found)
  if (vouch !== undefined) pin = await vouched({ pin, known }, found, stateDir, vouch)
  if (JSON.stringify(pin) !== JSON.stringify(known)) writeAccountPin(stateDir, pin)
  const { folder, newSince } = pin
  return { ...folderAt(stateDir, folder), ...(newSince !== undefined && { newSince }) }
}

/**
 * For work at a desk that another process has brought up: the keys in hand belong to the account that the directory is
 * known by, or the movement that a person asks for would be another account's. Writes nothing.
 * @throws CommandError: exit 1 where the service does not answer, exit 2 for keys of another account
 */
export async function assertAdmitted(stateDir: string, { url, ownKeys }: UsedService, clock: Clock): Promise<void> {
  const pin = findAccountPin(stateDir)
  if (pin === undefined) throw new TypeError('a desk of a named service has pinned its account')
  assertKeysFit(pin, { answers: await askAccounts(url, ownKeys, clock), url }, stateDir)
}

/**
 * Asks about the keys of these prefixes, and about `address` where the directory does not know it. @throws CommandError
 * for a no
 */
type Vouch = (keys: readonly string[], address: string | undefined) => Promise<PersonsWord>

async function vouched(
  { pin, known }: { readonly pin: AccountPin; readonly known: AccountPin | undefined },
  { answers, url }: FoundAccount,
  stateDir: string,
  vouch: Vouch,
): Promise<AccountPin> {
  const own = await pinInJournal(stateDir, pin.folder)
  const accountId = accountOf(answers)
  if (own !== undefined && accountId !== undefined && accountId !== own.account) throw otherAccount(accountId, stateDir)
  const keys = prefixesOf(answers).filter((prefix) => !known?.keys.includes(prefix))
  if (keys.length === 0) return pin
  const isKnownAddress = known !== undefined && (known.addresses?.includes(url) ?? true)
  const address = isKnownAddress ? undefined : url
  const word = { keys, ...(address && { address }), ...(await vouch(keys, address)) }
  return { ...pin, vouched: [...(pin.vouched ?? []), word] }
}

interface FoundAccount extends UsedKeys {
  readonly timeNow: () => Promise<string>
}

/**
 * The first use of a directory, or a use without a pin. It takes over the account's folder of an older version, where
 * there is one.
 */
async function begin(stateDir: string, found: FoundAccount): Promise<AccountPin> {
  const { url, answers, isVouchedFor, timeNow } = found
  assertUsable(answers)
  const accountId = accountOf(answers)
  const account = accountId === undefined ? undefined : accountDigest(accountId)
  const former = await formerFolderOf(stateDir, answers, isVouchedFor)
  if (former === undefined || former.keys.length === 0) assertNamed(answers)
  if (former === undefined) {
    if (isVouchedFor) throw nothingToAdopt(stateDir)
    return pinOf({
      account,
      keys: prefixesOf(answers),
      addresses: [url],
      folder: NEW_FOLDER,
      newSince: await timeNow(),
    })
  }
  // The name of the folder says at which address the account was reached.
  const addresses = former.name === serviceFolderName(url) ? [url] : []
  const owner = former.account ?? account
  const records = { ...(former.account && { account: former.account }), keys: former.keys, addresses }
  assertKeysFit(records, found, stateDir)
  return pinOf({
    account: owner,
    addresses: [url],
    keys: [...new Set([...former.keys, ...prefixesOf(answers)])],
    folder: former.name,
    // Nobody knows how old a folder is whose pin was removed.
    newSince: former.isSplit || former.name === NEW_FOLDER ? await timeNow() : undefined,
  })
}

async function goOn(stateDir: string, pin: AccountPin, found: FoundAccount): Promise<AccountPin> {
  const { url, answers, isVouchedFor, timeNow } = found
  const accountId = accountOf(answers)
  const others = formerFolders(stateDir).filter(({ name }) => name !== pin.folder)
  if (accountId !== undefined && pin.account !== undefined && accountDigest(accountId) !== pin.account) {
    throw otherAccount(accountId, stateDir, others.find(({ account }) => account === accountDigest(accountId))?.name)
  }
  const named = pin.account ?? (isVouchedFor ? await accountInJournal(stateDir, pin.folder) : undefined)
  assertKeysFit({ ...pin, ...(named !== undefined && { account: named }) }, found, stateDir)
  const second = others.find(({ account }) => account !== undefined && account === pin.account)
  if (second !== undefined) {
    // An older Sluice has made it since. Once they are apart, ids of the one must not move again under the other.
    markSplit(stateDir, second.name)
    writeAccountPin(stateDir, { ...pin, newSince: await timeNow() })
    throw twoJournals(stateDir, [pin.folder, second.name])
  }
  // Where the records were removed since, the directory counts as new again.
  const isEmptied = !existsSync(databaseFolder(folderAt(stateDir, pin.folder).awsDir))
  return pinOf({
    account: pin.account ?? (accountId === undefined ? undefined : accountDigest(accountId)),
    keys: [...new Set([...pin.keys, ...prefixesOf(answers)])],
    addresses: [...new Set([...(pin.addresses ?? []), url])],
    folder: pin.folder,
    newSince: isEmptied ? await timeNow() : pin.newSince,
    vouched: pin.vouched,
  })
}

async function accountInJournal(stateDir: string, folder: string): Promise<string | undefined> {
  const own = await pinInJournal(stateDir, folder)
  return own && accountDigest(own.account)
}

interface PinDraft {
  readonly account: string | undefined
  readonly keys: string[]
  readonly addresses: string[]
  readonly folder: string
  readonly newSince: string | undefined
  readonly vouched?: AccountPin['vouched']
}

/** Leaves out what has no value, so that two equal pins are equal texts. */
function pinOf({ account, newSince, vouched, ...always }: PinDraft): AccountPin {
  return {
    ...(account !== undefined && { account }),
    ...always,
    ...(newSince !== undefined && { newSince }),
    ...(vouched !== undefined && { vouched }),
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
