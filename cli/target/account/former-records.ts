// Which records belong to an account in a state directory of an older version, or in one whose account.json was
// removed. No record is lost: where the owner is not certain, nothing is taken over and the command says what to do.
import path from 'node:path'
import type { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { JOURNAL_TABLE } from '../../../core/contract/records.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { findPin, type Pin } from '../../../core/journal/pinned-account.ts'
import { CommandError } from '../../terminal/command-error.ts'
import { ExitCode } from '../../terminal/exit-code.ts'
import { deskTable } from '../aws-address.ts'
import { embeddedClient, scanSigningKeys } from '../journal/journal-client.ts'
import { type AccountPin, accountDigest } from '../state/account-pin.ts'
import { type FormerFolder, formerFolders, markSplit } from '../state/former-folders.ts'
import { openKeptJournal } from '../state/kept-journal.ts'
import { folderAt } from '../state/state-layout.ts'
import { accountOf, begunWithOthers, type KeyAnswer, otherAccount, unnamed } from './keys-account.ts'

interface FormerRecords extends FormerFolder {
  /** Prefixes of the keys that signed its movements. They are not looked up where the folder is another account's. */
  readonly keys: AccountPin['keys']
}

/**
 * Finds the folder with the account's records; `undefined` where the directory is new. The caller checks that it is the
 * same service. `isVouchedFor`: a person says that the records belong to the account of these keys.
 * @throws CommandError (exit 2) for another account's folder, for several folders, and for one whose owner is not
 * certain
 */
export async function formerFolderOf(
  stateDir: string,
  answers: readonly KeyAnswer[],
  isVouchedFor = false,
): Promise<FormerRecords | undefined> {
  const folders = formerFolders(stateDir)
  if (folders.length === 0) return undefined
  const accountId = accountOf(answers)
  const asked = accountId === undefined ? undefined : accountDigest(accountId)
  const known: FormerRecords[] = []
  for (const folder of folders) {
    // A folder that certainly belongs to another account is left alone.
    const isOther = asked !== undefined && folder.account !== undefined && folder.account !== asked
    known.push({ ...(isOther ? { keys: [] } : await ownersIn(stateDir, folder.name)), ...folder })
  }
  const hasOwnKey = ({ keys }: FormerRecords) => answers.some(({ prefix }) => keys.includes(prefix))
  const byKey = known.find(hasOwnKey)
  const account = asked ?? byKey?.account
  const isOurs = (each: FormerRecords) => hasOwnKey(each) || (account !== undefined && each.account === account)
  const isOthers = (each: FormerRecords) =>
    account !== undefined && each.account !== undefined && each.account !== account
  // Nothing was ever sent from such a folder, so it is no obstacle.
  const isUnused = ({ account: named, keys }: FormerRecords) => named === undefined && keys.length === 0
  const ours = known.filter(isOurs)
  const uncertain = known.filter((each) => !isOurs(each) && !isOthers(each) && !isUnused(each))
  if (ours.length + uncertain.length > 1) {
    const names = [...ours, ...uncertain].map(({ name }) => name)
    for (const name of names) markSplit(stateDir, name)
    throw twoJournals(stateDir, names)
  }
  if (ours[0] !== undefined) return ours[0]
  const [other] = uncertain
  if (other !== undefined) {
    if (isVouchedFor) return other
    // Either its account is known and these keys do not name theirs, or no key ever named it.
    const [answer] = answers
    if (other.account !== undefined && answer !== undefined) throw unnamed(answer.prefix, stateDir)
    throw begunWithOthers(other.keys, stateDir)
  }
  const unused = known.find(isUnused)
  if (unused === undefined && accountId !== undefined) throw otherAccount(accountId, stateDir)
  return unused
}

/** Reads from the journal itself whose it is. @throws CommandError (exit 3) for a journal that is damaged */
async function ownersIn(stateDir: string, name: string): Promise<Pick<FormerRecords, 'account' | 'keys'>> {
  const owners = await lookInto(stateDir, name, async (client) => {
    const pinned = await findPin(createDynamoStore(client, JOURNAL_TABLE))
    const keys = await scanSigningKeys(deskTable(client))
    return { keys, ...(pinned !== undefined && { account: accountDigest(pinned.account) }) }
  })
  return owners ?? { keys: [] }
}

/**
 * Reads the account that the journal in a folder is pinned to. @throws CommandError (exit 3) for a journal that is
 * damaged
 */
export function pinInJournal(stateDir: string, name: string): Promise<Pin | undefined> {
  return lookInto(stateDir, name, (client) => findPin(createDynamoStore(client, JOURNAL_TABLE)))
}

async function lookInto<Seen>(
  stateDir: string,
  name: string,
  look: (client: DynamoDBClient) => Promise<Seen>,
): Promise<Seen | undefined> {
  const journal = await openKeptJournal(folderAt(stateDir, name).awsDir)
  if (journal === undefined) return undefined
  const client = embeddedClient(journal)
  try {
    return await look(client)
  } finally {
    client.destroy()
    await journal.stop()
  }
}

/** The failure where records that may belong to one account lie in more than one folder. */
export function twoJournals(stateDir: string, names: readonly string[]): CommandError {
  const [first, ...rest] = names.map((name) => path.join(stateDir, name))
  return new CommandError({
    exitCode: ExitCode.Usage,
    code: 'state_unusable',
    message: `--state: ${stateDir} keeps records that may be of one account in ${names.length} places, each without the ids of the others: ${[first, ...rest].join(', ')}; nothing was sent`,
    next: `move all but one into state directories of their own (mkdir -p OTHER && mv ${rest[0]} OTHER/), and run each id where it ran before; an id that is new in one of them is held against what the account has moved`,
  })
}
