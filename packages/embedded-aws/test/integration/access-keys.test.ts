// Tests the access keys of the embedded AWS: who holds them, and how long they are valid.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type EmbeddedAws, startEmbeddedAws } from '../../embedded-aws.ts'
import { startEmbeddedJournal } from '../../embedded-journal.ts'
import { TABLE, temporaryDirectory, writeAssembly } from './fixture/assembly.ts'
import { boot } from './fixture/booted.ts'
import { ask, draftOf, signed, signerOf, withBodyHash } from './fixture/signed.ts'

const LIST = 'DynamoDB_20120810.ListTables'
const ENVIRONMENT = { 'index.js': 'exports.environment = async () => ({ ...process.env })' }
const bootWithEnvironment = () => boot({ functions: { environment: {} }, code: ENVIRONMENT })

describe('access keys', () => {
  const environment = async (aws: EmbeddedAws) =>
    JSON.parse(await aws.invokeFunction('environment', '{}')) as Record<string, string>
  const credentialsOf = ({ AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' }: Record<string, string>) => ({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
  })

  test('are made for each boot, and for each worker', async () => {
    const [aws, other] = [await bootWithEnvironment(), await bootWithEnvironment()]
    const worker = credentialsOf(await environment(aws))
    const otherWorker = credentialsOf(await environment(other))
    const all = [aws.credentials, other.credentials, worker, otherWorker]
    expect(new Set(all.map(({ accessKeyId }) => accessKeyId)).size).toBe(4)
    expect(new Set(all.map(({ secretAccessKey }) => secretAccessKey)).size).toBe(4)
    for (const { secretAccessKey } of all) expect(Buffer.from(secretAccessKey, 'base64')).toHaveLength(30)
    expect(await ask({ ...aws, credentials: other.credentials }, LIST, {})).toMatchObject({ status: 400 })
  })

  test('can be given as an option', async () => {
    const credentials = { accessKeyId: 'AKIDEXAMPLE00001', secretAccessKey: randomBytes(20).toString('hex') }
    const aws = await boot({}, { credentials })
    expect(aws.credentials).toEqual(credentials)
    expect(await ask(aws, LIST, {})).toMatchObject({ status: 200 })
  })

  test.each([
    ['accessKeyId', { accessKeyId: 'a/b', secretAccessKey: 'x'.repeat(40) }],
    ['secretAccessKey', { accessKeyId: 'AKIDEXAMPLE00001', secretAccessKey: 'short-one' }],
  ])(
    'with an invalid %s are refused at the start, and the error does not contain the secret',
    async (field, credentials) => {
      const refusal: unknown = await boot({}, { credentials }).catch((error: unknown) => error)
      expect(String(refusal)).toContain(`credentials.${field}`)
      expect(String(refusal)).not.toContain(credentials.secretAccessKey)
    },
  )

  test('access keys of a worker have the permissions of its role', async () => {
    const aws = await bootWithEnvironment()
    const credentials = credentialsOf(await environment(aws))
    const answer = await ask({ ...aws, credentials }, LIST, {})
    expect(answer).toMatchObject({ status: 400, body: { __type: 'AccessDeniedException' } })
  })

  test('access keys of a worker that has ended are not accepted', async () => {
    const ended = await boot({
      functions: { leave: {} },
      code: {
        'index.js': 'exports.leave = async () => { setImmediate(() => process.exit(1)); return { ...process.env } }',
      },
    })
    const credentials = credentialsOf(JSON.parse(await ended.invokeFunction('leave', '{}')))
    const answer = async () => (await ask({ ...ended, credentials }, LIST, {})).body as { readonly __type: string }
    await expect.poll(async () => (await answer()).__type).toBe('UnrecognizedClientException')
  })
})

test('a request that a killed worker had begun has no effect', async () => {
  const seen: string[] = []
  const allowed = { Effect: 'Allow', Action: 'dynamodb:*', Resource: '*' }
  const own = await boot(
    { functions: { environment: { statements: [allowed] } }, code: ENVIRONMENT, resources: { Table: TABLE } },
    {
      onEndpointCall({ operation }) {
        seen.push(operation)
        return operation === 'DescribeTable' ? 'kill-function' : undefined
      },
    },
  )
  const environment = JSON.parse(await own.invokeFunction('environment', '{}')) as Record<string, string>
  const { AWS_ACCESS_KEY_ID: accessKeyId = '', AWS_SECRET_ACCESS_KEY: secretAccessKey = '' } = environment
  const worker = { ...own, credentials: { accessKeyId, secretAccessKey } }
  const draft = withBodyHash(draftOf(own.endpointUrl, LIST, {}))
  const { headers, body } = signed(draft, signerOf(worker, draft))
  const { hostname, port } = new URL(own.endpointUrl)
  const expectContinue = { expect: '100-continue', 'content-length': String(body.length) }
  const unfinished = request({ hostname, port, method: 'POST', path: '/', headers: { ...headers, ...expectContinue } })
  unfinished.flushHeaders()
  // The server has received the headers.
  await once(unfinished, 'continue')

  await expect(ask(worker, 'DynamoDB_20120810.DescribeTable', { TableName: 'records' })).rejects.toThrow('hang up')
  unfinished.end(body)
  const [response] = (await once(unfinished, 'response')) as [IncomingMessage]
  expect(JSON.parse(await text(response))).toMatchObject({ __type: 'UnrecognizedClientException' })
  expect(seen).toEqual(['DescribeTable'])
})

test('a journal that is started alone has its own access key', async () => {
  const { directory, remove } = temporaryDirectory()
  onTestFinished(remove)
  const assemblyDir = await writeAssembly(`${directory}/cdk.out`, { resources: { Table: TABLE } })
  const first = await startEmbeddedAws({ assemblyDir, stateDir: `${directory}/state` })
  await first.stop()
  const journal = await startEmbeddedJournal(`${directory}/state`)
  if (journal === undefined) throw new Error('there is a journal')
  expect(await ask(journal, LIST, {})).toMatchObject({ status: 200, body: { TableNames: ['records'] } })
  expect(await ask({ ...journal, credentials: first.credentials }, LIST, {})).toMatchObject({ status: 400 })
  await journal.stop()
})
