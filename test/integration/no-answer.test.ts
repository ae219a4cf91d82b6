// Addresses without an answer, over real sockets: a client of AWS, the client of the service, and a command each report
// the code of the cause.

import type { AddressInfo } from 'node:net'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createSecureServer } from 'node:tls'
import { DynamoDB } from '@aws-sdk/client-dynamodb'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { systemClock } from '../../core/clock.ts'
import { createDynamoStore } from '../../core/journal/dynamo-store.ts'
import { requestLimits } from '../../core/keys/aws-limits.ts'
import { secretsManagerReadKeySource } from '../../core/keys/secrets-manager-key-source.ts'
import { readError } from '../../core/service/classify.ts'
import { createTransport } from '../../core/service/http.ts'
import { problemFrom } from '../../core/service/problem.ts'
import { isConnectionFailure } from '../../place/desk/join-desk.ts'
import { journalFailure } from '../../place/journal/journal-failure.ts'
import { assertReachable } from '../../place/service/service-address.ts'
import { serviceFailure } from '../../place/service/service-failure.ts'
import { makeSelfSigned } from '../helpers/self-signed.ts'

const sockets = new Set<Socket>()
const servers: Server[] = []

async function listen(server: Server): Promise<number> {
  servers.push(server)
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => socket.destroy())
  })
  const { promise, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await promise
  return (server.address() as AddressInfo).port
}

async function close(server: Server): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  server.close(() => resolve())
  for (const socket of sockets) socket.destroy()
  sockets.clear()
  await promise
}

const urls: Record<string, string> = {}
beforeAll(async () => {
  urls.closes = `http://127.0.0.1:${await listen(createServer((socket) => socket.once('data', () => socket.destroy())))}`
  urls.hangs = `http://127.0.0.1:${await listen(createServer((socket) => socket.resume()))}`
  urls.untrusted = `https://localhost:${await listen(createSecureServer(makeSelfSigned()))}`
  urls.nowhere = 'http://nowhere.invalid'
  // Created last, so that no other server gets its port.
  const refusing = createServer()
  urls.refuses = `http://127.0.0.1:${await listen(refusing)}`
  await close(refusing)
})
afterAll(async () => {
  for (const server of servers) if (server.listening) await close(server)
})

/** Time-out for what hangs, long enough on a busy machine. */
const LIMIT_MS = 60_000
const clientOf = (place: string, limitMs = LIMIT_MS) => ({
  endpoint: urls[place] ?? '',
  region: 'eu-central-1',
  credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'kept-to-itself' },
  ...requestLimits({ connectionTimeoutMs: LIMIT_MS, requestTimeoutMs: limitMs, attempts: 1 }),
})

const PLACES: readonly (readonly [string, RegExp, RegExp])[] = [
  ['refuses', /^ECONNREFUSED$/, /nothing listens there/],
  ['nowhere', /^(ENOTFOUND|EAI_AGAIN)$/, /does not resolve/],
  ['closes', /^ECONNRESET$/, /closed before an answer/],
  ['untrusted', /^DEPTH_ZERO_SELF_SIGNED_CERT$/, /NODE_EXTRA_CA_CERTS/],
]
const inBrackets = (message: string) => /\(([^()]*)\)/.exec(message)?.[1]
const failing = (work: Promise<unknown>): Promise<Error & { readonly next?: string }> =>
  work.then(
    () => Promise.reject(new TypeError('there was an answer')),
    (error) => error,
  )

describe.each(PLACES)('from a place that %s', (place, code, look) => {
  test('a read of the journal reports the code, and a decision by the cause is possible', async () => {
    const client = new DynamoDB(clientOf(place))
    const error = await failing(createDynamoStore(client, 'sluice-journal').read('I#one'))
    expect(error).toMatchObject({ name: 'Transient' })
    expect(inBrackets(error.message)).toMatch(code)
    expect(isConnectionFailure(error)).toBe(place !== 'untrusted')
    expect(journalFailure(error)).toMatchObject({ code: 'unreachable', next: expect.stringMatching(look) })
    client.destroy()
  })

  test('a key that cannot be read reports the code', async () => {
    const client = new SecretsManagerClient(clientOf(place))
    const source = secretsManagerReadKeySource({ secretId: 'a-key', stage: 'test', client, clock: systemClock })
    const error = await failing(source.current())
    expect(error).toMatchObject({ name: 'Transient' })
    expect(inBrackets(error.message)).toMatch(code)
    expect(serviceFailure(error).next).toMatch(look)
    client.destroy()
  })

  test('a read of the service reports the code', async () => {
    const transport = createTransport({ baseUrl: urls[place] ?? '', clock: systemClock })
    const answer = await transport.exchange({ method: 'GET', target: '/v2/time', headers: {} })
    const problem = problemFrom('GET /v2/time', answer)
    expect(problem).toMatchObject({ code: 'no_answer', systemCode: expect.stringMatching(code) })
    const error = readError(problem)
    expect(inBrackets(error.message)).toMatch(code)
    expect(serviceFailure(error).next).toMatch(look)
    transport.close()
  })

  test('a command that checks for the service reports the code', async () => {
    const error = await failing(assertReachable(urls[place] ?? ''))
    expect(inBrackets(error.message)).toMatch(place === 'closes' ? /^(UND_ERR_SOCKET|ECONNRESET)$/ : code)
    expect(error.next).toMatch(look)
  })
})

test('an address that accepts the connection and stays silent is a time-out for the journal and for the service', async () => {
  const client = new DynamoDB(clientOf('hangs', 50))
  const error = await failing(createDynamoStore(client, 'sluice-journal').read('I#one'))
  expect(error.message).toBe('the journal did not answer a read (ETIMEDOUT)')
  expect(journalFailure(error)).toMatchObject({ next: expect.stringMatching(/no answer came in time/) })
  client.destroy()
  const transport = createTransport({ baseUrl: urls.hangs ?? '', clock: systemClock, limits: { requestTimeoutMs: 50 } })
  const answer = await transport.exchange({ method: 'GET', target: '/v2/time', headers: {} })
  expect(problemFrom('GET /v2/time', answer)).toMatchObject({ code: 'timed_out' })
  transport.close()
})
