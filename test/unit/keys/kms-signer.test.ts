// A signature of KMS fits the header and the payload, and its faults show nothing else.
import { generateKeyPairSync } from 'node:crypto'
import { inspect } from 'node:util'
import type { KMSClient } from '@aws-sdk/client-kms'
import { afterEach, describe, expect, it, onTestFinished, test, vi } from 'vitest'
import { KeyFault, Transient } from '../../../core/errors.ts'
import { kmsClient, kmsDecisionKey, kmsSigner } from '../../../core/keys/kms-signer.ts'
import type { KeyAlgorithm } from '../../../core/keys/signer.ts'
import { settingsOfAws } from '../../helpers/aws-settings.ts'
import { type Respond, startLocalServer } from '../../helpers/local-server.ts'

const keyId = 'alias/sluice-trade'
const message = Buffer.from('{"sub":"svc_test_1"}')
const part = (text: string | Uint8Array) => Buffer.from(text).toString('base64url')
afterEach(() => vi.unstubAllEnvs())

const REQUEST_TIMEOUT_MS = 60_000

/** A KMS with answers from the test, and a client that tries once. */
async function setUp(respond: Respond, attempts = 1) {
  const server = await startLocalServer(respond)
  settingsOfAws(server.baseUrl, { variables: ['AWS_ENDPOINT_URL_KMS'] })
  const client: KMSClient = kmsClient({ connectionTimeoutMs: 60_000, requestTimeoutMs: REQUEST_TIMEOUT_MS, attempts })
  onTestFinished(async () => {
    client.destroy()
    await server.stop()
  })
  const signer = (alg: KeyAlgorithm = 'EdDSA') => kmsSigner({ keyId, alg, client })
  return { server, signer, client }
}

const answering =
  (body: object, status = 200): Respond =>
  (_request, response) =>
    response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body))

describe('a KMS signer', () => {
  it.each([
    ['EdDSA', 'ED25519_SHA_512'],
    ['RS256', 'RSASSA_PKCS1_V1_5_SHA_256'],
  ] as const)('signs %s as %s over the header and payload themselves', async (alg, SigningAlgorithm) => {
    const { server, signer } = await setUp(answering({ Signature: Buffer.from('signed').toString('base64') }))
    const signed = `${part(`{"alg":"${alg}","typ":"JWT"}`)}.${part(message)}`
    expect(await signer(alg).sign(message)).toBe(`${signed}.${part('signed')}`)
    expect(server.arrived[0]?.headers['x-amz-target']).toBe('TrentService.Sign')
    expect(JSON.parse(server.arrived[0]?.body.toString() ?? '')).toEqual({
      KeyId: keyId,
      Message: Buffer.from(signed).toString('base64'),
      MessageType: 'RAW',
      SigningAlgorithm,
    })
  })

  it.each([
    ['NotFoundException', 400, KeyFault],
    ['AccessDeniedException', 400, KeyFault],
    ['DisabledException', 400, KeyFault],
    ['KMSInvalidStateException', 400, KeyFault],
    ['InvalidKeyUsageException', 400, KeyFault],
    ['ThrottlingException', 400, Transient],
    ['KeyUnavailableException', 500, Transient],
    ['KMSInternalException', 500, Transient],
  ])('fails on %s with an error of the closed set that names it and nothing else', async (type, status, kind) => {
    const { signer } = await setUp(answering({ __type: type, message: 'Canary' }, status))
    const error: unknown = await signer()
      .sign(message)
      .catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(kind)
    expect((error as Error).message).toContain(type)
    expect(inspect(error, { depth: 9 })).not.toContain('Canary')
  })

  it('stops waiting for a missing answer, which is Transient', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
    onTestFinished(() => void vi.useRealTimers())
    const { server, signer } = await setUp(() => void vi.advanceTimersByTime(REQUEST_TIMEOUT_MS), 2)
    await expect(signer().sign(message)).rejects.toThrow(Transient)
    expect(server.arrived).toHaveLength(2)
  })

  it('is Transient on an answer without a signature', async () => {
    const { signer } = await setUp(answering({}))
    await expect(signer().sign(message)).rejects.toThrow(Transient)
  })

  it('requests nothing that KMS would not accept', async () => {
    const { server, signer } = await setUp(answering({}))
    await expect(signer().sign(Buffer.alloc(4_097))).rejects.toThrow('at most 4096 bytes')
    expect(server.arrived).toHaveLength(0)
  })
})

test('the key of decisions opens nothing before its first use, and reads its public half until KMS answers, then never again', async () => {
  const { publicKey } = generateKeyPairSync('ed25519')
  const PublicKey = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
  let fails = true
  const { server, client } = await setUp((...asked) => {
    answering(fails ? { __type: 'ThrottlingException' } : { PublicKey }, fails ? 400 : 200)(...asked)
    fails = false
  })
  let opened = 0
  const key = kmsDecisionKey(() => {
    opened += 1
    return { keyId, client }
  })
  expect(opened).toBe(0)
  await expect(key.publicKey()).rejects.toThrow(Transient)
  expect((await Promise.all([key.publicKey(), key.publicKey()])).map((each) => each.equals(publicKey))).toEqual([
    true,
    true,
  ])
  expect([opened, server.arrived.length]).toEqual([1, 2])
})
