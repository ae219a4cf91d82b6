// Owns signers: an interface over a payload, the JWS that each of them writes, and the signer that holds a private key in
// this process. It must not know what it signs, and never shows its key.
import { type KeyObject, sign } from 'node:crypto'

/** The algorithms as a token's header names them (RFC 8037, RFC 7518). */
export type KeyAlgorithm = 'EdDSA' | 'RS256'

export interface Signer {
  readonly alg: KeyAlgorithm
  /**
   * Returns the compact JWS (RFC 7515, section 7.1) over exactly `payload`, with a token's header.
   * @throws Transient, Refused, KeyFault when the key is elsewhere and cannot be used (now)
   */
  sign(payload: Uint8Array): Promise<string>
}

/**
 * Signs in this process. key-material.ts makes sure that `key` fits `alg`. RFC 8037 and RFC 7518, section 3.3, name the
 * digests: EdDSA takes the bytes themselves, and RS256 is PKCS #1 v1.5, which is Node's default for RSA.
 */
export function privateKeySigner(key: KeyObject, alg: KeyAlgorithm): Signer {
  const digest = alg === 'EdDSA' ? null : 'sha256'
  return { alg, sign: (payload) => compactJws(alg, payload, async (bytes) => sign(digest, bytes, key)) }
}

/** Builds a JWS. `signBytes` returns the signature in the form of a JWS, from this process or from elsewhere. */
export async function compactJws(
  alg: KeyAlgorithm,
  payload: Uint8Array,
  signBytes: (bytes: Uint8Array) => Promise<Uint8Array>,
): Promise<string> {
  const signed = `${encodePart(JSON.stringify({ alg, typ: 'JWT' }))}.${encodePart(payload)}`
  return `${signed}.${encodePart(await signBytes(Buffer.from(signed, 'ascii')))}`
}

function encodePart(part: string | Uint8Array): string {
  return Buffer.from(part).toString('base64url')
}
