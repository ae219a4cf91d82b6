// A key is read once for minutes, again when it is forgotten, and no fault shows its secret.
import { inspect } from 'node:util'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Refused, Transient } from '../../../core/errors.ts'
import { secretsManagerClient, secretsManagerKeySource } from '../../../core/keys/secrets-manager-key-source.ts'
import { settingsOfAws } from '../../helpers/aws-settings.ts'
import { type LocalServer, type Respond, startLocalServer } from '../../helpers/local-server.ts'
import { manualClock } from '../../helpers/manual-clock.ts'
import { makeKey } from '../../helpers/service-keys.ts'

const first = makeKey('First')
const second = makeKey('Second')

const open: { server: LocalServer; client: SecretsManagerClient }[] = []
afterEach(async () => {
  vi.unstubAllEnvs()
  for (const { server, client } of open.splice(0)) {
    client.destroy()
    await server.stop()
  }
})

async function setUp(respond: Respond) {
  const server = await startLocalServer(respond)
  const client = new SecretsManagerClient({
    endpoint: server.baseUrl,
    region: 'eu-west-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
    maxAttempts: 1,
  })
  open.push({ server, client })
  const clock = manualClock()
  const keys = secretsManagerKeySource({ secretId: 'sluice/service-key', stage: 'test', role: 'trade', clock, client })
  return { server, clock, keys }
}

const giving =
  (secretOf: () => Record<string, unknown>): Respond =>
  (_request, response) =>
    response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(secretOf()))

const failing =
  (status: number, type: string): Respond =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-errortype': type })
      .end(JSON.stringify({ __type: type, message: 'no' }))

describe('a key from Secrets Manager', () => {
  it('is the current version of the named secret', async () => {
    const { server, keys } = await setUp(giving(() => ({ SecretString: first.material })))
    expect((await keys.current()).secret).toBe(first.secret)
    expect(JSON.parse(server.arrived[0]?.body.toString() ?? '')).toEqual({
      SecretId: 'sluice/service-key',
      VersionStage: 'AWSCURRENT',
    })
  })

  it('is read once for all who ask at once, and for five minutes after', async () => {
    const { server, clock, keys } = await setUp(giving(() => ({ SecretString: first.material })))
    await Promise.all([keys.current(), keys.current(), keys.current()])
    clock.advance(5 * 60_000)
    await keys.current()
    expect(server.arrived).toHaveLength(1)
    clock.advance(1)
    await keys.current()
    expect(server.arrived).toHaveLength(2)
  })

  it('is read again after it was forgotten', async () => {
    let material = first.material
    const { keys } = await setUp(giving(() => ({ SecretString: material })))
    await keys.current()
    material = second.material
    expect((await keys.current()).secret).toBe(first.secret)
    keys.forget()
    expect((await keys.current()).secret).toBe(second.secret)
  })

  it('is read again after a failure', async () => {
    let isUp = false
    const { keys } = await setUp((request, response, socket) =>
      isUp
        ? giving(() => ({ SecretString: first.material }))(request, response, socket)
        : failing(500, 'InternalServiceError')(request, response, socket),
    )
    await expect(keys.current()).rejects.toThrow(Transient)
    isUp = true
    expect((await keys.current()).secret).toBe(first.secret)
  })

  it.each([
    [400, 'ResourceNotFoundException', Refused],
    [400, 'AccessDeniedException', Refused],
    [400, 'DecryptionFailure', Refused],
    [400, 'ThrottlingException', Transient],
    [500, 'InternalServiceError', Transient],
  ])('fails on %s %s with an error of the closed set', async (status, type, kind) => {
    const { keys } = await setUp(failing(status, type))
    await expect(keys.current()).rejects.toThrow(kind)
    await expect(keys.current()).rejects.toThrow(type)
  })

  it('is Refused when the secret holds bytes and no text', async () => {
    const { keys } = await setUp(giving(() => ({ SecretBinary: 'AAAA' })))
    await expect(keys.current()).rejects.toThrow(Refused)
  })

  it('shows nothing of the secret when the answer is cut short or its text is broken', async () => {
    const cut = await setUp((_request, response) =>
      response
        .writeHead(200, { 'content-type': 'application/x-amz-json-1.1' })
        .end(JSON.stringify({ SecretString: first.material }).slice(0, -2)),
    )
    const broken = await setUp(giving(() => ({ SecretString: first.material.slice(0, -1) })))
    for (const { keys } of [cut, broken]) {
      const error: unknown = await keys.current().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(Error)
      expect(inspect(error, { depth: 9, showHidden: true })).not.toContain(first.secret.slice(9))
    }
  })
})

describe('the client for Secrets Manager', () => {
  it('stops waiting for a missing answer, which is Transient', async () => {
    const server = await startLocalServer(() => undefined)
    settingsOfAws(server.baseUrl, { variables: ['AWS_ENDPOINT_URL_SECRETS_MANAGER'] })
    const client = secretsManagerClient({ connectionTimeoutMs: 100, requestTimeoutMs: 100, attempts: 2 })
    open.push({ server, client })
    const keys = secretsManagerKeySource({ secretId: 's', stage: 'test', role: 'trade', clock: manualClock(), client })
    await expect(keys.current()).rejects.toThrow('Secrets Manager did not answer (ETIMEDOUT)')
    await expect(keys.current()).rejects.toThrow(Transient)
  })
})
