// Checks that the keys of a deployment belong to the account that its journal is pinned to. Where the keys work, it
// records which table is the journal's, pins a journal without an account, and records that the keys work. Schedules
// start only after that. It writes nothing else.

import { randomUUID } from 'node:crypto'
import type { Clock } from '../../../core/clock.ts'
import { StateMachine } from '../../../core/contract/states.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { createDynamoStore } from '../../../core/journal/dynamo-store.ts'
import { stageOf } from '../../../core/journal/own-key.ts'
import { createPinnedAccount, findPin, type Pin } from '../../../core/journal/pinned-account.ts'
import { findAcceptedTable, OTHER_FORM_REMEDY } from '../../../core/journal/table-identity.ts'
import { createVerification, recordVerification } from '../../../core/journal/verification.ts'
import { askAccounts, type KeyAnswer } from '../../../place/account/keys-account.ts'
import { type Deployment, deploymentOf, type JournalTable } from '../../../place/aws/aws-address.ts'
import { openApiExecutions } from '../../../place/executions/api-executions.ts'
import { journalTable } from '../../../place/journal/journal-client.ts'
import { assertDeclared, MOST_OF_A_NEW_TABLE } from '../../../place/journal/own-table.ts'
import { advice } from '../../../place/next-step.ts'
import { messageOf } from '../address-checks.ts'
import { type Check, fail, ok, warn } from '../check.ts'
import type { RoleKey } from '../key-checks.ts'

const OF_KEYS = 'account of the keys'
const OF_JOURNAL = 'account of the journal'

/** The account and the verification of keys, as the journal has them. */
interface JournalFacts {
  /** Undefined where the journal is not pinned yet. */
  readonly pin: Pin | undefined
  /** Whether schedules start. */
  readonly isVerified: boolean
}
/** A text says why it is not known. */
export type FoundFacts = JournalFacts | string

export interface AccountRecord {
  find(): Promise<FoundFacts>
  /**
   * Records that the keys work. First it records that the table is the journal's own, where nobody has. Then it pins an
   * unpinned journal to `account`.
   * @throws KeyFault for a journal that is lost, or pinned to another account
   * @throws Transient
   */
  settle(account: Pin | undefined, nowMs: number): Promise<void>
}

/** Opens the record while some work runs. */
export async function withAccountRecord<Result>(
  treasury: Pick<Treasury, 'aws' | 'environment'>,
  work: (record: AccountRecord) => Promise<Result>,
): Promise<Result> {
  const deployment = deploymentOf(treasury)
  const { client, tableName } = journalTable(deployment)
  try {
    return await work(accountRecord({ client, tableName }, deployment))
  } finally {
    client.destroy()
  }
}

function accountRecord(table: JournalTable, deployment: Deployment): AccountRecord {
  const store = createDynamoStore(table.client, table.tableName)
  return {
    async find() {
      try {
        await findAcceptedTable(store)
        return { pin: await findPin(store), isVerified: await createVerification(store)() }
      } catch (error) {
        return messageOf(error)
      }
    },
    async settle(account, nowMs) {
      // Declared first, because a table with an account in it no longer counts as new.
      await assertDeclared(table, { hasRunBefore: (madeAt) => hasRunBefore(madeAt, deployment), nowMs })
      if (account !== undefined) await createPinnedAccount(store, randomUUID).settle(account.account, account.stage)
      await recordVerification(store, randomUUID, new Date(nowMs).toISOString())
    },
  }
}

/** Whether an execution of ours is older than that moment; `unclear` where there are too many to read. */
async function hasRunBefore(moment: Date | undefined, deployment: Deployment): Promise<boolean | 'unclear'> {
  const executions = openApiExecutions(deployment)
  let seen = 0
  try {
    for (const machine of Object.values(StateMachine)) {
      for await (const { startedMs } of executions.walk(machine)) {
        seen += 1
        if (moment === undefined || startedMs < moment.getTime()) return true
        if (seen > MOST_OF_A_NEW_TABLE) return 'unclear'
      }
    }
    return false
  } finally {
    executions.destroy()
  }
}

/** A key that the service admitted, with the account that it reports. */
interface KeyOfAccount {
  readonly prefix: string
  readonly roles: readonly string[]
  /** Absent where the key may not read its account. */
  readonly account?: string
}

export interface Accounts {
  readonly checks: readonly Check[]
  /**
   * The account that the journal may be pinned to. All keys belong to it, and it is the pinned account if there is one.
   */
  readonly agreed?: Pin
}

