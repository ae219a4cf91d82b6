// The access keys of the embedded AWS: who has one, and for how long it is good.
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
const bootOne = () => boot({ functions: { environment: {} }, code: ENVIRONMENT })

describe('access keys', () => {
  const environment = async (aws: EmbeddedAws) =>
    JSON.parse(await aws.invokeFunction('environment', '{}')) as Record<string, string>
  const ofWorker = ({ AWS_ACCESS_KEY_ID = '', AWS_SECRET_ACCESS_KEY = '' }: Record<string, string>) => ({
    accessKeyId: AWS_ACCESS_KEY_ID,
    secretAccessKey: AWS_SECRET_ACCESS_KEY,
  })

  test('are made for each boot, and for each worker', async () => {
    const [aws, other] = [await bootOne(), await bootOne()]
    const worker = ofWorker(await environment(aws))
    const otherWorker = ofWorker(await environment(other))
    const all = [aws.credentials, other.credentials, worker, otherWorker]
    expect(new Set(all.map(({ accessKeyId }) => accessKeyId)).size).toBe(4)
    expect(new Set(all.map(({ secretAccessKey }) => secretAccessKey)).size).toBe(4)
    for (const { secretAccessKey } of all) expect(Buffer.from(secretAccessKey, 'base64')).toHaveLength(30)
    expect(await ask({ ...aws, credentials: other.credentials }, LIST, {})).toMatchObject({ status: 400 })
  })

  test('may be given', async () => {
    const credentials = { accessKeyId: 'AKIDEXAMPLE00001', secretAccessKey: randomBytes(20).toString('hex') }
    const given = await boot({}, { credentials })
    expect(given.credentials).toEqual(credentials)
    expect(await ask(given, LIST, {})).toMatchObject({ status: 200 })
  })

  test.each([
    ['accessKeyId', { accessKeyId: 'a/b', secretAccessKey: 'x'.repeat(40) }],
    ['secretAccessKey', { accessKeyId: 'AKIDEXAMPLE00001', secretAccessKey: 'short-one' }],
  ])('with an unfit %s are refused at the start, without the secret', async (field, credentials) => {
    const refusal: unknown = await boot({}, { credentials }).catch((error: unknown) => error)
    expect(String(refusal)).toContain(`credentials.${field}`)
    expect(String(refusal)).not.toContain(credentials.secretAccessKey)
  })

  test('of a worker may do what its role may', async () => {
    const aws = await bootOne()
    const credentials = ofWorker(await environment(aws))
    const asked = await ask({ ...aws, credentials }, LIST, {})
    expect(asked).toMatchObject({ status: 400, body: { __type: 'AccessDeniedException' } })
  })

  test('of a worker that has ended open nothing', async () => {
    const ended = await boot({
      functions: { leave: {} },
      code: {
        'index.js': 'exports.leave = async () => { setImmediate(() => process.exit(1)); return { ...process.env } }',
      },
    })
    const credentials = ofWorker(JSON.parse(await ended.invokeFunction('leave', '{}')))
    const asked = async () => (await ask({ ...ended, credentials }, LIST, {})).body as { readonly __type: string }
    await expect.poll(async () => (await asked()).__type).toBe('UnrecognizedClientException')
  })
})

test('what a worker has begun to ask when it is killed has no effect', async () => {
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
  const whole = withBodyHash(draftOf(own.endpointUrl, LIST, {}))
  const { headers, body } = signed(whole, signerOf(worker, whole))
  const { hostname, port } = new URL(own.endpointUrl)
  const begin = { expect: '100-continue', 'content-length': String(body.length) }
  const begun = request({ hostname, port, method: 'POST', path: '/', headers: { ...headers, ...begin } })
  begun.flushHeaders()
  // Its headers have arrived.
  await once(begun, 'continue')

  await expect(ask(worker, 'DynamoDB_20120810.DescribeTable', { TableName: 'records' })).rejects.toThrow('hang up')
  begun.end(body)
  const [response] = (await once(begun, 'response')) as [IncomingMessage]
  expect(JSON.parse(await text(response))).toMatchObject({ __type: 'UnrecognizedClientException' })
  expect(seen).toEqual(['DescribeTable'])
})

test('the journal alone has an access key of its own too', async () => {
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
