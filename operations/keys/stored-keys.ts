// Reads the keys in one version of a secret, for the roles of treasury.json that the secret serves.

import { KeyRole } from '../../core/contract/service-settings.ts'
import { roleKeyOf } from '../../core/contract/treasury.ts'
import { parseKeyMaterial, parseStoredKey } from '../../core/keys/key-material.ts'
import type { ServiceKey } from '../../core/keys/key-source.ts'
import { kmsSigner } from '../../core/keys/kms-signer.ts'
import type { KeyAlgorithm, Signer } from '../../core/keys/signer.ts'
import { rolesOf } from '../../place/configuration.ts'
import { advice, option } from '../../place/next-step.ts'
import { usageError } from '../../place/operation-error.ts'
import { orUnfit } from './key-failure.ts'
import type { KeyStore } from './key-store.ts'
import { type PublicHalf, publicHalfOf } from './signing-pair.ts'

export interface RoleKeyInUse {
  readonly role: KeyRole
  readonly key: ServiceKey
  /** Undefined where the key signs nothing, or KMS signs for it. */
  readonly publicHalf: PublicHalf | undefined
}

/**
 * If all roles share one key, it is read as the key that trades. Otherwise each role with an entry has its own key, and
 * `required` always has one.
 * @throws OperationError (exit 2)
 */
export function keysIn(
  text: string,
  secretName: string,
  required: KeyRole,
  keyStore: KeyStore,
): readonly RoleKeyInUse[] {
  const { service } = keyStore
  return orUnfit(secretName, 'put a new version with keys generate or keys stage', () => {
    const { material, isFlat } = parseStoredKey(text, required)
    const served = rolesOf(service, secretName)
    const roles = isFlat
      ? [speakerOf(served)]
      : served.filter((role) => role === required || material[role] !== undefined)
    return roles.map((role) => roleKeyIn(text, role, keyStore))
  })
}

function speakerOf(served: readonly KeyRole[]): KeyRole {
  return [KeyRole.Trade, KeyRole.Transfer].find((role) => served.includes(role)) ?? KeyRole.Read
}

function roleKeyIn(text: string, role: KeyRole, { service, isEmbedded }: KeyStore): RoleKeyInUse {
  const { kmsKey } = roleKeyOf(service, role)
  const key = parseKeyMaterial(text, {
    stage: service.stage,
    role,
    signWith: kmsKey === undefined ? undefined : (alg) => signerInKms(kmsKey, alg, isEmbedded),
  })
  const { privateKeyPem } = parseStoredKey(text, role).entry
  const signsItself = key.signer !== undefined && typeof privateKeyPem === 'string'
  return { role, key, publicHalf: signsItself ? publicHalfOf(privateKeyPem) : undefined }
}

function signerInKms(keyId: string, alg: KeyAlgorithm, isEmbedded: boolean): Signer {
  if (!isEmbedded) return kmsSigner({ keyId, alg })
  throw usageError(
    'configuration',
    `the configuration has ${keyId} sign, and there is no KMS beside the secrets of a state directory`,
    advice`use a configuration without kmsKey with ${option('embedded')}, or leave ${option('embedded')} out`,
  )
}
