// Checks the keys of a set-up: where they come from, whether each role's key has the right shape and stage, and whether
// the service accepts its signature. Signatures are probed only on request, by the harmless signed request of `sluice
// keys verify`.

import type { Clock } from '../../core/clock.ts'
import { KeyRole, type Stage } from '../../core/contract/service-settings.ts'
import { roleKeyOf, type ServiceSettings } from '../../core/contract/treasury.ts'
import { Refused, Transient } from '../../core/errors.ts'
import { parseKeyMaterial } from '../../core/keys/key-material.ts'
import type { KeyAlgorithm, ServiceKey } from '../../core/keys/key-source.ts'
import { findAwsRemedy } from '../../place/aws/connection-remedy.ts'
import { advice, option } from '../../place/next-step.ts'
import { probeSigning, type SigningProbe } from '../../place/service/probe-signing.ts'
import { withConnection } from '../../place/service/service-connection.ts'
import { remedyFor } from '../../place/service/service-failure.ts'
import { messageOf } from './address-checks.ts'
import { type Check, fail, ok, warn } from './check.ts'

/** The remedy where AWS did not answer for an unknown reason. */
const OTHERWISE = 'check the AWS region, credentials and network'

export interface KeyFinder {
  /** Throws Refused for a key that is not usable, Transient when it cannot be read now. */
  find(role: KeyRole): Promise<ServiceKey>
  /** The place of a role's key, in words. */
  sourceOf(role: KeyRole): string
}

export interface RoleKey {
  readonly role: KeyRole
  readonly key: ServiceKey
}

export function keysOfFile(text: string, stage: Stage, source: string): KeyFinder {
  return { find: async (role) => parseKeyMaterial(text, { stage, role }), sourceOf: () => source }
}

/** The keys as the deployed functions find them. */
export async function keysOfSecrets(service: ServiceSettings, clock: Clock): Promise<KeyFinder> {
  const { secretsManagerClient, secretsManagerKeySource } = await import(
    '../../core/keys/secrets-manager-key-source.ts'
  )
  const { kmsClient, kmsSigner } = await import('../../core/keys/kms-signer.ts')
  const client = secretsManagerClient()
  const signingClient = kmsClient()
  return {
    find(role) {
      const { secret, kmsKey } = roleKeyOf(service, role)
      const signWith =
        kmsKey === undefined
          ? undefined
          : (alg: KeyAlgorithm) => kmsSigner({ keyId: kmsKey, alg, client: signingClient })
      const required = { stage: service.stage, role, signWith }
      return secretsManagerKeySource({ secretId: secret, ...required, clock, client }).current()
    },
    sourceOf: (role) => `the secret ${roleKeyOf(service, role).secret}`,
  }
}

export const keyCheckOf = (role: KeyRole) => `key to ${role}`

/** One check for each role, and the keys that can be used. */
export async function keyChecks(
  finder: KeyFinder,
): Promise<{ readonly checks: readonly Check[]; readonly keys: readonly RoleKey[] }> {
  const checks: Check[] = []
  const keys: RoleKey[] = []
  for (const role of Object.values(KeyRole)) {
    const name = keyCheckOf(role)
    const source = finder.sourceOf(role)
    try {
      const key = await finder.find(role)
      keys.push({ role, key })
      const signs = key.signer === undefined ? 'bearer only' : `signs with ${key.signer.alg}`
      checks.push(ok(name, `${key.prefix} in ${source}: right shape and stage, ${signs}`))
    } catch (error) {
      if (error instanceof Refused) checks.push(unusable(name, role, `${error.message}, in ${source}`))
      else if (error instanceof Transient)
        checks.push(fail(name, `${error.message}, for ${source}`, findAwsRemedy(error) ?? OTHERWISE))
      else throw error
    }
  }
  return { checks, keys }
}

/** Without a transfer key everything except withdrawals works. Every run needs the other two keys. */
function unusable(name: string, role: KeyRole, why: string): Check {
  return role === KeyRole.Transfer
    ? warn(name, why, 'correct it before anything is to be withdrawn')
    : fail(name, why, 'correct the key: docs/runbook.md shows its shape')
}

const TWO_FACTOR = 'two-factor'
const NOT_PROBED = advice`add ${option('probe-signing')}: it signs requests that name nothing that exists, and so move nothing`

type SigningRole = typeof KeyRole.Trade | typeof KeyRole.Transfer

/** The findings where no signature was probed. */
export function signingUnknown(keys: readonly RoleKey[]): Check[] {
  if (!keys.some(({ role }) => isSigning(role))) return []
  return ['signing', TWO_FACTOR].map((name) => warn(name, 'not checked: only a signed request shows it', NOT_PROBED))
}

/** One check for each role that signs. */
export async function signingChecks(baseUrl: string, keys: readonly RoleKey[], clock: Clock): Promise<Check[]> {
  const checks: Check[] = []
  for (const { role, key } of keys) {
    if (!isSigning(role)) continue
    const name = `signing to ${role}`
    try {
      checks.push(
        ...judged(name, await withConnection({ baseUrl, key, clock }, (client) => probeSigning(client, role))),
      )
    } catch (error) {
      checks.push(fail(name, messageOf(error), 'without a signature no money can be moved'))
    }
  }
  // Two-factor authentication belongs to the account, so it concerns every signed request or none.
  const others = checks.filter(({ check }) => check !== TWO_FACTOR)
  const objection = checks.find(({ check }) => check === TWO_FACTOR)
  const wasTaken = others.some(({ status }) => status === 'ok')
  return [...others, ...((objection ?? wasTaken) ? [objection ?? ok(TWO_FACTOR, 'no objection')] : [])]
}

function isSigning(role: KeyRole): role is SigningRole {
  return role !== KeyRole.Read
}

export function judged(name: string, { verdict, code = '', text }: SigningProbe): Check[] {
  if (verdict === 'registered') return [ok(name, `the signature is accepted; refused as it must be: ${text}`)]
  if (code === 'two_factor_required') return [fail(TWO_FACTOR, text, remedyFor(code))]
  if (verdict !== 'accepted') return [fail(name, text, remedyFor(code))]
  return [fail(name, text, 'do not use this address, and look at the latest movements: it breaks its description')]
}
