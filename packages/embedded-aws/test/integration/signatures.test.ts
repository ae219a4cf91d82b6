// The gateway accepts requests signed with the administrator's access key or the key of a live worker, and no others.
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb'
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge'
import { KMSClient, SignCommand } from '@aws-sdk/client-kms'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { ListStateMachinesCommand, SFNClient } from '@aws-sdk/client-sfn'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type EmbeddedAws, type EndpointCall, startEmbeddedAws } from '../../embedded-aws.ts'
import { oneTask, SECRET, TABLE, temporaryDirectory, writeAssembly } from './fixture/assembly.ts'
import {
  type Answered,
  type Draft,
  draftOf,
  send,
  signed,
  signerOf,
  timestamp,
  withBodyHash,
} from './fixture/signed.ts'

const { directory, remove } = temporaryDirectory()
const calls: EndpointCall[] = []
let aws: EmbeddedAws
beforeAll(async () => {
  const assemblyDir = await writeAssembly(`${directory}/cdk.out`, {
    functions: { echo: {} },
    machines: { Echo: oneTask('echo') },
    resources: { Table: TABLE, Secret: SECRET },
  })
  const onEndpointCall = (call: EndpointCall) => void calls.push(call)
  aws = await startEmbeddedAws({ assemblyDir, stateDir: `${directory}/state`, onEndpointCall })
})
beforeEach(() => void calls.splice(0))
afterAll(async () => {
  await aws.stop()
  remove()
})

const LIST = 'DynamoDB_20120810.ListTables'
const draft = (target = LIST, atMs?: number) => draftOf(aws.endpointUrl, target, {}, atMs)
const sendTo = (request: Draft) => send(aws.endpointUrl, request)

function expectRefused(answered: Answered, name: string, status = 400): void {
  expect(answered).toMatchObject({ status, body: { __type: name } })
  expect(calls).toEqual([])
}

test.each([
  ['DynamoDB', DynamoDBClient, new ListTablesCommand({})],
  ['Step Functions', SFNClient, new ListStateMachinesCommand({})],
  ['Secrets Manager', SecretsManagerClient, new GetSecretValueCommand({ SecretId: 'team/key' })],
  ['EventBridge', EventBridgeClient, new PutEventsCommand({ Entries: [{ Source: 'a', DetailType: 'b' }] })],
  [
    'KMS',
    KMSClient,
    new SignCommand({ KeyId: 'alias/x', Message: Buffer.from('x'), SigningAlgorithm: 'ED25519_SHA_512' }),
  ],
])(
  '%s answers a client of its SDK with the administrator’s key, and refuses other keys',
  async (_name, Client, command) => {
    const { credentials, endpointUrl: endpoint, region } = aws
    const sent = async (options: object) => {
      const client = new (Client as new (config: object) => DynamoDBClient)({
        endpoint,
        region,
        maxAttempts: 1,
        ...options,
      })
      try {
        return await client.send(command as unknown as ListTablesCommand).then(
          () => 'answered',
          (error: Error) => error.name,
        )
      } finally {
        client.destroy()
      }
    }
    const outcomes = ['answered', 'NotFoundException', 'ResourceNotFoundException']
    expect(outcomes).toContain(await sent({ credentials }))
    expect(outcomes).toContain(await sent({ credentials: { ...credentials, sessionToken: 'any' } }))
    calls.splice(0)
    const wrongSecret = { ...credentials, secretAccessKey: 'embedded' }
    expect(await sent({ credentials: wrongSecret })).toBe('InvalidSignatureException')
    expect(await sent({ credentials: { accessKeyId: 'any', secretAccessKey: 'any' } })).toBe(
      'UnrecognizedClientException',
    )
    expect(await sent({ credentials, region: 'eu-west-1' })).toBe('InvalidSignatureException')
    expect(calls).toEqual([])
  },
)

