// Examines a set-up from the outside in: its address, its keys, their permissions, and what the file names. So a check
// needs only what an earlier check has passed. Moves nothing.
import { randomUUID } from 'node:crypto'
import type { Clock } from '../../core/clock.ts'
import { KeyRole, type Stage } from '../../core/contract/service-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'
import type { KeySource } from '../../core/keys/key-source.ts'
import { createServiceClient } from '../../core/service/service-client.ts'
import { withConnection } from '../../place/service/service-connection.ts'
import { accessChecks } from './access-checks.ts'
import { clockCheck, healthChecks, resolutionCheck, tlsCheck } from './address-checks.ts'
import { type Check, countOf, fail } from './check.ts'
import { type KeyFinder, keyChecks, type RoleKey, signingChecks, signingUnknown } from './key-checks.ts'
import { placeholderCheck } from './placeholder.ts'
import { policyChecks } from './policy-checks.ts'
import { referenceChecks } from './reference-checks.ts'
import type { References } from './references.ts'

/** The subject of the checks. All of it is known to be well formed. */
export interface Setup {
  readonly url: string
  readonly stage: Stage
  readonly keyFinder: KeyFinder
  readonly references: References
  readonly treasury: Treasury
  readonly isSigningProbed: boolean
  /** Judges which account the admitted keys belong to. Absent where no journal is pinned to an account. */
  readonly accountsOf?: (keys: readonly RoleKey[]) => Promise<readonly Check[]>
}

export interface Examined {
  /** Checks of the address, the keys, their account and their signatures. */
  readonly keys: readonly Check[]
  readonly named: readonly Check[]
  /** The admitted key that can read. */
  readonly readKey?: RoleKey
}

/** Runs the checks in order, and stops after a failure that prevents all later checks. */
export async function examine(setup: Setup, clock: Clock): Promise<Examined> {
  const { url, keyFinder } = setup
  const { checks: shapes, keys } = await keyChecks(keyFinder)
  const open = createServiceClient({ baseUrl: url, key: noKey, clock, newId: randomUUID })
  try {
    const placeholder = placeholderCheck(url)
    const outside =
      placeholder === undefined
        ? [await resolutionCheck(url), await tlsCheck(url, setup.stage, clock), ...(await healthChecks(open))]
        : [placeholder]
    const checks = [...outside, ...shapes]
    if (countOf(outside, 'fail') > 0) return { keys: checks, named: [] }
    checks.push(await clockCheck(open))
    const examined = await examineKeys(setup, keys, clock)
    return { ...examined, keys: [...checks, ...examined.keys] }
  } finally {
    open.close()
  }
}

async function examineKeys(setup: Setup, keys: readonly RoleKey[], clock: Clock): Promise<Examined> {
  const { url: baseUrl, references, treasury, isSigningProbed, accountsOf } = setup
  const { checks, admitted } = await accessChecks(baseUrl, keys, clock)
  const accounts = (await accountsOf?.(admitted)) ?? []
  const signing = isSigningProbed ? await signingChecks(baseUrl, admitted, clock) : signingUnknown(admitted)
  const ofKeys = [...checks, ...accounts, ...signing]
  const readKey = admitted.find(({ role }) => role === KeyRole.Read)
  if (readKey === undefined) return { keys: ofKeys, named: unread(references) }
  const named = await withConnection({ baseUrl, key: readKey.key, clock }, async (client) => [
    ...(await policyChecks(treasury, client)),
    ...(await referenceChecks(references, client)),
  ])
  return { keys: ofKeys, named, readKey }
}

/** Names that could not be checked are a failure. */
function unread({ contacts, assets, markets }: References): Check[] {
  const count = contacts.length + assets.length + markets.length
  if (count === 0) return []
  return [fail('named', `not checked: ${count} contacts, assets and markets`, 'put the key to read right first')]
}

/** For requests that need no key. */
const noKey: KeySource = {
  current: () => Promise.reject(new TypeError('these requests carry no key')),
  forget: () => {},
}
