// Owns what the client knows of a key: an interface to the current one, and its three values.
// A key does not show its secret when it is printed, logged or serialised.
import type { Signer } from './signer.ts'

export type { KeyRole } from '../contract/treasury.ts'
export type { KeyAlgorithm, Signer } from './signer.ts'

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
  readonly #secret: string
  readonly #signer: Signer | undefined

  constructor(secret: string, signer: Signer | undefined) {
    this.prefix = prefixOf(secret)
    this.#secret = secret
    this.#signer = signer
  }

  /** The bearer secret of Tier 1. */
  get secret(): string {
    return this.#secret
  }

  /** Signs for Tier 2; undefined for a key that only reads. */
  get signer(): Signer | undefined {
    return this.#signer
  }
}

/** The environment marker and the first 12 of the random characters (section "The three values of a key"). */
export function prefixOf(secret: string): string {
  return secret.slice(0, 21)
}

/** One key that never changes: for tests and the command line. */
export function staticKeySource(key: ServiceKey): KeySource {
  return { current: async () => key, forget: () => undefined }
}
