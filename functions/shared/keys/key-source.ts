// Owns what the client knows of a key: an interface to the current one, and its three values.
// A key does not show its secret when it is printed, logged or serialised.
import type { webcrypto } from 'node:crypto'

/** Roles a key may be given for, and the entries of a key file with several (least privilege). */
export type KeyRole = 'read' | 'trade' | 'transfer'

export type KeyAlgorithm = 'EdDSA' | 'RS256'

/** The current key of one role. */
export interface KeySource {
  /** The key in force; cached. Throws Refused for unusable material, Transient when it cannot be read now. */
  current(): Promise<ServiceKey>
  /** The next `current()` reads anew. */
  forget(): void
}

/** The three values of a key (section "The three values of a key"). */
export class ServiceKey {
  /** 21 characters, derived from the secret; public. */
  readonly prefix: string
  readonly alg: KeyAlgorithm
  readonly #secret: string
  readonly #signingKey: webcrypto.CryptoKey | undefined

  constructor(secret: string, alg: KeyAlgorithm, signingKey: webcrypto.CryptoKey | undefined) {
    this.prefix = secret.slice(0, 21)
    this.alg = alg
    this.#secret = secret
    this.#signingKey = signingKey
  }

  /** The bearer secret of Tier 1. */
  get secret(): string {
    return this.#secret
  }

  /** The imported private key of Tier 2; undefined for a key that only reads. Not extractable. */
  get signingKey(): webcrypto.CryptoKey | undefined {
    return this.#signingKey
  }
}

/** One key that never changes: for tests and the command line. */
export function staticKeySource(key: ServiceKey): KeySource {
  return { current: async () => key, forget: () => undefined }
}
