import { generateKeyPairSync, type KeyObject, sign, verify as verifyBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refused, Transient } from '../../../core/errors.ts'
import {
  createWebhookVerifier,
  KEY_READS_WITHIN_MS,
  KEYS_AGE_LIMIT_MS,
  MOST_KEY_READS,
  type WebhookKey,
} from '../../../core/service/webhook-keys.ts'
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
  const state = { keys, reads: 0, fails: false }
  const verify = createWebhookVerifier(async () => {
    state.reads++
    if (state.fails) throw new Transient('no answer')
    return state.keys
  }, clock)
  return { clock, state, verify }
}

/** The check as it was made with node:crypto alone. */
function isGenuine(signature: string, body: Uint8Array, keys: readonly WebhookKey[]): boolean {
  const [, header = '', bytes = ''] = /^([A-Za-z0-9_-]{1,1024})\.\.([A-Za-z0-9_-]{86})$/.exec(signature) ?? []
  let json: Readonly<Record<string, unknown>>
  try {
    json = JSON.parse(Buffer.from(header, 'base64url').toString('utf8'))
  } catch {
    return false
  }
  if (json.alg !== 'EdDSA' || json.crit !== undefined) return false
  const key = [pair.publicKey, other.publicKey, pair.publicKey][keys.findIndex(({ kid }) => kid === json.kid)]
  const signed = Buffer.from(`${header}.${Buffer.from(body).toString('base64url')}`)
  return key !== undefined && verifyBytes(null, signed, key, Buffer.from(bytes, 'base64url'))
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

  it('passes where node:crypto says that it is signed so, and nowhere else (property)', async () => {
    const kids = ['k-1', 'k-2', 'k-3', '']
    const headers = fc.record(
      {
        ...{ alg: fc.constantFrom('EdDSA', 'EdDSA', 'EdDSA', 'Ed25519', 'none'), kid: fc.constantFrom(...kids, 7) },
        ...{ typ: fc.string(), b64: fc.boolean(), crit: fc.constantFrom<unknown>(['b64'], [], undefined, null) },
      },
      { requiredKeys: ['alg'] },
    )
    const keys = [published('k-1', pair.publicKey), published('k-2', other.publicKey), published('', pair.publicKey)]
    const { verify } = setUp(keys)
    const flips = fc.option(fc.tuple(fc.nat(500), fc.constantFrom(...'A_-.+/= \n')), { freq: 2 })
    let passed = 0
    await fc.assert(
      fc.asyncProperty(headers, fc.uint8Array({ maxLength: 200 }), flips, async (header, body, flip) => {
        const whole = jws(header, body)
        const at = flip === null ? 0 : flip[0] % whole.length
        const signature = flip === null ? whole : `${whole.slice(0, at)}${flip[1]}${whole.slice(at + 1)}`
        const isPassed = await verify({ signature, body }).then(
          () => true,
          (error) => {
            if (error instanceof Refused) return false
            // An unknown kid has the set read anew, and that has its bound.
            expect(error).toBeInstanceOf(Transient)
            return false
          },
        )
        expect(isPassed).toBe(isGenuine(signature, body, keys))
        passed += Number(isPassed)
      }),
      { numRuns: 1_000 },
    )
    // Some forty do: so few as ten, no run has by chance.
    expect(passed).toBeGreaterThan(10)
  })

  it('signed by a key that was published since passes at once', async () => {
    const { verify, state } = setUp([published('k-0', other.publicKey)])
    await verify({ signature: jws({ alg: 'EdDSA', kid: 'k-0' }, BODY, other.privateKey), body: BODY })
    state.keys = [published('k-1', pair.publicKey)]
    await verify({ signature: good, body: BODY })
    expect(state.reads).toBe(2)
  })

  it('of which the key is unknown is Refused as often as the set was asked, and held back then, not judged', async () => {
    const { verify, state, clock } = setUp([])
    const delivery = { signature: good, body: BODY }
    for (let nth = 0; nth < MOST_KEY_READS; nth++) await expect(verify(delivery)).rejects.toThrow(Refused)
    state.keys = [published('k-1', pair.publicKey)]
    await expect(verify(delivery)).rejects.toThrow(Transient)
    expect(state.reads).toBe(MOST_KEY_READS)
    clock.advance(KEY_READS_WITHIN_MS)
    await verify(delivery)
    expect(state.reads).toBe(MOST_KEY_READS + 1)
  })

  it('asks for the set no more often while it cannot be read', async () => {
    const { verify, state, clock } = setUp()
    state.fails = true
    for (let nth = 0; nth < 3 * MOST_KEY_READS; nth++) {
      await expect(verify({ signature: good, body: BODY })).rejects.toThrow(Transient)
    }
    expect(state.reads).toBe(MOST_KEY_READS)
    state.fails = false
    clock.advance(KEY_READS_WITHIN_MS)
    await verify({ signature: good, body: BODY })
  })

  it('signed by a key that was revoked passes no more once the set has its age', async () => {
    const { verify, state, clock } = setUp()
    const delivery = { signature: good, body: BODY }
    await verify(delivery)
    state.keys = []
    clock.advance(KEYS_AGE_LIMIT_MS - 1)
    await verify(delivery)
    clock.advance(1)
    await expect(verify(delivery)).rejects.toThrow(Refused)
    expect(state.reads).toBe(2)
  })

  it('is not judged by a set that has its age, where no other can be read', async () => {
    const { verify, state, clock } = setUp()
    const delivery = { signature: good, body: BODY }
    await verify(delivery)
    state.fails = true
    clock.advance(KEYS_AGE_LIMIT_MS)
    await expect(verify(delivery)).rejects.toThrow(Transient)
  })

  it('and others that come with it wait for one read', async () => {
    const { verify, state } = setUp()
    await Promise.all(Array.from({ length: 20 }, () => verify({ signature: good, body: BODY })))
    expect(state.reads).toBe(1)
  })
})
