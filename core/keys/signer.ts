// Owns what signs: an interface over some bytes, and the maker that holds a private key in this
// process. It must not know what it signs, and never shows the key that it signs with.
import { type KeyObject, sign as signBytes } from 'node:crypto'

/** As in the header of a token (RFC 8037, RFC 7518). */
export type KeyAlgorithm = 'EdDSA' | 'RS256'

export interface Signer {
  readonly alg: KeyAlgorithm
  /**
   * The signature over exactly `bytes`, as a JWS has it: 64 bytes for EdDSA, as many as the key
   * for RS256. @throws Transient, Refused when the key is elsewhere and cannot be used (now).
   */
  sign(bytes: Uint8Array): Promise<Uint8Array>
}

/** Signs in this process. `key` must fit `alg`: key-material.ts sees to it. */
export function privateKeySigner(key: KeyObject, alg: KeyAlgorithm): Signer {
  // Ed25519 hashes by itself; for RSA, Node's padding is PKCS#1 v1.5 unless told otherwise.
  const digest = alg === 'EdDSA' ? null : 'sha256'
  return { alg, sign: async (bytes) => signBytes(digest, bytes, key) }
}
