// A draft of a key file changes only what was asked, and a new pair fits together.
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Refused } from '../../../../core/errors.ts'
import { draftKey } from '../../../../operations/keys/draft.ts'
import { makeSigningPair, publicHalfOf } from '../../../../operations/keys/signing-pair.ts'

describe('draftKey', () => {
  const base = { secret: 's', privateKeyPem: 'p', alg: 'EdDSA', note: 'kept' }
  const draft = (
    material: object | undefined,
    ...rest: [Parameters<typeof draftKey>[1], Parameters<typeof draftKey>[2]]
  ) => JSON.parse(draftKey(material && JSON.stringify(material), ...rest))

  it('makes the requested change and keeps the rest', () => {
    expect(draft(base, 'trade', { secret: 't' })).toEqual({ ...base, secret: 't' })
    expect(draft(base, 'trade', { privateKeyPem: 'q', alg: 'RS256' })).toEqual({
      ...base,
      privateKeyPem: 'q',
      alg: 'RS256',
    })
  })

  it('leaves out a prefix, which would belong to the former secret', () => {
    expect(draft({ ...base, prefix: 'old' }, 'trade', { secret: 't' })).toEqual({ ...base, secret: 't' })
  })

  it('changes one role of several', () => {
    const material = { read: { secret: 'r' }, trade: base }
    expect(draft(material, 'trade', { secret: 't' })).toEqual({ ...material, trade: { ...base, secret: 't' } })
    expect(() => draft(material, 'transfer', { secret: 't' })).toThrow(Refused)
  })

  it('is the change alone if there is no base', () => {
    expect(draft(undefined, 'trade', { secret: 't' })).toEqual({ secret: 't' })
  })
})

describe('makeSigningPair', () => {
  it.each([
    ['EdDSA', 'ed25519', null, undefined],
    ['RS256', 'rsa', 'sha256', 3072],
  ] as const)('makes an %s pair whose halves belong together', async (alg, type, digest, modulusLength) => {
    const pair = await makeSigningPair(alg)
    const privateKey = createPrivateKey(pair.privateKeyPem)
    const publicKey = createPublicKey(pair.publicKeyPem)
    // Byte for byte as node:crypto writes them: stored and printed keys keep that format.
    expect(pair.privateKeyPem).toBe(privateKey.export({ type: 'pkcs8', format: 'pem' }))
    expect(pair.publicKeyPem).toBe(publicKey.export({ type: 'spki', format: 'pem' }))
    expect(publicKey.asymmetricKeyType).toBe(type)
    expect(publicKey.asymmetricKeyDetails?.modulusLength).toBe(modulusLength)
    const bytes = Buffer.from('bytes')
    expect(verify(digest, bytes, publicKey, sign(digest, bytes, privateKey))).toBe(true)
    expect(publicHalfOf(pair.privateKeyPem)).toEqual({ publicKeyPem: pair.publicKeyPem, fingerprint: pair.fingerprint })
    const der = publicKey.export({ type: 'spki', format: 'der' })
    expect(pair.fingerprint).toBe(`sha256:${createHash('sha256').update(der).digest('hex')}`)
  })
})
