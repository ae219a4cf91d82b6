// `sluice whoami`: shows which environment a command would use, whose account it is, and what each key may do there. It
// asks with harmless requests, and moves nothing.

import type { Clock } from '../../core/clock.ts'
import type { KeyRole } from '../../core/contract/service-settings.ts'
import type { Halt } from '../../core/journal/halts.ts'
import type { ServiceKey } from '../../core/keys/key-source.ts'
import type { Account } from '../../core/service/account.ts'
import { findHalts, findOnTheWay } from '../../operations/cases/find-halts.ts'
import {
  type KeyFinder,
  keyChecks,
  keysOfFile,
  keysOfSecrets,
  type RoleKey,
} from '../../operations/doctor/key-checks.ts'
import { probeScopes } from '../../operations/doctor/scope-probes.ts'
import type { OnTheWay } from '../../operations/movements/under-way.ts'
import type { Column } from '../../operations/words/column.ts'
import { haltedText } from '../../operations/words/halt-words.ts'
import { askAccounts } from '../../place/account/keys-account.ts'
import { assertTestStage, readTreasury } from '../../place/configuration.ts'
import { ExitCode } from '../../place/exit-code.ts'
import { unfit } from '../../place/operation-error.ts'
import { withConnectedService } from '../../place/place-service.ts'
import { withConnection } from '../../place/service/service-connection.ts'
import { type Flags, isOnAws, resolveSettings } from '../../place/settings.ts'
import { onTheWayText } from '../../views/movements/request-columns.ts'
import { printable } from '../../views/text/shown.ts'
import { recordLines } from '../../views/text/table.ts'
import type { CommandContext } from '../terminal/context.ts'
import { assertListFlags, type ListFlags, printList, screenWidth } from '../terminal/listing.ts'

interface WhoamiFlags extends Flags, ListFlags {
  readonly aws?: true
}

interface WhoamiKey {
  readonly prefix: string
  readonly roles: readonly KeyRole[]
  /** EdDSA or RS256. Null for a key that only reads. */
  readonly signsWith: string | null
  /** Null where the key may not read its account. */
  readonly account: string | null
  readonly scopes: readonly string[]
  readonly missingScopes: readonly string[]
  /** Null: the service reports no end for a key that still works. */
  readonly endsAt: string | null
  /** Why the service refuses the key, or why it could not be asked. */
  readonly refused: string | null
}

/** The account as the service shows it, without its id. */
type Holder = Omit<Account, 'id'>

interface Whoami {
  readonly environment: 'built-in sandbox' | 'service' | 'aws'
  readonly stage: string
  readonly service: string
  /** An absolute path. Null on AWS. */
  readonly stateDir: string | null
  readonly account: string | null
  /** The holder of the account. Null where no key may read it. */
  readonly holder: Holder | null
  readonly keys: readonly WhoamiKey[]
  /** Roles without a usable key, and why. */
  readonly unusable: readonly string[]
  /** Halts in force. Null where they could not be read. */
  readonly halts: readonly Halt[] | null
  /** Withdrawals that the service accepted, and whose end is not known. Null where they could not be read. */
  readonly onTheWay: readonly OnTheWay[] | null
}

const columns: readonly Column<WhoamiKey>[] = [
  { title: 'key', text: ({ prefix }) => prefix },
  { title: 'for', text: ({ roles }) => roles.join(' ') },
  { title: 'signs with', text: ({ signsWith }) => signsWith ?? '' },
  { title: 'account', text: ({ account }) => account ?? 'may not read it', isId: true },
  { title: 'scopes', text: ({ scopes }) => scopes.join(' '), isDetail: true },
  { title: 'lacks', text: ({ missingScopes }) => missingScopes.join(' '), isDetail: true },
  { title: 'ends', text: ({ endsAt }) => endsAt ?? 'not reported', isDetail: true },
  { title: 'refused', text: ({ refused }) => refused ?? '', isDetail: true },
]

/** @throws OperationError where nothing is known */
export async function whoami(flags: WhoamiFlags, context: CommandContext): Promise<ExitCode> {
  const { output } = context
  assertListFlags(flags, output, columns)
  const halted = await findHalts(flags, context)
  const sent = await findOnTheWay(flags, context)
  const noteSent = () => {
    for (const each of 'why' in sent ? [] : sent.found) output.note(printable(onTheWayText(each)))
  }
  const facts = await readFacts(flags, context).catch((error: unknown) => {
    noteSent()
    throw error
  })
  const found: Whoami = {
    ...facts,
    halts: 'why' in halted ? null : halted.found,
    onTheWay: 'why' in sent ? null : sent.found,
  }
  if (output.json) output.facts(found)
  else if (flags.csv === true) printList(columns, found.keys, flags, context)
  else {
    const shown = found.holder === null ? headColumns : [...headColumns, ...holderColumns]
    for (const line of recordLines(shown, found, screenWidth(context, flags))) output.data(line)
    output.data('')
    printList(columns, found.keys, flags, context)
  }
  for (const why of found.unusable) output.note(`not usable: ${why}`)
  for (const halt of found.halts ?? []) output.note(`halted: ${haltedText(halt)}`)
  noteSent()
  if ('why' in halted) output.note(`whether anything is halted is unknown: ${halted.why}`)
  output.next([isOnAws(flags) ? { do: 'list-policies' } : { do: 'check-setup' }])
  const isAccepted = found.keys.length > 0 && found.keys.every(({ refused }) => refused === null)
  return isAccepted ? ExitCode.Done : ExitCode.Failed
}

