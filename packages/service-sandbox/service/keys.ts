// Owns the API keys of the sandbox: secrets, prefixes, scopes, allowed addresses and signing keys, with their life
// cycle (description, "Authentication"). Decides nothing about a request.
import { createPublicKey, hash, type KeyObject } from 'node:crypto'
import type { Fact } from './facts.ts'
import { seededText } from './seeded.ts'
import { type SeededKeyPair, seededEd25519, seededRsa } from './signing-keys.ts'

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

/** One secret of a key. After a rotation the old secret stays valid for 7 days. */
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
  /** Undefined when every address may use the key. */
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

/** The old secret works for 7 days after a rotation (description, "Key lifecycle"). */
const ROTATION_GRACE_MS = 7 * 24 * 3_600_000

type KeyFact = Extract<Fact, { readonly kind: `key.${string}` | `signing-key.${string}` }>

export class KeyRing {
  readonly keys = new Map<string, ApiKey>()
  readonly #bySecret = new Map<string, Held>()
  readonly #byPrefix = new Map<string, Held>()
  readonly #pairs = new Map<string, () => SeededKeyPair>()

  constructor(seed: string) {
    for (const [name, alg, scopes] of SEEDED) {
      const pair = onFirstUse(() => (alg === 'EdDSA' ? seededEd25519(seed, name) : seededRsa(seed, name)))
      const signingKeys = onFirstUse(() => [parsedSigningKey(pair().publicKeyPem)])
      const key: ApiKey = {
        name,
        scopes: new Set(scopes),
        credentials: [],
        get signingKeys() {
          return signingKeys()
        },
        allowedIps: undefined,
        revoked: false,
      }
      this.keys.set(name, key)
      this.#addSecret(key, secretFor(seed, `key ${name}`))
      this.#pairs.set(name, pair)
    }
  }

  /** Returns the keys as their owner holds them now: the newest secret of each, with the private key of the start. */
  issued(): Readonly<Record<KeyName, SandboxKey>> {
    const issued = SEEDED.map(([name, alg]) => {
      const { secret, prefix } = (this.keys.get(name) as ApiKey).credentials.at(-1) as Credential
      const pair = this.#pairs.get(name) as () => SeededKeyPair
      const key: SandboxKey = {
        secret,
        prefix,
        get privateKeyPem() {
          return pair().privateKeyPem
        },
        alg,
      }
      return [name, key]
    })
    return Object.fromEntries(issued) as Record<KeyName, SandboxKey>
  }

  /** Applies a fact about a key (description, "Key lifecycle"). */
  change(fact: KeyFact): void {
    const key = this.keys.get(fact.keyName) as ApiKey
    switch (fact.kind) {
      case 'key.rotated':
        for (const credential of key.credentials) credential.expiresAtMs ??= fact.atMs + ROTATION_GRACE_MS
        this.#addSecret(key, fact.secret)
        return
      case 'key.revoked':
        key.revoked = true
        return
      case 'key.addresses-set':
        key.allowedIps = fact.allowedIps ?? undefined
        return
      case 'signing-key.added':
        key.signingKeys.push(parsedSigningKey(fact.publicKeyPem))
        return
      case 'signing-key.revoked': {
        // A signing key is revoked at once and for good, without a grace period.
        const signingKey = key.signingKeys.find(({ id }) => id === fact.signingKeyId)
        if (signingKey !== undefined) signingKey.active = false
        return
      }
    }
  }

  findBySecret(secret: string): Held | undefined {
    return this.#bySecret.get(secret)
  }

  findByPrefix(prefix: string): Held | undefined {
    return this.#byPrefix.get(prefix)
  }

  /** Adds a secret, and keeps the existing secrets. */
  #addSecret(key: ApiKey, secret: string): void {
    const credential: Credential = { secret, prefix: prefixOf(secret), expiresAtMs: undefined }
    key.credentials.push(credential)
    this.#bySecret.set(secret, { key, credential })
    this.#byPrefix.set(credential.prefix, { key, credential })
  }
}

/** Deriving the pairs of five keys takes a third of the time in which a world opens, and most callers use one key. */
function onFirstUse<Value extends object>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

function parsedSigningKey(publicKeyPem: string): SigningKey {
  const signingKey = readSigningKey(publicKeyPem)
  if (signingKey === undefined) throw new Error('a signing key is an Ed25519 or RSA public key in PEM')
  return signingKey
}

/** Returns the signing key in a PEM, or undefined when it holds no key that the service verifies with. */
export function readSigningKey(publicKeyPem: string): SigningKey | undefined {
  try {
    const publicKey = createPublicKey(publicKeyPem)
    const alg = ALGORITHM_OF[publicKey.asymmetricKeyType ?? '']
    const der = publicKey.export({ type: 'spki', format: 'der' })
    return alg && { id: `sk_${hash('sha256', der, 'hex').slice(0, 16)}`, alg, publicKey, active: true }
  } catch {
    return undefined
  }
}

const ALGORITHM_OF: Readonly<Record<string, Algorithm>> = { ed25519: 'EdDSA', rsa: 'RS256' }

/** Returns the environment marker and the first 12 random characters. */
function prefixOf(secret: string): string {
  return secret.slice(0, 21)
}

/** Returns `svc_test_`, 32 random characters, and 6 characters of a checksum over them. */
export function secretFor(seed: string, label: string): string {
  const marked = `svc_test_${seededText(seed, label, 32)}`
  return marked + seededText(marked, 'checksum', 6)
}
