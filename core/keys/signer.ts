// Owns what signs: an interface over some payload, and the maker that holds a private key in this
// process. It must not know what it signs, and never shows the key that it signs with.
import type { KeyObject } from 'node:crypto'
// By its own path: the whole of jose takes twice as long to load where nothing is bundled.
import { CompactSign } from 'jose/jws/compact/sign'

/** As in the header of a token (RFC 8037, RFC 7518). */
export type KeyAlgorithm = 'EdDSA' | 'RS256'

export interface Signer {
  readonly alg: KeyAlgorithm
  /**
   * The compact JWS (RFC 7515, section 7.1) over exactly `payload`, with the header of a token.
   * @throws Transient, Refused when the key is elsewhere and cannot be used (now).
   */
  sign(payload: Uint8Array): Promise<string>
}

/** Signs in this process. `key` must fit `alg`: key-material.ts sees to it. */
export function privateKeySigner(key: KeyObject, alg: KeyAlgorithm): Signer {
  return { alg, sign: (payload) => new CompactSign(payload).setProtectedHeader(headerOf(alg)).sign(key) }
}

/** For a key whose private half is elsewhere: `signBytes` gives the signature as a JWS has it. */
export async function compactJws(
  alg: KeyAlgorithm,
  payload: Uint8Array,
  signBytes: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  const signed = `${encodePart(JSON.stringify(headerOf(alg)))}.${encodePart(payload)}`
  return `${signed}.${encodePart(await signBytes(Buffer.from(signed, 'ascii')))}`
}

/** Both makers write the same bytes, so that a token says nothing of where its key is. */
function headerOf(alg: KeyAlgorithm) {
  return { alg, typ: 'JWT' }
}

function encodePart(part: string | Uint8Array): string {
  return Buffer.from(part).toString('base64url')
}