interface AskedKeys {
  readonly baseUrl: string
  readonly keys: readonly RoleKey[]
  readonly pin: Pin | undefined
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
  const found = answers.map(({ prefix, accountId }) => ({
    prefix,
    roles: keys.filter(({ key }) => key.prefix === prefix).map(({ role }) => role),
    ...(accountId !== undefined && { account: accountId }),
  }))
  return judgeAccounts(found, pin)
}

export function judgeAccounts(keys: readonly KeyOfAccount[], pin: Pin | undefined): Accounts {
  const named = keys.flatMap(({ account, ...key }) => (account === undefined ? [] : [{ ...key, account }]))
  const [first] = named
  if (first === undefined) {
    const next = 'give the key to read the scope accounts:read: without it nobody knows whose movements they are'
    return { checks: [warn(OF_KEYS, 'no key may read its account', next)] }
  }
  if (named.some(({ account }) => account !== first.account)) {
    const each = named.map(({ account, roles, prefix }) => `${prefix} (${roles.join(', ')}) of ${account}`)
    const next = advice`put keys of one account in their places: ${{ do: 'stage-keys' }}`
    return { checks: [fail(OF_KEYS, `keys of several accounts: ${each.join('; ')}`, next)] }
  }
  const agreed = { account: first.account, stage: stageOf(first.prefix) }
  if (pin !== undefined && (pin.account !== agreed.account || pin.stage !== agreed.stage)) {
    const detail = `${first.prefix} is of account ${agreed.account} (${agreed.stage}), and this journal is of account ${pin.account} (${pin.stage})`
    return {
      checks: [
        fail(OF_KEYS, detail, advice`put a key of account ${pin.account} in its place: ${{ do: 'stage-keys' }}`),
      ],
    }
  }
  const silent = keys.filter(({ account }) => account === undefined)
  if (silent.length === 0) return { checks: [ok(OF_KEYS, `${agreed.account} (${agreed.stage})`)], agreed }
  const who = silent.map(({ prefix, roles }) => `${prefix} (${roles.join(', ')})`).join(', ')
  const next = `give them the scope accounts:read, or make sure in the dashboard that they are of account ${agreed.account}`
  return { checks: [warn(OF_KEYS, `${agreed.account}; not known of ${who}, which may not read it`, next)], agreed }
}

/** `config`: the configuration file that was named. */
export function factsCheck(facts: FoundFacts, config: string | undefined): Check {
  if (typeof facts === 'string' && facts.endsWith(OTHER_FORM_REMEDY))
    return fail(OF_JOURNAL, facts.slice(0, -`; ${OTHER_FORM_REMEDY}`.length), OTHER_FORM_REMEDY)
  if (typeof facts === 'string')
    return warn(OF_JOURNAL, `not known (${facts})`, 'let these credentials read the table (dynamodb:GetItem)')
  if (!facts.isVerified)
    return warn(
      OF_JOURNAL,
      `${facts.pin === undefined ? 'not known yet' : accountText(facts.pin)}, and no key was verified: schedules wait`,
      { do: 'verify-deployed', config },
    )
  return ok(OF_JOURNAL, `${accountText(facts.pin)}: schedules start`)
}

function accountText(account: Pin | undefined): string {
  return account === undefined ? 'not known yet, as no key tells it' : `${account.account} (${account.stage})`
}

interface Settled {
  readonly record: AccountRecord
  readonly facts: FoundFacts
  readonly agreed: Accounts['agreed']
  /** The reason not to trust the keys with the journal. */
  readonly obstacle: string | undefined
  readonly config: string | undefined
  readonly nowMs: number
}

/** Records that the keys work where all their checks passed, and says whether schedules start. */
export async function settleAccount({ agreed, config, facts, nowMs, obstacle, record }: Settled): Promise<Check> {
  const isOpen = typeof facts === 'object' && facts.isVerified
  const refuse = (why: string) => {
    const next = advice`${{ do: 'verify-deployed', config }}, when the failure is corrected`
    return fail(
      OF_JOURNAL,
      `not verified: ${why}; schedules ${isOpen ? 'start all the same, as they did' : 'wait'}`,
      next,
    )
  }
  if (typeof facts === 'string') return refuse(facts)
  if (obstacle !== undefined) return refuse(obstacle)
  try {
    await record.settle(agreed, nowMs)
    const account = accountText(facts.pin ?? agreed)
    return ok(
      OF_JOURNAL,
      isOpen ? `${account}: schedules start` : `${account}, verified now: schedules start from now on`,
    )
  } catch (error) {
    // A KeyFault: another process was first, with a key of another account.
    return refuse(messageOf(error))
  }
}
