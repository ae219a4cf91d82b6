// Makes signing key pairs, and gives the public half of one. A private half leaves this file only as text for the
// secret store.
import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto'
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

/** Good beyond 2030 (NIST SP 800-57, part 1, table 2). */
const RSA_BITS = 3_072

export function makeSigningPair(alg: KeyAlgorithm): SigningPair {
  const { privateKey, publicKey } =
    alg === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: RSA_BITS })
  const privateKeyPem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  return { alg, privateKeyPem, ...publicHalf(publicKey) }
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
