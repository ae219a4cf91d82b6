// Makes new service keys for tests, because the repository contains no key material.
import { generateKeyPairSync, type KeyObject } from 'node:crypto'
import { parseKeyMaterial } from '../../core/keys/key-material.ts'
import type { KeyAlgorithm, ServiceKey } from '../../core/keys/key-source.ts'

export interface MadeKey {
  readonly key: ServiceKey
  readonly secret: string
  readonly privateKeyPem: string
  readonly publicKey: KeyObject
  /** The text in which the key would be stored. */
  readonly material: string
}

/** `mark` (up to 38 characters 0-9A-Za-z) begins the secret's random part, so that keys differ. */
export function makeKey(mark = 'K', alg: KeyAlgorithm = 'EdDSA', stage: 'live' | 'test' = 'test'): MadeKey {
  const pair = alg === 'EdDSA' ? generateKeyPairSync('ed25519') : generateKeyPairSync('rsa', { modulusLength: 2048 })
  const privateKeyPem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
  const secret = `svc_${stage}_${mark.padEnd(38, '0')}`
  const material = JSON.stringify({ secret, privateKeyPem, alg })
  const key = parseKeyMaterial(material, { stage, role: 'trade' })
  return { key, secret, privateKeyPem, publicKey: pair.publicKey, material }
}
