// API keys of the sandbox: secrets, prefixes, scopes, allowed addresses and signing keys, with
// their life cycle (description, "Authentication"). Decides nothing about a request.
import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import { seededText } from './seeded.ts'
import { seededEd25519, seededRsa } from './signing-keys.ts'

export const SCOPES = [
  'accounts:read',
  'market_data:read',
  'transfers:read',
  'transfers:write',
  'trading:read',
  'trading:write',
  'contacts:read',
  'contacts:write',
  'webhooks:read',
] as const
export type Scope = (typeof SCOPES)[number]
export type Algorithm = 'EdDSA' | 'RS256'

/** A key as its owner holds it. */
export interface SandboxKey {
  readonly secret: string
  readonly prefix: string
  readonly privateKeyPem: string
  readonly alg: Algorithm
}

/** One secret of a key. A rotation leaves the old one valid for some days. */
export interface Credential {
  readonly secret: string
  readonly prefix: string
  expiresAtMs: number | undefined
}

export interface SigningKey {
  readonly id: string
  readonly alg: Algorithm
  readonly publicKey: KeyObject
  active: boolean
}

export interface ApiKey {
  readonly name: string
  readonly scopes: ReadonlySet<Scope>
  readonly credentials: Credential[]
  readonly signingKeys: SigningKey[]
  /** Undefined when any address may use the key. */
  allowedIps: readonly string[] | undefined
  revoked: boolean
}

export interface Held {
  readonly key: ApiKey
  readonly credential: Credential
}

const READS: readonly Scope[] = ['accounts:read', 'market_data:read', 'transfers:read', 'trading:read', 'contacts:read']
const SEEDED: readonly (readonly [name: KeyName, alg: Algorithm, scopes: readonly Scope[]])[] = [
  ['full', 'EdDSA', SCOPES],
  ['rsa', 'RS256', SCOPES],
  ['readonly', 'EdDSA', READS],
  ['trade', 'EdDSA', [...READS, 'trading:write']],
  ['transfer', 'EdDSA', [...READS, 'transfers:write']],
]
export type KeyName = 'full' | 'rsa' | 'readonly' | 'trade' | 'transfer'

/** After a rotation the old secret works for 7 days (description, "Key lifecycle"). */
export const ROTATION_GRACE_MS = 7 * 24 * 3_600_000

export class KeyRing {
  /** The keys as their owner was given them, at the start. */
  readonly issued: Readonly<Record<KeyName, SandboxKey>>
  readonly keys = new Map<string, ApiKey>()
  readonly #bySecret = new Map<string, Held>()
  readonly #byPrefix = new Map<string, Held>()

  constructor(seed: string) {
    const issued = {} as Record<KeyName, SandboxKey>
    for (const [name, alg, scopes] of SEEDED) {
      const pair = alg === 'EdDSA' ? seededEd25519(seed, name) : seededRsa(seed, name)
      const key: ApiKey = {
        name,
        scopes: new Set(scopes),
        credentials: [],
        signingKeys: [],
        allowedIps: undefined,
        revoked: false,
      }
      this.keys.set(name, key)
      const credential = this.addSecret(key, secretFor(seed, `key ${name}`))
      this.addSigningKey(key, pair.publicKeyPem)
      issued[name] = { ...credential, privateKeyPem: pair.privateKeyPem, alg }
    }
    this.issued = issued
  }

  findBySecret(secret: string): Held | undefined {
    return this.#bySecret.get(secret)
  }

  findByPrefix(prefix: string): Held | undefined {
    return this.#byPrefix.get(prefix)
  }

  /** Adds a secret beside those there are; gives what its owner is shown. */
  addSecret(key: ApiKey, secret: string): { secret: string; prefix: string } {
    const credential: Credential = { secret, prefix: prefixOf(secret), expiresAtMs: undefined }
    key.credentials.push(credential)
    this.#bySecret.set(secret, { key, credential })
    this.#byPrefix.set(credential.prefix, { key, credential })
    return { secret, prefix: credential.prefix }
  }

  /** Throws when the PEM is not an Ed25519 or RSA public key. */
  addSigningKey(key: ApiKey, publicKeyPem: string): SigningKey {
    const publicKey = createPublicKey(publicKeyPem)
    const kind = publicKey.asymmetricKeyType
    if (kind !== 'ed25519' && kind !== 'rsa') throw new Error('a signing key is Ed25519 or RSA')
    const id = `sk_${hash('sha256', publicKeyPem.trim(), 'hex').slice(0, 16)}`
    const signingKey: SigningKey = { id, alg: kind === 'rsa' ? 'RS256' : 'EdDSA', publicKey, active: true }
    key.signingKeys.push(signingKey)
    return signingKey
  }
}

/** The environment marker and the first 12 random characters. */
function prefixOf(secret: string): string {
  return secret.slice(0, 21)
}

/** `svc_test_`, 32 random characters and 6 of a checksum over what stands before them. */
export function secretFor(seed: string, label: string): string {
  const marked = `svc_test_${seededText(seed, label, 32)}`
  return marked + seededText(marked, 'checksum', 6)
}
