// Checks whose account the keys of a deployment are of, against the account that its journal is pinned to, and pins a journal
// that knows none. Until the journal is pinned, schedules start nothing. Changes nothing but that pin.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { KeyFault } from '../../../core/errors.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { stageOf } from '../../../core/journal/own-key.ts'
import { createPinnedAccount, findPin, type Pin } from '../../../core/journal/pinned-account.ts'
import type { RecordStore } from '../../../core/journal/record-store.ts'
import { askAccounts, type KeyAnswer } from '../../target/account/keys-account.ts'
import { journalTable } from '../../target/journal/journal-client.ts'
import { verifyCommand } from '../../terminal/command-line.ts'
import { messageOf } from '../address-checks.ts'
import { type Check, fail, ok, warn } from '../check.ts'
import type { RoleKey } from '../key-checks.ts'

const OF_KEYS = 'account of the keys'
const OF_JOURNAL = 'account of the journal'

/** `pin`: a text says why it is not known; undefined: the journal knows no account yet. */
export type FoundPin = Pin | string | undefined

/** The journal's record of its account. */
export interface AccountRecord {
  find(): Promise<FoundPin>
  /** Pins the journal where it knows no account yet. @throws KeyFault where it knows another one. @throws Transient */
  settle(account: string, stage: string): Promise<string | undefined>
}

/** For as long as some work takes. */
export async function withAccountRecord<Result>(
  { environment }: Pick<Treasury, 'environment'>,
  work: (record: AccountRecord) => Promise<Result>,
): Promise<Result> {
  const { client, tableName } = journalTable({ environment })
  try {
    return await work(accountRecord(createDynamoStore(client, tableName)))
  } finally {
    client.destroy()
  }
}

function accountRecord(store: RecordStore): AccountRecord {
  return {
    find: () => findPin(store).catch(messageOf),
    settle: (account, stage) => createPinnedAccount(store, randomUUID).settle(account, stage),
  }
}

/** A key that the service let in, with the account that it tells. */
export interface KeyOfAccount {
  readonly prefix: string
  readonly roles: readonly string[]
  /** Absent where the key may not read its account. */
  readonly account?: string
}

export interface Accounts {
  readonly checks: readonly Check[]
  /** What the journal may be pinned to: the keys are of one account, and of the pinned one. */
  readonly agreed?: { readonly account: string; readonly stage: string }
}

interface AskedKeys {
  readonly baseUrl: string
  /** Those that the service let in. */
  readonly keys: readonly RoleKey[]
  readonly pin: FoundPin
}

/** Each key is asked once, whatever its roles. */
export async function accountChecks({ baseUrl, keys, pin }: AskedKeys, clock: Clock): Promise<Accounts> {
  const distinct = [...new Map(keys.map((each) => [each.key.prefix, each.key])).values()]
  if (distinct.length === 0) return { checks: [] }
  let answers: readonly KeyAnswer[]
  try {
    answers = (await Promise.all(distinct.map((key) => askAccounts(baseUrl, [key], clock)))).flat()
  } catch (error) {
    return { checks: [fail(OF_KEYS, messageOf(error), 'run the same command again')] }
  }
  const told = answers.map(({ prefix, accountId }) => ({
    prefix,
    roles: keys.filter(({ key }) => key.prefix === prefix).map(({ role }) => role),
    ...(accountId !== undefined && { account: accountId }),
  }))
  return judgeAccounts(told, pin)
}

export function judgeAccounts(keys: readonly KeyOfAccount[], pin: FoundPin): Accounts {
  const named = keys.flatMap(({ account, ...key }) => (account === undefined ? [] : [{ ...key, account }]))
  const [first] = named
  if (first === undefined) {
    const next = 'give the key to read the scope accounts:read: without it nobody knows whose movements they are'
    return { checks: [warn(OF_KEYS, 'no key may read its account', next)] }
  }
  if (named.some(({ account }) => account !== first.account)) {
    const each = named.map(({ account, roles, prefix }) => `${prefix} (${roles.join(', ')}) of ${account}`)
    const next = 'put keys of one account in their places: sluice keys stage --role ROLE'
    return { checks: [fail(OF_KEYS, `keys of several accounts: ${each.join('; ')}`, next)] }
  }
  const agreed = { account: first.account, stage: stageOf(first.prefix) }
  if (typeof pin === 'object' && (pin.account !== agreed.account || pin.stage !== agreed.stage)) {
    const detail = `${first.prefix} is of account ${agreed.account} (${agreed.stage}), and this journal is of account ${pin.account} (${pin.stage})`
    return { checks: [fail(OF_KEYS, detail, `put a key of account ${pin.account} in its place: sluice keys stage`)] }
  }
  const silent = keys.filter(({ account }) => account === undefined)
  if (silent.length === 0) return { checks: [ok(OF_KEYS, `${agreed.account} (${agreed.stage})`)], agreed }
  const who = silent.map(({ prefix, roles }) => `${prefix} (${roles.join(', ')})`).join(', ')
  const next = `give them the scope accounts:read, or make sure in the dashboard that they are of account ${agreed.account}`
  return { checks: [warn(OF_KEYS, `${agreed.account}; not known of ${who}, which may not read it`, next)], agreed }
}

/** `config`: as the command was given it. */
export function pinCheck(pin: FoundPin, config: string | undefined): Check {
  if (typeof pin === 'string')
    return warn(OF_JOURNAL, `not known (${pin})`, 'let these credentials read the table (dynamodb:GetItem)')
  if (pin === undefined) {
    const detail = 'not known yet, as no key was verified: schedules wait'
    return warn(OF_JOURNAL, detail, verifyCommand(config))
  }
  return ok(OF_JOURNAL, `${pin.account} (${pin.stage}): schedules start`)
}

interface Settled {
  readonly record: AccountRecord
  readonly pin: FoundPin
  readonly agreed: Accounts['agreed']
  /** Why it may not be pinned, although the accounts agree. */
  readonly obstacle: string | undefined
  readonly config: string | undefined
}

/** Pins a journal that knows no account, where everything about the keys is well. */
export async function settleAccount({ record, pin, agreed, obstacle, config }: Settled): Promise<Check> {
  if (typeof pin === 'object') return pinCheck(pin, config)
  const wait = (why: string) =>
    fail(OF_JOURNAL, `not known yet: ${why}; schedules wait`, `${verifyCommand(config)}, when what failed is put right`)
  if (pin !== undefined) return wait(pin)
  if (obstacle !== undefined) return wait(obstacle)
  if (agreed === undefined) return wait('no key tells its account')
  const { account, stage } = agreed
  try {
    await record.settle(account, stage)
    return ok(OF_JOURNAL, `${account} (${stage}), written down now: schedules start from now on`)
  } catch (error) {
    // Another process was first, with a key of another account.
    if (error instanceof KeyFault) return fail(OF_JOURNAL, error.message, verifyCommand(config))
    return wait(messageOf(error))
  }
}