describe.each([
  ['with the hash of its body in a header', withBodyHash],
  ['without this header, as the AWS CLI sends it', (request: Draft) => request],
])('a request signed by hand, %s', (_name, prepare) => {
  const good = (request = draft()) => {
    const prepared = prepare(request)
    return signed(prepared, signerOf(aws, prepared))
  }

  test('is answered', async () => {
    expect(await sendTo(good())).toMatchObject({ status: 200, body: { TableNames: ['records'] } })
    expect(calls).toHaveLength(2)
  })

  const withHeader = (name: string, value: string) => (request: Draft) => ({
    ...request,
    headers: { ...request.headers, [name]: value },
  })
  test.each<[string, (request: Draft) => Draft]>([
    ['another path', (request) => ({ ...request, path: '/x' })],
    ['a query', (request) => ({ ...request, path: '/?a=1' })],
    ['another method', (request) => ({ ...request, method: 'PUT' })],
    ['another body', (request) => ({ ...request, body: '{"Limit":1}' })],
    ['a body cut short', (request) => ({ ...request, body: '{' })],
    ['another operation', withHeader('x-amz-target', 'DynamoDB_20120810.Scan')],
    ['another content type', withHeader('content-type', 'text/plain')],
    ['an x-amz header that was not signed', withHeader('x-amz-new', 'x')],
    ['another date of the same day', withHeader('x-amz-date', timestamp(Date.now() - 1000))],
    [
      'another name of the same host',
      (request) => withHeader('host', (request.headers.host ?? '').replace('127.0.0.1', 'localhost'))(request),
    ],
    [
      'a digit of its signature changed',
      (request) => {
        const { authorization = '' } = request.headers
        return withHeader(
          'authorization',
          authorization.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
        )(request)
      },
    ],
  ])('and sent with %s is refused', async (_name, change) => {
    expectRefused(await sendTo(change(good())), 'InvalidSignatureException')
  })

  test.each<[string, object, string]>([
    ['another secret', { secretAccessKey: 'embedded' }, 'InvalidSignatureException'],
    ['no secret', { secretAccessKey: '' }, 'InvalidSignatureException'],
    ['another region', { region: 'eu-west-1' }, 'InvalidSignatureException'],
    ['another service', { service: 'states' }, 'InvalidSignatureException'],
    ['another day', { date: '20260101' }, 'InvalidSignatureException'],
    ['an unknown key', { accessKeyId: 'EMBEDDED000000000001' }, 'UnrecognizedClientException'],
    ['a property name of Object', { accessKeyId: '__proto__' }, 'UnrecognizedClientException'],
    [
      'its host left out',
      { signedHeaders: ['content-type', 'x-amz-date', 'x-amz-target'] },
      'InvalidSignatureException',
    ],
    ['its target left out', { signedHeaders: ['content-type', 'host', 'x-amz-date'] }, 'InvalidSignatureException'],
  ])('with %s is refused', async (_name, wrong, name) => {
    const prepared = prepare(draft())
    expectRefused(await sendTo(signed(prepared, { ...signerOf(aws, prepared), ...wrong })), name)
  })

  test('is valid for fifteen minutes before and after its time, and no longer', async () => {
    for (const minutes of [-14, 14]) {
      expect(await sendTo(good(draft(LIST, Date.now() + minutes * 60_000)))).toMatchObject({ status: 200 })
    }
    calls.splice(0)
    for (const [minutes, reason] of [
      [-16, 'Signature expired'],
      [16, 'Signature not yet current'],
    ] as const) {
      const response = await sendTo(good(draft(LIST, Date.now() + minutes * 60_000)))
      expectRefused(response, 'InvalidSignatureException')
      expect(response).toMatchObject({ body: { message: expect.stringContaining(reason) } })
    }
  })
})

test.each<[string, (request: Draft) => Draft, string]>([
  ['no authorization', (request) => request, 'MissingAuthenticationTokenException'],
  [
    'a signature in its query',
    (request) => ({ ...request, path: '/?X-Amz-Algorithm=AWS4-HMAC-SHA256' }),
    'MissingAuthenticationTokenException',
  ],
  [
    'a password',
    (request) => ({ ...request, headers: { ...request.headers, authorization: 'Basic YTpi' } }),
    'IncompleteSignatureException',
  ],
])('a request with %s is refused', async (_name, change, name) => {
  expectRefused(await sendTo(change(draft())), name)
})

test('the hash UNSIGNED-PAYLOAD is refused', async () => {
  const unhashed = draft()
  const request = { ...unhashed, headers: { ...unhashed.headers, 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } }
  expectRefused(await sendTo(signed(request, signerOf(aws, request))), 'InvalidSignatureException')
})

test.each([
  ['a name that resolves to this machine', { host: 'rebound.example' }],
  ['that name with the port', { host: 'rebound.example:PORT' }],
  ['this machine without the port', { host: '127.0.0.1' }],
  ['another port', { host: '127.0.0.1:1' }],
  ['this machine as a user’s name', { host: '127.0.0.1:PORT@rebound.example' }],
  ['another address of this machine', { host: '127.0.0.2:PORT' }],
  ['the Origin of a page', { origin: 'https://page.example' }],
  ['the Origin of a file', { origin: 'null' }],
  ['its own Origin', { origin: 'http://127.0.0.1:PORT' }],
])('%s is refused, even in a correctly signed request', async (_name, headers) => {
  const { port } = new URL(aws.endpointUrl)
  const own = Object.entries(headers).map(([name, value]) => [name, value.replace('PORT', port)])
  const request = draft()
  const foreign = { ...request, headers: { ...request.headers, ...Object.fromEntries(own) } }
  expectRefused(await sendTo(signed(foreign, signerOf(aws, foreign))), 'AccessDeniedException', 403)
})

test.each(['localhost', '[::1]', 'LOCALHOST'])('this machine may be called %s', async (name) => {
  const request = draft()
  const named = { ...request, headers: { ...request.headers, host: `${name}:${new URL(aws.endpointUrl).port}` } }
  expect(await sendTo(signed(named, signerOf(aws, named)))).toMatchObject({ status: 200 })
})

test('a request for an unknown service is a 404 for an authorised caller, and refused for others', async () => {
  const unknown = draft('Nothing_1.Do')
  const signer = { ...signerOf(aws, unknown), service: 'nothing' }
  expectRefused(await sendTo(unknown), 'MissingAuthenticationTokenException')
  expect(await sendTo(signed(unknown, signer))).toMatchObject({
    status: 404,
    body: { __type: 'UnknownOperationException' },
  })
})
