// Reads treasury.json and key files for a command. Invalid files are refused here, before any request. A message names
// the field and its shape, and never a value of a key file. Finds who else could write a file that only its user may
// change.

import { statSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Policy } from '../core/contract/policies.ts'
import { KeyRole, Stage } from '../core/contract/service-settings.ts'
import { roleKeyOf, type ServiceSettings, type Treasury } from '../core/contract/treasury.ts'
import { Refused } from '../core/errors.ts'
import { parseKeyMaterial } from '../core/keys/key-material.ts'
import type { ServiceKey } from '../core/keys/key-source.ts'
import { ConfigError, loadTreasury } from '../core/treasury/config.ts'
import { describeFault } from '../core/treasury/describe-issues.ts'
import { findDeskFaults } from '../core/treasury/live-rules.ts'
import { readText } from './files/text-file.ts'
import { advice, option } from './next-step.ts'
import { usageError } from './operation-error.ts'
import type { ConnectedService, Service } from './service/built-in-sandbox.ts'
import type { Settings } from './settings.ts'

/** @throws OperationError (exit 2) with one line for each finding. */
export function readTreasury(configFile: string): Treasury {
  try {
    return loadTreasury(configFile)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    throw usageError(
      'configuration',
      error.message,
      'correct the configuration and run the command again; nothing was sent',
    )
  }
}

/** @throws OperationError (exit 2) that names the field and its shape, never the value. */
export function parseKey(text: string, stage: Stage, role: KeyRole): ServiceKey {
  try {
    return parseKeyMaterial(text, { stage, role })
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    throw usageError(
      'keys',
      advice`${option('keys')}: ${error.message}`,
      'correct the key file and run the command again; nothing was sent',
    )
  }
}

/**
 * The key of one role for a service that is only read.
 * @throws OperationError (exit 2) that names the field and its shape, never the value.
 */
export function readKeyOf({ keys, isBuiltIn }: ConnectedService, treasury: Treasury, role: KeyRole): ServiceKey {
  if (isBuiltIn) assertTestStage(treasury)
  return parseKey(keys, treasury.service.stage, role)
}

/** The built-in sandbox has test keys only. @throws OperationError (exit 2) */
export function assertTestStage({ service: { stage } }: Treasury): void {
  if (stage === Stage.Test) return
  throw usageError(
    'configuration',
    `service.stage: expected test, because the built-in sandbox has test keys; got ${stage}`,
    advice`name a test configuration with ${option('config')} FILE, or a live service with ${option('service')} URL ${option('keys')} FILE`,
  )
}

/**
 * Refuses rules that need verified people, because a desk cannot verify them. `brought`: a policy in the request.
 * @throws OperationError (exit 2)
 */
export function assertHoldsAtDesk(treasury: Treasury, brought?: Policy): void {
  const faults = findDeskFaults(treasury, brought)
  if (faults.length === 0) return
  throw usageError(
    'configuration',
    faults.map(({ path, message }) => describeFault(path, message, 'treasury.json')).join('\n'),
    'move these runs to AWS, where STS verifies the caller, or give the reason in waives.verifiedPeople; nothing was sent',
  )
}

export interface NamedService extends Service {
  readonly readKey: ServiceKey
  /** Every key that the command may use there. */
  readonly ownKeys: readonly ServiceKey[]
  /** The roles of these keys. One key may have all roles. */
  readonly ownRoles: readonly KeyRole[]
  /** False for keys from standard input, which are never written to disk. */
  readonly keepsKeys: boolean
}

/**
 * The named service with its keys; undefined for the built-in sandbox. `roles`: the roles whose keys will send.
 * @throws OperationError (exit 2) for keys or a stage that do not fit, and for a file that a desk refuses
 */
export async function readNamedService(
  { configFile, service }: Settings,
  treasury: Treasury,
  roles: readonly KeyRole[],
  stdin: Readable,
): Promise<NamedService | undefined> {
  if (service === undefined) {
    assertTestStage(treasury)
    return undefined
  }
  // Reads need nobody's approval.
  const { stage } = treasury.service
  if (roles.some((role) => role !== KeyRole.Read)) {
    assertHoldsAtDesk(treasury)
    assertOwnFile(configFile, stage)
  }
  const keys = await readText(service.keysFile, 'keys', stdin)
  const sending = roles.map((role) => parseKey(keys, stage, role))
  const readKey = parseKey(keys, stage, 'read')
  const ownKeys = [readKey, ...sending]
  const ownRoles = rolesFor(keys, stage, ownKeys)
  return { url: service.url, keys, readKey, ownKeys, ownRoles, keepsKeys: service.keysFile !== '-' }
}

/** @throws OperationError (exit 2) where real money would move by a file that others may write */
function assertOwnFile(configFile: string, stage: Stage): void {
  const found = stage === Stage.Live ? findOtherWriter(configFile) : undefined
  if (found === undefined) return
  throw usageError(
    'configuration',
    `${found.place} can be changed by ${found.writer}, and the stage is live`,
    `chmod go-w ${found.place}, and read ${configFile} again; nothing was sent`,
  )
}

/** Leaves out roles without a usable key, and roles whose key the service was not asked about. */
function rolesFor(keys: string, stage: Stage, ownKeys: readonly ServiceKey[]): KeyRole[] {
  return Object.values(KeyRole).filter((role) => {
    try {
      const { prefix } = parseKeyMaterial(keys, { stage, role })
      return ownKeys.some((own) => own.prefix === prefix)
    } catch (error) {
      if (error instanceof Refused) return false
      throw error
    }
  })
}

/** The roles whose keys a secret holds. */
export function rolesOf(service: ServiceSettings, secretName: string): KeyRole[] {
  return Object.values(KeyRole).filter((role) => roleKeyOf(service, role).secret === secretName)
}

const GROUP_WRITES = 0o020
const OTHERS_WRITE = 0o002
const STICKY = 0o1000

/** In words, for the file or its folder. Undefined where nobody else can change them. */
export function findOtherWriter(file: string): { readonly place: string; readonly writer: string } | undefined {
  for (const place of [file, path.dirname(path.resolve(file))]) {
    const writer = otherWriterOf(place)
    if (writer !== undefined) return { place, writer }
  }
  return undefined
}

/**
 * In words; undefined where nobody else can. A user's own group may write, which is the default on many systems. In a
 * folder with the sticky bit others cannot replace a file.
 */
function otherWriterOf(place: string): string | undefined {
  const user = process.getuid?.()
  // Other systems have other kinds of permissions.
  if (user === undefined) return undefined
  const found = statSync(place)
  const { mode, uid, gid } = found
  if (uid !== user && uid !== 0) return `its owner, user ${uid}`
  if (found.isDirectory() && (mode & STICKY) !== 0) return undefined
  if ((mode & OTHERS_WRITE) !== 0) return `every user of this machine (mode ${(mode & 0o777).toString(8)})`
  if ((mode & GROUP_WRITES) !== 0 && gid !== process.getgid?.())
    return `group ${gid} (mode ${(mode & 0o777).toString(8)})`
  return undefined
}