const headColumns: readonly Column<Whoami>[] = [
  { title: 'environment', text: ({ environment }) => environment },
  { title: 'stage', text: ({ stage }) => (stage === 'live' ? 'live: real money' : stage) },
  { title: 'service', text: ({ service }) => service },
  { title: 'state', text: ({ stateDir }) => stateDir ?? 'AWS' },
  { title: 'account', text: ({ account }) => account ?? 'no key may read it' },
]

const holderColumns: readonly Column<Whoami>[] = [
  { title: 'username', text: ({ holder }) => holder?.username ?? '' },
  { title: 'full name', text: ({ holder }) => holder?.fullName ?? '' },
  { title: 'email', text: ({ holder }) => holder?.email ?? '' },
  { title: 'national id', text: ({ holder }) => holder?.nationalId ?? '' },
  { title: 'verification', text: ({ holder }) => holder?.verificationStatus ?? '' },
  { title: 'preferred currency', text: ({ holder }) => holder?.preferredCurrency ?? '' },
]

async function readFacts(
  flags: WhoamiFlags,
  { variables, clock, output, stdin }: CommandContext,
): Promise<Omit<Whoami, 'halts' | 'onTheWay'>> {
  const settings = resolveSettings(flags, variables)
  const treasury = readTreasury(settings.configFile)
  const { stage, url: configured } = treasury.service
  if (isOnAws(flags)) {
    if (settings.service !== undefined) throw notBoth()
    const keys = await readKeys(configured, await keysOfSecrets(treasury.service, clock), clock)
    return { environment: 'aws', stage, service: configured, stateDir: null, ...keys }
  }
  return withConnectedService(settings, { clock, output, stdin }, async ({ url, keys: text, isBuiltIn, name }) => {
    if (isBuiltIn) assertTestStage(treasury)
    const keys = await readKeys(url, keysOfFile(text, stage, isBuiltIn ? 'the built-in sandbox' : '--keys'), clock)
    const environment = isBuiltIn ? 'built-in sandbox' : 'service'
    return { environment, stage, service: name, stateDir: settings.stateDir, ...keys }
  })
}

/** Asks each key once, even if it has several roles. */
async function readKeys(
  url: string,
  finder: KeyFinder,
  clock: Clock,
): Promise<Pick<Whoami, 'account' | 'holder' | 'keys' | 'unusable'>> {
  const { checks, keys: found } = await keyChecks(finder)
  const unusable = checks.filter(({ status }) => status !== 'ok').map(({ check, detail }) => `${check}: ${detail}`)
  const keys: WhoamiKey[] = []
  let holding: Account | undefined
  for (const [, ofKey] of Map.groupBy(found, ({ key }) => key.prefix)) {
    const [answer] = await askAccounts(url, [strongest(ofKey)], clock)
    holding ??= answer?.account
    keys.push(await askKey(url, ofKey, answer?.accountId ?? null, clock))
  }
  if (holding === undefined) return { account: null, holder: null, keys, unusable }
  const { id, ...holder } = holding
  return { account: id, holder, keys, unusable }
}

async function askKey(
  baseUrl: string,
  ofKey: readonly RoleKey[],
  account: string | null,
  clock: Clock,
): Promise<WhoamiKey> {
  const roles = ofKey.map(({ role }) => role)
  const key = strongest(ofKey)
  const held = new Set<string>()
  const missing = new Set<string>()
  let refused: string | null = null
  await withConnection({ baseUrl, key, clock }, async (client) => {
    for (const role of roles) {
      const answers = await probeScopes(role, client)
      for (const scope of answers.held) held.add(scope)
      for (const scope of answers.missing) missing.add(scope)
      if (answers.stopped === undefined) continue
      refused = answers.stopped.message
      return
    }
  })
  const common = { prefix: key.prefix, roles, signsWith: key.signer?.alg ?? null, account }
  return { ...common, scopes: [...held], missingScopes: [...missing], endsAt: null, refused }
}

/** Prefers the key with its signing half, because the same key may exist with and without it. */
function strongest(ofKey: readonly RoleKey[]): ServiceKey {
  const signing = ofKey.find(({ key }) => key.signer !== undefined) ?? ofKey[0]
  if (signing === undefined) throw new TypeError('a group of keys is never empty')
  return signing.key
}

function notBoth(): Error {
  return unfit(
    'aws',
    'expected no service beside it, as it checks the service of treasury.json; got both',
    'leave out --service and --keys (and SLUICE_SERVICE, SLUICE_KEYS), or leave out --aws',
  )
}
