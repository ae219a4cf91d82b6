import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { Refused } from '../../../functions/shared/errors.ts'
import { createWebhookVerifier, type WebhookKey } from '../../../functions/shared/service/webhook-keys.ts'
import { manualClock } from '../../helpers/manual-clock.ts'

const BODY = Buffer.from('{"type":"withdrawal.status.updated","data":{"id":"w-1"}}')
const pair = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')

const encode = (json: unknown) => Buffer.from(JSON.stringify(json)).toString('base64url')
function jws(header: unknown, body: Uint8Array = BODY, key: KeyObject = pair.privateKey): string {
  const head = encode(header)
  const signed = Buffer.from(`${head}.${Buffer.from(body).toString('base64url')}`)
  return `${head}..${sign(null, signed, key).toString('base64url')}`
}
const published = (kid: string, key: KeyObject): WebhookKey => ({
  ...(key.export({ format: 'jwk' }) as WebhookKey),
  kid,
})

function setUp(keys: readonly WebhookKey[] = [published('k-1', pair.publicKey)]) {
  const clock = manualClock()
  const state = { keys, reads: 0 }
  const verify = createWebhookVerifier(async () => {
    state.reads++
    return state.keys
  }, clock)
  return { clock, state, verify }
}

describe('a webhook delivery', () => {
  it('of the service passes, and the key set is read once for many', async () => {
    const { verify, state } = setUp()
    for (let delivery = 0; delivery < 3; delivery++)
      await verify({ signature: jws({ alg: 'EdDSA', kid: 'k-1' }), body: BODY })
    expect(state.reads).toBe(1)
  })

  const good = jws({ alg: 'EdDSA', kid: 'k-1' })
  it.each<[string, string, Uint8Array]>([
    ['another body', good, Buffer.from('{}')],
    ['another signer', jws({ alg: 'EdDSA', kid: 'k-1' }, BODY, other.privateKey), BODY],
    ['no algorithm', jws({ alg: 'none', kid: 'k-1' }), BODY],
    ['another algorithm', jws({ alg: 'HS256', kid: 'k-1' }), BODY],
    ['no kid', jws({ alg: 'EdDSA' }), BODY],
    ['an extension that must be understood', jws({ alg: 'EdDSA', kid: 'k-1', crit: ['b64'], b64: false }), BODY],
    ['an attached payload', good.replace('..', `.${BODY.toString('base64url')}.`), BODY],
    ['a header that is no JSON', good.replace(/^[^.]+/, 'AAAA'), BODY],
    ['a signature cut short', good.slice(0, -1), BODY],
    ['nothing', '', BODY],
    ['a long text', 'a'.repeat(100_000), BODY],
  ])('with %s is Refused, without its text in the message', async (_what, signature, body) => {
    const { verify } = setUp()
    const error: unknown = await verify({ signature, body }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Refused)
    expect(String(error).length).toBeLessThan(120)
  })

  it.each<[string, WebhookKey]>([
    ['of another kind', { kty: 'RSA', kid: 'k-1' }],
    ['that cannot be read', { kty: 'OKP', crv: 'Ed25519', kid: 'k-1', x: 'AAAA' }],
    ['without its value', { kty: 'OKP', crv: 'Ed25519', kid: 'k-1' }],
  ])('is Refused when its kid names a key %s', async (_what, key) => {
    await expect(setUp([key]).verify({ signature: good, body: BODY })).rejects.toThrow(Refused)
  })

  it('signed by a key that is published later passes then; unknown kids cause one read a minute', async () => {
    const { verify, state, clock } = setUp([])
    const delivery = { signature: good, body: BODY }
    await expect(verify(delivery)).rejects.toThrow('a key of the published set')
    state.keys = [published('k-1', pair.publicKey)]
    await expect(verify(delivery)).rejects.toThrow(Refused)
    expect(state.reads).toBe(1)
    clock.advance(60_000)
    await verify(delivery)
    expect(state.reads).toBe(2)
  })
})
