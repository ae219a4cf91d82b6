// Admits a service to a state directory: one directory records one account. The journal of one account must never be
// read against another, because an order of the first is not found there and would count as never sent. One account
// must not have two journals in a directory either, because an id of the one could move again under the other.
import { existsSync } from 'node:fs'
import type { Clock } from '../../../core/clock.ts'
import type { PersonsWord } from '../../../core/journal/journal.ts'
import type { ServiceKey } from '../../../core/keys/key-source.ts'
import { databaseFolder } from '../../../embedded-aws/database-folder.ts'
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
 * Before anything of a directory is started, under its lock: the service answers, its account is the one that the
 * directory is known by, and that is on disk. Without a service the folder of the built-in sandbox.
 * @param vouch asks a person whether keys that do not say it are of the account, where a person may be asked
 * @returns where the records of the account lie
 * @throws CommandError: exit 1 where it does not answer, exit 2 for another account or one that is not certain
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

/** Of these prefixes; `address`: where the directory does not know it either. @throws CommandError where the person says no */
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

/** The first use, or one without a pin: with a folder of before where there is one of this account. */
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
  // Its name says by which address it was reached.
  const addresses = former.name === serviceFolderName(url) ? [url] : []
  const owner = former.account ?? account
  const records = { ...(former.account && { account: former.account }), keys: former.keys, addresses }
  assertKeysFit(records, found, stateDir)
  return pinOf({
    account: owner,
    addresses: [url],
    keys: [...new Set([...former.keys, ...prefixesOf(answers)])],
    folder: former.name,
    // Of one whose pin was removed nobody knows since when it is there.
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
    // Made by an older Sluice since. Once they are apart, ids of the one must not move again under the other.
    markSplit(stateDir, second.name)
    writeAccountPin(stateDir, { ...pin, newSince: await timeNow() })
    throw twoJournals(stateDir, [pin.folder, second.name])
  }
  // Its records were removed since: then the directory is new once more.
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

/** What has no value is left out, so that two equal pins are equal texts. */
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

/** The service's own clock: its rows are dated by it. */
async function serviceTime({ url: baseUrl, ownKeys }: UsedService, clock: Clock): Promise<string> {
  const [key] = ownKeys
  if (key === undefined) throw new TypeError('a service is used with a key')
  return withConnection({ baseUrl, key, clock }, async (client) => {
    await client.clock.measure()
    // What was sent before is then certainly older.
    return new Date(client.clock.atMostMs()).toISOString()
  })
}
