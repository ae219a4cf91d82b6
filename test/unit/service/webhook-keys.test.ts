// A delivery passes only with a signature of the service's present keys, which are read a bounded number of times.

import { generateKeyPairSync, type KeyObject, sign, verify as verifyBytes } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Refused, Transient } from '../../../core/errors.ts'
import {
  createWebhookVerifier,
  KEY_READS_WITHIN_MS,
  KEYS_AGE_LIMIT_MS,
  MOST_KEY_READS,
  MOST_KEYS_OF_A_KID,
  usableKeys,
  type WebhookKey,
} from '../../../core/service/webhook-deliveries.ts'
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

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
/** The same bytes in base64url whose spare bits are not zero: a lenient decoder accepts both spellings. */
function respelled(text: string): string {
  const other = text.slice(0, -1) + ALPHABET[ALPHABET.indexOf(text.slice(-1)) + 1]
  const bytesOf = (spelled: string) => Buffer.from(spelled.split('.').at(-1) ?? '', 'base64url')
  expect(bytesOf(other)).toEqual(bytesOf(text))
  return other
}

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

/** The check as node:crypto alone makes it. */
function isGenuine(signature: string, body: Uint8Array, keys: readonly WebhookKey[]): boolean {
  const [, header = '', bytes = ''] = /^([A-Za-z0-9_-]{1,1024})\.\.([A-Za-z0-9_-]{86})$/.exec(signature) ?? []
  if (Buffer.from(bytes, 'base64url').toString('base64url') !== bytes) return false
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
  it('a webhook delivery of the service passes, and the key set is read once for many', async () => {
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
    ['a signature of the same bytes, spelled with other spare bits', respelled(good), BODY],
    ['nothing', '', BODY],
    ['a long text', 'a'.repeat(100_000), BODY],
  ])('with %s is Refused, without its text in the message', async (_what, signature, body) => {
    const { verify } = setUp()
    const error: unknown = await verify({ signature, body }).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(Refused)
    expect(String(error).length).toBeLessThan(120)
  })

  const mine = published('k-1', pair.publicKey)
  const theirs = published('k-1', other.publicKey)
  const odd: readonly (readonly [string, unknown])[] = [
    ['of another kind', { kty: 'RSA', n: 'AAAA', e: 'AQAB', kid: 'k-1' }],
    ['for encryption', { ...mine, use: 'enc' }],
    ['of another curve', { ...mine, crv: 'X25519' }],
    ['whose curve is null', { ...mine, crv: null }],
    ['that cannot be read', { ...mine, x: 'AAAA' }],
    ['whose value has other spare bits', { ...mine, x: respelled(mine.x) }],
    ['without its value', { ...mine, x: undefined }],
    ['without its kid', { ...mine, kid: undefined }],
    ['whose kid is a number', { ...mine, kid: 7 }],
    ['that is null', null],
    ['that is a list', [mine]],
  ]
  it.each(odd)(
    'is Refused by a set of one member %s, and passes once its key is in the set too',
    async (_what, member) => {
      const delivery = { signature: good, body: BODY }
      await expect(setUp(usableKeys([member])).verify(delivery)).rejects.toThrow(Refused)
      await setUp(usableKeys([member, mine])).verify(delivery)
    },
  )

  it('passes by the second key of its kid, and with 120 retired keys before it', async () => {
    const retired = Array.from({ length: 120 }, (_, index) => ({ ...theirs, kid: `old-${index}` }))
    await setUp(usableKeys([...retired, theirs, mine])).verify({ signature: good, body: BODY })
  })

  it('is compared with a bounded number of keys of its kid', async () => {
    const before = (count: number) => Array.from({ length: count }, () => theirs)
    const verifyAfter = (count: number) =>
      setUp(usableKeys([...before(count), mine])).verify({ signature: good, body: BODY })
    await verifyAfter(MOST_KEYS_OF_A_KID - 1)
    await expect(verifyAfter(MOST_KEYS_OF_A_KID)).rejects.toThrow(Refused)
  })

  it('passes exactly if node:crypto confirms its signature (property)', async () => {
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
            // An unknown kid has the set read again, within a bound.
            expect(error).toBeInstanceOf(Transient)
            return false
          },
        )
        expect(isPassed).toBe(isGenuine(signature, body, keys))
        passed += Number(isPassed)
      }),
      { numRuns: 1_000 },
    )
    // About forty do: no run has as few as ten by chance.
    expect(passed).toBeGreaterThan(10)
  })

  it('signed by a key that was published since passes at once', async () => {
    const { verify, state } = setUp([published('k-0', other.publicKey)])
    await verify({ signature: jws({ alg: 'EdDSA', kid: 'k-0' }, BODY, other.privateKey), body: BODY })
    state.keys = [published('k-1', pair.publicKey)]
    await verify({ signature: good, body: BODY })
    expect(state.reads).toBe(2)
  })

  it('with an unknown key is Refused as often as the set was read, and then held back, not judged', async () => {
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

  it('reads the set no more often while it cannot be read', async () => {
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

  it('signed by a revoked key no longer passes once the set has expired', async () => {
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

  it('is not judged by an expired set, if no other can be read', async () => {
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

it('is judged by every key of its kid, beside odd members, in one spelling of its signature', async () => {
  const members = [null, published('k-1', other.publicKey), published('k-1', pair.publicKey)]
  const signature = jws({ alg: 'EdDSA', kid: 'k-1' })
  const verify = createWebhookVerifier(async () => usableKeys(members), manualClock())
  await verify({ signature, body: BODY })
  await expect(verify({ signature: respelled(signature), body: BODY })).rejects.toThrow(Refused)
})
