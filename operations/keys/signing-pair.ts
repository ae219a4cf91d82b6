// Makes signing key pairs, and returns the public half of a key. A private half leaves this file only as text for the
// secret store.
import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { exportPKCS8 } from 'jose/key/export'
import { generateKeyPair } from 'jose/key/generate/keypair'
import type { KeyAlgorithm } from '../../core/keys/signer.ts'

export interface PublicHalf {
  /** SPKI in PEM, as the dashboard takes it. */
  readonly publicKeyPem: string
  /** `sha256:` and the digest of the SPKI in DER, hex. */
  readonly fingerprint: string
}

interface SigningPair extends PublicHalf {
  readonly alg: KeyAlgorithm
  /** PKCS#8. */
  readonly privateKeyPem: string
}

/** Secure beyond 2030 (NIST SP 800-57, part 1, table 2). */
const RSA_BITS = 3_072

export async function makeSigningPair(alg: KeyAlgorithm): Promise<SigningPair> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength: RSA_BITS })
  // Every line of PEM ends with a line break, including the last (RFC 7468).
  const privateKeyPem = `${await exportPKCS8(privateKey)}\n`
  return { alg, privateKeyPem, ...publicHalfOf(privateKeyPem) }
}

/** The public half of a private key that was checked before. */
export function publicHalfOf(privateKeyPem: string): PublicHalf {
  return publicHalf(createPublicKey(createPrivateKey(privateKeyPem)))
}

/** `der` is SPKI, as KMS gives it. */
export function publicHalfOfDer(der: Uint8Array): PublicHalf {
  return publicHalf(createPublicKey({ key: Buffer.from(der), format: 'der', type: 'spki' }))
}

function publicHalf(key: KeyObject): PublicHalf {
  const der = key.export({ type: 'spki', format: 'der' })
  return {
    publicKeyPem: key.export({ type: 'spki', format: 'pem' }).toString(),
    fingerprint: `sha256:${createHash('sha256').update(der).digest('hex')}`,
  }
}
