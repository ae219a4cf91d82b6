// Does the common part of `keys generate` and `keys stage`. They change one key of the version in use, and put the
// result as AWSPENDING once it is known to be usable. Everything else in the secret stays unchanged.

import type { KeyRole } from '../../core/contract/service-settings.ts'
import { roleKeyOf } from '../../core/contract/treasury.ts'
import { parseKeyMaterial, parseKeySecret, parseStoredKey } from '../../core/keys/key-material.ts'
import type { Signer } from '../../core/keys/key-source.ts'
import type { KeyAlgorithm } from '../../core/keys/signer.ts'
import type { OperationContext } from '../../place/context.ts'
import { readText } from '../../place/files/text-file.ts'
import { advice, option } from '../../place/next-step.ts'
import { usageError } from '../../place/operation-error.ts'
import { orUnfit } from './key-failure.ts'
import { type KeySecret, Label, withLabel } from './key-secret.ts'
import type { KeyStore, KeysFlags } from './key-store.ts'

export interface DraftFlags extends KeysFlags {
  /** File with the new bearer secret; `-` is standard input. */
  readonly bearer?: string
  readonly fromCurrent?: true
}

export interface Draft {
  readonly secretName: string
  readonly versionId: string
  readonly prefix: string
}

/** The bearer secret that was given, checked for shape and stage; undefined where none was given. */
export async function readBearer(
  { bearer }: DraftFlags,
  { service: { stage } }: KeyStore,
  { stdin }: OperationContext,
): Promise<string | undefined> {
  if (bearer === undefined) return undefined
  const text = (await readText(bearer, 'bearer', stdin)).trim()
  return orUnfit(
    option('bearer'),
    advice`give ${option('bearer')} a file with the secret alone, as the dashboard shows it`,
    () => parseKeySecret(text, 'secret', stage),
  )
}

export async function putDraft(
  flags: DraftFlags,
  keyStore: KeyStore,
  output: OperationContext['output'],
  change: KeyChange,
): Promise<Draft> {
  const { role } = flags
  const { secret: name } = roleKeyOf(keyStore.service, role)
  const secret = keyStore.secret(name)
  const baseText = await readBase(secret, flags, output)
  if (baseText === undefined && change.secret === undefined) {
    const message = `${name}: expected a key to start from; the secret is empty`
    throw usageError(
      'keys',
      message,
      advice`add ${option('bearer')} FILE with the bearer secret, as the dashboard shows it`,
    )
  }
  const next = advice`correct what is stored with aws secretsmanager put-secret-value, or name another ${option('role')}`
  const text = orUnfit(name, next, () => draftKey(baseText, role, change))
  const key = orUnfit(name, next, () => parseKeyMaterial(text, requiredKey(keyStore, role)))
  const versionId = await secret.putPending(text)
  return { secretName: name, versionId, prefix: key.prefix }
}

/** The required shape of the key. Where KMS signs for it, only its bearer secret is checked here. */
function requiredKey({ service }: KeyStore, role: KeyRole) {
  const isInKms = roleKeyOf(service, role).kmsKey !== undefined
  const signWith = (alg: Signer['alg']): Signer => ({
    alg,
    sign: async () => {
      throw new Error('a draft signs nothing')
    },
  })
  return { stage: service.stage, role, signWith: isInKms ? signWith : undefined }
}

/** Starts from the pending version, if there is one, so that a bearer secret and a signing key rotate together. */
async function readBase(
  secret: KeySecret,
  flags: DraftFlags,
  output: OperationContext['output'],
): Promise<string | undefined> {
  const versions = await secret.versions()
  const current = withLabel(versions, Label.Current)
  const pending = withLabel(versions, Label.Pending)
  const base = flags.fromCurrent === true ? current : (pending ?? current)
  if (base === undefined) return undefined
  if (base !== current)
    output.note(
      advice`continuing from the pending version ${base.id}; ${option('from-current')} starts from the current version`,
    )
  return secret.read(base.id)
}

interface KeyChange {
  readonly secret?: string
  readonly privateKeyPem?: string
  readonly alg?: KeyAlgorithm
}

/** Changes the part of `baseText` that `role` uses. Without a base it makes a flat key. Throws Refused. */
export function draftKey(baseText: string | undefined, role: KeyRole, change: KeyChange): string {
  if (baseText === undefined) return JSON.stringify(change)
  const { material, entry, isFlat } = parseStoredKey(baseText, role)
  // The stored prefix would be the old one. It is left out, because it follows from the secret.
  const { prefix: _, ...kept } = entry
  const changed = { ...kept, ...change }
  return JSON.stringify(isFlat ? changed : { ...material, [role]: changed })
}
