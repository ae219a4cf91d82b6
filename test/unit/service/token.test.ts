// A token is valid for other libraries too, and a key that only reads signs none.
import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto'
import fc from 'fast-check'
import { CompactSign, compactVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { Defect } from '../../../core/errors.ts'
import { ServiceKey } from '../../../core/keys/key-source.ts'
import { compactJws, type KeyAlgorithm, privateKeySigner } from '../../../core/keys/signer.ts'
import { sha256Hex, signToken, type TokenClaims } from '../../../core/service/signed-send.ts'
import { makeKey } from '../../helpers/service-keys.ts'

// The published key of RFC 8037, appendix A.1.
const RFC_8037_KEY = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}
const privateKey = createPrivateKey({ key: RFC_8037_KEY, format: 'jwk' })
const key = new ServiceKey(`svc_test_${'Ab1'.repeat(12)}Zz`, privateKeySigner(privateKey, 'EdDSA'))
/** Its three parts: header, payload, signature. Ed25519 signs deterministically, so they never change. */
const EXACT_TOKEN = [
  'eyJhbGciOiJFZERTQSIsInR5cCI6IkpXVCJ9',
  'eyJzdWIiOiJzdmNfdGVzdF9BYjFBYjFBYjFBYjEiLCJ1cmkiOiJQT1NUIC92Mi9vcmRlcnMiLCJub25jZSI6IjAwMDAwMDAwLTAwMDAtNDAwMC04MDAwLTAwMDAwMDAwMDAwMSIsImlhdCI6MTc2OTg1MDAwMCwiZXhwIjoxNzY5ODUwMDMwLCJib2R5SGFzaCI6ImJmYTk1MjI2NTdkMGFkY2M3ZDJhYmU4YTBkODA1OGM2ZDNjYzRmYzljZDZlNDhmNGMyNmEyYjg1MTlhMzNmNTEifQ',
  'Vy1-kz8z7fBuUMfzU3rJTetHkhsBS_5zXELFvqL-nwAE-9ptZcbaV0WcI-9ubEJXAuX64lB38jJHpALIL1ywDA',
].join('.')
const body = Buffer.from('{"orderId":"q-1"}')
const claims: TokenClaims = {
  sub: key.prefix,
  uri: 'POST /v2/orders',
  nonce: '00000000-0000-4000-8000-000000000001',
  iat: 1769850000,
  exp: 1769850030,
  bodyHash: sha256Hex(body),
}

describe('signToken', () => {
  it('makes the very same token from the same claims and key', async () => {
    expect(await signToken(key, claims)).toBe(EXACT_TOKEN)
  })

  it('makes a token that another library verifies, with unchanged claims', async () => {
    const { payload, protectedHeader } = await compactVerify(await signToken(key, claims), createPublicKey(privateKey))
    expect(protectedHeader).toEqual({ alg: 'EdDSA', typ: 'JWT' })
    expect(JSON.parse(Buffer.from(payload).toString())).toEqual(claims)
  })

  it('makes a token that the public key verifies', async () => {
    const [header, payload, signature] = (await signToken(key, claims)).split('.')
    const signed = Buffer.from(`${header}.${payload}`)
    expect(verify(null, signed, createPublicKey(privateKey), Buffer.from(signature ?? '', 'base64url'))).toBe(true)
    expect(JSON.parse(Buffer.from(header ?? '', 'base64url').toString())).toEqual({ alg: 'EdDSA', typ: 'JWT' })
    expect(JSON.parse(Buffer.from(payload ?? '', 'base64url').toString())).toEqual(claims)
  })

  it('signs with RS256 if the key is an RSA key', async () => {
    const rsa = makeKey('R', 'RS256')
    const [header, payload, signature] = (await signToken(rsa.key, { ...claims, sub: rsa.key.prefix })).split('.')
    expect(JSON.parse(Buffer.from(header ?? '', 'base64url').toString())).toEqual({ alg: 'RS256', typ: 'JWT' })
    const signed = Buffer.from(`${header}.${payload}`)
    expect(verify('sha256', signed, rsa.publicKey, Buffer.from(signature ?? '', 'base64url'))).toBe(true)
  })

  const rsaKey = createPrivateKey(makeKey('E', 'RS256').privateKeyPem)
  it.each<[KeyAlgorithm, KeyObject, string | null]>([
    ['EdDSA', privateKey, null],
    ['RS256', rsaKey, 'sha256'],
  ])('makes the token that jose makes, whoever signs: %s (property)', async (alg, own, digest) => {
    const local = new ServiceKey(key.secret, privateKeySigner(own, alg))
    const signBytes = async (bytes: Uint8Array) => sign(digest, bytes, own)
    const elsewhere = new ServiceKey(key.secret, { alg, sign: (payload) => compactJws(alg, payload, signBytes) })
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: 'binary' }),
        fc.uuid(),
        fc.integer({ min: 1, max: 60 }),
        async (uri, nonce, life) => {
          const all = { ...claims, uri, nonce, exp: claims.iat + life }
          const payload = Buffer.from(JSON.stringify(all))
          const exact = await new CompactSign(payload).setProtectedHeader({ alg, typ: 'JWT' }).sign(own)
          expect(await signToken(local, all)).toBe(exact)
          expect(await signToken(elsewhere, all)).toBe(exact)
        },
      ),
      { numRuns: 50 },
    )
  })

  it.each([
    ['no life', claims.iat],
    ['more than 60 seconds', claims.iat + 61],
    ['a fraction of a second', claims.iat + 29.5],
    ['no end', Number.NaN],
  ])('refuses a token with %s', async (_what, exp) => {
    await expect(signToken(key, { ...claims, exp })).rejects.toThrow(Defect)
  })

  it('refuses to sign with a key that only reads', async () => {
    await expect(signToken(new ServiceKey(key.secret, undefined), claims)).rejects.toThrow(/no signing key/)
  })
})

describe('sha256Hex', () => {
  it('hashes the bytes unchanged, in lower-case hex', () => {
    expect(sha256Hex(Buffer.from('abc'))).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
