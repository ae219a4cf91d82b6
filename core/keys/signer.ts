// Owns signers: an interface over a payload, and the signer that holds a private key in this process. It must not know
// what it signs, and never shows its key.
import type { KeyObject } from 'node:crypto'
// Imported by its own path: the whole of jose takes twice as long to load in code that is not bundled.
import { CompactSign } from 'jose/jws/compact/sign'

/** The algorithms as a token's header names them (RFC 8037, RFC 7518). */
export type KeyAlgorithm = 'EdDSA' | 'RS256'

export interface Signer {
  readonly alg: KeyAlgorithm
  /**
   * Returns the compact JWS (RFC 7515, section 7.1) over exactly `payload`, with a token's header.
   * @throws Transient, Refused when the key is elsewhere and cannot be used (now)
   */
  sign(payload: Uint8Array): Promise<string>
}

/** Signs in this process. key-material.ts makes sure that `key` fits `alg`. */
export function privateKeySigner(key: KeyObject, alg: KeyAlgorithm): Signer {
  return { alg, sign: (payload) => new CompactSign(payload).setProtectedHeader(headerOf(alg)).sign(key) }
}

/** Builds a JWS with a key whose private half is elsewhere. `signBytes` returns the signature in the form of a JWS. */
export async function compactJws(
  alg: KeyAlgorithm,
  payload: Uint8Array,
  signBytes: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  const signed = `${encodePart(JSON.stringify(headerOf(alg)))}.${encodePart(payload)}`
  return `${signed}.${encodePart(await signBytes(Buffer.from(signed, 'ascii')))}`
}

/** Both signers write the same bytes, so that a token does not reveal where its key is. */
function headerOf(alg: KeyAlgorithm) {
  return { alg, typ: 'JWT' }
}

function encodePart(part: string | Uint8Array): string {
  return Buffer.from(part).toString('base64url')
}
