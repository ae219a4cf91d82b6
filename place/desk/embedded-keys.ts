// Distributes the keys of one key file as treasury.json describes them: each role's key into its secret, and what a KMS
// key signs into the embedded KMS. So a configuration for AWS works unchanged on this machine.
import { KeyRole } from '../../core/contract/service-settings.ts'
import { keySecretsOf, roleKeyOf, type ServiceSettings } from '../../core/contract/treasury.ts'
import { parseStoredKey } from '../../core/keys/key-material.ts'
import { rolesOf } from '../configuration.ts'

interface EmbeddedKeys {
  readonly secrets: Readonly<Record<string, string>>
  /** The private key of each KMS key in PEM, by its name. */
  readonly kmsKeys: Readonly<Record<string, string>>
}

/** `keysText` is the text of a key file that was checked before. Throws Refused for any other text. */
export function embeddedKeys(service: ServiceSettings, keysText: string): EmbeddedKeys {
  const kmsKeys: Record<string, string> = {}
  const secrets = keySecretsOf(service).map((name) => {
    const served = rolesOf(service, name)
    const isPlain = served.every((role) => roleKeyOf(service, role).kmsKey === undefined)
    if (isPlain) return [name, keysText] as const
    const entries = served.flatMap((role) => {
      const entry = findEntry(keysText, role)
      return entry === undefined
        ? []
        : [[role, withoutKmsHalf(entry, roleKeyOf(service, role).kmsKey, kmsKeys)] as const]
    })
    return [name, JSON.stringify(Object.fromEntries(entries))] as const
  })
  return { secrets: Object.fromEntries(secrets), kmsKeys }
}

type Entry = Readonly<Record<string, unknown>>

function findEntry(keysText: string, role: KeyRole): Entry | undefined {
  const { material, isFlat } = parseStoredKey(keysText, KeyRole.Trade)
  return isFlat || material[role] !== undefined ? parseStoredKey(keysText, role).entry : undefined
}

/** The entry, without its private half where KMS signs. That half is put into `kmsKeys`. */
function withoutKmsHalf(entry: Entry, kmsKey: string | undefined, kmsKeys: Record<string, string>): Entry {
  if (kmsKey === undefined) return entry
  const { privateKeyPem, ...kept } = entry
  if (typeof privateKeyPem === 'string') kmsKeys[kmsKey] = privateKeyPem
  return kept
}
