// The sandbox's signing keys follow from its seed alone, and a wrong secret is unknown to it.
import { checkPrimeSync, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { KeyRing } from '../../service/keys.ts'
import { seededEd25519, seededRsa } from '../../service/signing-keys.ts'

const bytes = Buffer.from('what is signed')

describe('key pairs from a seed', () => {
  test.each([
    ['Ed25519', seededEd25519, null],
    ['RSA', seededRsa, 'sha256'],
  ] as const)('%s signs and verifies, and is the same for the same seed and label', (_name, make, digest) => {
    const pair = make('seed', 'label')
    expect(verify(digest, bytes, pair.publicKeyPem, sign(digest, bytes, pair.privateKeyPem))).toBe(true)
    expect(make('seed', 'label')).toEqual(pair)
    expect(make('seed', 'other').publicKeyPem).not.toBe(pair.publicKeyPem)
  })

  test.each(['sluice', 'a', 'b', 'c', 'd', 'e'])('the RSA key of seed %s has 2048 bits', (seed) => {
    const { modulusLength, publicExponent } =
      createPublicKey(seededRsa(seed, 'x').publicKeyPem).asymmetricKeyDetails ?? {}
    expect([modulusLength, publicExponent]).toEqual([2048, 65_537n])
  })
})

test('the known steps of the default seed lead to primes', () => {
  const { p = '', q = '' } = createPrivateKey(seededRsa('sluice', 'rsa').privateKeyPem).export({ format: 'jwk' })
  for (const factor of [p, q]) expect(checkPrimeSync(Buffer.from(factor, 'base64url'))).toBe(true)
})

test('a mistyped secret is unknown', () => {
  const { secret } = new KeyRing('sluice').issued().full
  const typo = secret.replace(/.(?=.{6}$)/, (character) => (character === 'a' ? 'b' : 'a'))
  expect(typo).not.toBe(secret)
  expect(new KeyRing('sluice').findBySecret(typo)).toBeUndefined()
})
