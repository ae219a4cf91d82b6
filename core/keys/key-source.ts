// Owns the client's view of a key: an interface to the current key, and its three values. A key never shows its secret
// when it is printed, logged or serialised.
import type { Signer } from './signer.ts'

export type { KeyRole } from '../contract/service-settings.ts'
export type { KeyAlgorithm, Signer } from './signer.ts'

export interface KeySource {
  /** The current key, cached. @throws Refused for unusable material, Transient when it cannot be read now */
  current(): Promise<ServiceKey>
  /** Makes the next `current()` read again. */
  forget(): void
}

/** The three values of a key (service description, "The three values of a key"). */
export class ServiceKey {
  /** 21 characters derived from the secret. Public. */
  readonly prefix: string
  readonly #secret: string
  readonly #signer: Signer | undefined

  constructor(secret: string, signer: Signer | undefined) {
    this.prefix = prefixOf(secret)
    this.#secret = secret
    this.#signer = signer
  }

  /** The bearer secret of Tier 1 requests. */
  get secret(): string {
    return this.#secret
  }

  /** Signs Tier 2 requests. Undefined for a key that only reads. */
  get signer(): Signer | undefined {
    return this.#signer
  }
}

/** The stage's marker and the first 12 random characters (service description, "The three values of a key"). */
export function prefixOf(secret: string): string {
  return secret.slice(0, 21)
}

/** A source with one fixed key, for tests and the command line. */
export function staticKeySource(key: ServiceKey): KeySource {
  return { current: async () => key, forget: () => undefined }
}
