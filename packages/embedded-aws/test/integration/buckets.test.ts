// Tests buckets of S3: objects and their versions by the requests of the SDK, S3's errors, and the notifications of new
// objects.
import { readdirSync } from 'node:fs'
import path from 'node:path'
import {
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  type ListObjectVersionsCommandOutput,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { describe, expect, onTestFinished, test } from 'vitest'
import { type EmbeddedAws, startEmbeddedAws } from '../../embedded-aws.ts'
import { type AssemblyFixture, bundleOf, temporaryDirectory, writeAssembly } from './fixture/assembly.ts'
import { boot } from './fixture/booted.ts'
import { clientOf } from './fixture/clients.ts'
import { allow, boot as bootEvents, untilDelivered } from './fixture/event-assemblies.ts'

const ARN = 'arn:aws:s3:::files'
const bucket = (properties: object = {}) => ({
  Type: 'AWS::S3::Bucket',
  Properties: {
    BucketName: 'files',
    VersioningConfiguration: { Status: 'Enabled' },
    PublicAccessBlockConfiguration: { BlockPublicAcls: true },
    ...properties,
  },
})
const fixture = (properties: object = {}, resources: object = {}): AssemblyFixture => ({
  functions: {},
  resources: { Files: bucket(properties), ...resources },
})

const put = (s3: S3Client, Key: string, Body: string | Buffer, more: object = {}) =>
  s3.send(new PutObjectCommand({ Bucket: 'files', Key, Body, ...more }))
const get = async (s3: S3Client, Key: string, VersionId?: string) => {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: 'files', Key, VersionId }))
  return Buffer.from((await Body?.transformToByteArray()) ?? [])
}

test('an object comes back byte for byte with its type and metadata, also under a key of many characters', async () => {
  const s3 = clientOf(S3Client, await boot(fixture()))
  const content = Buffer.from([0, 255, 13, 10, 195])
  const Key = "a b/ü+x(1)&<'>*!%2F?.csv"
  const { ETag, VersionId } = await put(s3, Key, content, { ContentType: 'text/csv', Metadata: { by: 'payroll' } })
  expect(await get(s3, Key)).toEqual(content)
  const head = await s3.send(new HeadObjectCommand({ Bucket: 'files', Key }))
  expect(head).toMatchObject({
    ...{ ETag, VersionId, ContentLength: 5, ContentType: 'text/csv', Metadata: { by: 'payroll' } },
    LastModified: expect.any(Date),
  })
  const { Contents } = await s3.send(new ListObjectsV2Command({ Bucket: 'files', Prefix: 'a b/' }))
  expect(Contents).toMatchObject([{ Key, ETag, Size: 5 }])
})

test('a body of several megabytes is kept, and one over 16 MB is refused', async () => {
  const s3 = clientOf(S3Client, await boot(fixture()))
  const large = Buffer.alloc(9_000_000, 'x')
  await put(s3, 'large', large)
  expect((await get(s3, 'large')).equals(large)).toBe(true)
  await expect(put(s3, 'larger', Buffer.alloc(17_000_000))).rejects.toMatchObject({ name: 'EntityTooLarge' })
})

test('every put of a versioned bucket is a version of its own, and survives a restart', async () => {
  const { directory, remove } = temporaryDirectory()
  const assemblyDir = await writeAssembly(path.join(directory, 'cdk.out'), fixture())
  const start = () => startEmbeddedAws({ assemblyDir, stateDir: path.join(directory, 'state') })
  let aws: EmbeddedAws = await start()
  onTestFinished(async () => {
    await aws.stop()
    remove()
  })
  const first = await put(clientOf(S3Client, aws), 'k', 'one')
  const second = await put(clientOf(S3Client, aws), 'k', 'two')
  expect(first.VersionId).toMatch(/^[A-Za-z0-9._]{32}$/)
  expect(second.VersionId).not.toBe(first.VersionId)
  await aws.stop()
  aws = await start()
  const s3 = clientOf(S3Client, aws)
  expect(String(await get(s3, 'k'))).toBe('two')
  expect(String(await get(s3, 'k', first.VersionId))).toBe('one')
  const { Versions } = await s3.send(new ListObjectVersionsCommand({ Bucket: 'files' }))
  expect(Versions?.map(({ IsLatest, VersionId }) => [VersionId, IsLatest])).toEqual([
    [second.VersionId, true],
    [first.VersionId, false],
  ])
})

test('a bucket without versioning keeps the latest content only, in one file', async () => {
  const { directory, remove } = temporaryDirectory()
  const assemblyDir = await writeAssembly(
    path.join(directory, 'cdk.out'),
    fixture({ VersioningConfiguration: { Status: 'Suspended' } }),
  )
  const aws = await startEmbeddedAws({ assemblyDir, stateDir: path.join(directory, 'state') })
  onTestFinished(async () => {
    await aws.stop()
    remove()
  })
  const s3 = clientOf(S3Client, aws)
  expect(await put(s3, 'k', 'one')).not.toHaveProperty('VersionId')
  await put(s3, 'k', 'two')
  expect(String(await get(s3, 'k'))).toBe('two')
  const { Versions } = await s3.send(new ListObjectVersionsCommand({ Bucket: 'files' }))
  expect(Versions).toMatchObject([{ Key: 'k', VersionId: 'null', IsLatest: true }])
  expect(readdirSync(path.join(directory, 'state', 'buckets', 'files'))).toHaveLength(2)
})

test('lists come in pages that miss nothing and repeat nothing', async () => {
  const s3 = clientOf(S3Client, await boot(fixture()))
  const keys = ['a/1', 'a/2', 'a/2', 'a/3', 'b/1']
  for (const key of keys) await put(s3, key, key)
  const objects: unknown[] = []
  let ContinuationToken: string | undefined
  do {
    const page = await s3.send(
      new ListObjectsV2Command({ Bucket: 'files', Prefix: 'a/', MaxKeys: 2, ContinuationToken }),
    )
    objects.push(...(page.Contents ?? []).map(({ Key }) => Key))
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken !== undefined)
  expect(objects).toEqual(['a/1', 'a/2', 'a/3'])

  const versions: unknown[] = []
  let markers: Pick<ListObjectVersionsCommandInput, 'KeyMarker' | 'VersionIdMarker'> | undefined = {}
  while (markers !== undefined) {
    const page: ListObjectVersionsCommandOutput = await s3.send(
      new ListObjectVersionsCommand({ Bucket: 'files', MaxKeys: 2, ...markers }),
    )
    versions.push(...(page.Versions ?? []).map(({ Key }) => Key))
    const { IsTruncated, NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page
    markers = IsTruncated === true ? { KeyMarker, VersionIdMarker } : undefined
  }
  expect(versions).toEqual(keys)
})

test('a list with a delimiter shows folders in place of their keys, also over pages', async () => {
  const s3 = clientOf(S3Client, await boot(fixture()))
  for (const key of ['in/a/1', 'in/a/2', 'in/b', 'in/c/1', 'out/1']) await put(s3, key, key)
  const pages: unknown[] = []
  let ContinuationToken: string | undefined
  do {
    const page = await s3.send(
      new ListObjectsV2Command({ Bucket: 'files', Prefix: 'in/', Delimiter: '/', MaxKeys: 1, ContinuationToken }),
    )
    const folders = (page.CommonPrefixes ?? []).map(({ Prefix }) => Prefix)
    pages.push([...(page.Contents ?? []).map(({ Key }) => Key), ...folders])
    ContinuationToken = page.NextContinuationToken
  } while (ContinuationToken !== undefined)
  expect(pages).toEqual([['in/a/'], ['in/b'], ['in/c/']])
})

test('with If-None-Match an object is written once', async () => {
  const s3 = clientOf(S3Client, await boot(fixture()))
  await put(s3, 'k', 'one', { IfNoneMatch: '*' })
  await expect(put(s3, 'k', 'two', { IfNoneMatch: '*' })).rejects.toMatchObject({ name: 'PreconditionFailed' })
  expect(String(await get(s3, 'k'))).toBe('one')
})

test('errors have the names and the statuses of S3', async () => {
  const aws = await boot(fixture())
  const s3 = clientOf(S3Client, aws)
  const { VersionId } = await put(s3, 'k', 'one')
  const refused = async (request: Promise<unknown>, name: string, status: number) =>
    expect(request).rejects.toMatchObject({ name, $metadata: { httpStatusCode: status } })
  await refused(get(s3, 'none'), 'NoSuchKey', 404)
  await refused(get(s3, 'none', VersionId), 'NoSuchVersion', 404)
  await refused(s3.send(new HeadObjectCommand({ Bucket: 'files', Key: 'none' })), 'NotFound', 404)
  await refused(s3.send(new HeadBucketCommand({ Bucket: 'other' })), 'NotFound', 404)
  await refused(s3.send(new PutObjectCommand({ Bucket: 'other', Key: 'k', Body: 'x' })), 'NoSuchBucket', 404)
  await refused(put(s3, 'k'.repeat(1025), 'x'), 'KeyTooLongError', 400)
  await refused(put(s3, 'k', 'x', { ACL: 'public-read' }), 'NotImplemented', 501)
  await refused(s3.send(new GetObjectCommand({ Bucket: 'files', Key: 'k', Range: 'bytes=0-1' })), 'NotImplemented', 501)
  const stranger = new S3Client({
    ...{ endpoint: aws.endpointUrl, region: aws.region, maxAttempts: 1 },
    credentials: { accessKeyId: aws.credentials.accessKeyId, secretAccessKey: 'another' },
  })
  onTestFinished(() => stranger.destroy())
  await refused(get(stranger, 'k'), 'SignatureDoesNotMatch', 403)
})

describe('a function with a role', () => {
  const roleMay = async (...statements: object[]): Promise<AssemblyFixture> => ({
    ...fixture(),
    functions: { readObject: { statements } },
    code: { 'index.js': await bundleOf('read-object.ts') },
  })
  const read = (aws: EmbeddedAws, key: string) =>
    aws.invokeFunction('readObject', JSON.stringify({ bucket: 'files', key }))

  test('reads with the permission for objects, and learns of a missing key only with the permission to list', async () => {
    const aws = await boot(await roleMay(allow('s3:GetObject*', `${ARN}/in/*`)))
    await put(clientOf(S3Client, aws), 'in/k', 'one')
    expect(JSON.parse(await read(aws, 'in/k'))).toBe('one')
    await expect(read(aws, 'in/none')).rejects.toMatchObject({ name: 'AccessDenied' })
    await expect(read(aws, 'out/k')).rejects.toMatchObject({ name: 'AccessDenied' })
    const listing = await boot(await roleMay(allow('s3:GetObject', `${ARN}/*`), allow('s3:ListBucket', ARN)))
    await expect(read(listing, 'in/none')).rejects.toMatchObject({ name: 'NoSuchKey' })
  })

  test('reads nothing that the policy of the bucket denies', async () => {
    const Statement = [
      { Effect: 'Deny', Principal: '*', Action: 's3:*', Resource: `${ARN}/*`, Condition: SECURE },
      { Effect: 'Deny', Principal: '*', Action: 's3:GetObject', Resource: `${ARN}/shut/*` },
    ]
    const may = await roleMay(allow('s3:GetObject', `${ARN}/*`))
    const Policy = {
      Type: 'AWS::S3::BucketPolicy',
      Properties: { Bucket: { Ref: 'Files' }, PolicyDocument: { Statement } },
    }
    const aws = await boot({ ...may, resources: { ...may.resources, Policy } })
    for (const key of ['open/k', 'shut/k']) await put(clientOf(S3Client, aws), key, 'one')
    expect(JSON.parse(await read(aws, 'open/k'))).toBe('one')
    await expect(read(aws, 'shut/k')).rejects.toMatchObject({ name: 'AccessDenied' })
  })
})

const SECURE = { Bool: { 'aws:SecureTransport': 'false' } }

const to = (resource: string) => ({ 'Fn::GetAtt': [resource, 'Arn'] })
const filter = (Name: string, Value: string) => ({ S3Key: { Rules: [{ Name, Value }] } })
const admitted = (Resource: object, principal: string, source: object) => ({
  Type: 'AWS::SQS::QueuePolicy',
  Properties: {
    Queues: [],
    PolicyDocument: {
      Statement: [
        {
          ...{ Effect: 'Allow', Principal: { Service: principal }, Action: 'sqs:SendMessage', Resource },
          Condition: { ArnLike: { 'aws:SourceArn': source } },
        },
      ],
    },
  },
})
const QUEUE = { Type: 'AWS::SQS::Queue', Properties: { QueueName: 'heard' } }
const toQueue = (properties: object, policy: object = admitted(to('Heard'), 's3.amazonaws.com', to('Files'))) =>
  fixture(properties, { Heard: QUEUE, Policy: policy })

const NOTIFIES = {
  NotificationConfiguration: {
    QueueConfigurations: [{ Event: 's3:ObjectCreated:*', Queue: to('Heard'), Filter: filter('suffix', '.csv') }],
  },
}

test('a queue gets the record of each new object whose key the filter takes, and the same record from a second delivery', async () => {
  const booted = await bootEvents(toQueue(NOTIFIES), { onDelivery: () => 'twice' })
  const s3 = clientOf(S3Client, booted.aws)
  await put(s3, 'other.json', 'x')
  const { ETag, VersionId } = await put(s3, 'pay roll/ü.csv', 'id')
  await untilDelivered(booted)
  const [first, second, ...more] = booted.aws.queueMessages('heard').map(({ body }) => JSON.parse(body))
  expect(second).toEqual(first)
  expect(more).toEqual([])
  expect(first).toMatchObject({
    Records: [
      {
        eventSource: 'aws:s3',
        eventName: 'ObjectCreated:Put',
        s3: {
          bucket: { name: 'files', arn: ARN },
          object: { key: 'pay+roll/%C3%BC.csv', size: 2, versionId: VersionId, eTag: JSON.parse(ETag ?? '') },
        },
      },
    ],
  })
})

const RULE = {
  Type: 'AWS::Events::Rule',
  Properties: {
    Name: 'heard',
    EventPattern: {
      source: ['aws.s3'],
      'detail-type': ['Object Created'],
      detail: { object: { key: [{ prefix: 'in/' }] } },
    },
    Targets: [{ Id: 'T', Arn: to('Heard') }],
  },
}

/** The ways in which a template turns EventBridge on. */
const CDK = {
  Notify: {
    Type: 'Custom::S3BucketNotifications',
    Properties: {
      ServiceToken: to('Handler'),
      BucketName: { Ref: 'Files' },
      NotificationConfiguration: { EventBridgeConfiguration: {} },
      Managed: true,
      SkipDestinationValidation: false,
    },
  },
  Handler: {
    Type: 'AWS::Lambda::Function',
    Properties: { Code: { ZipFile: 'import boto3' }, Handler: 'index.handler', Runtime: 'python3.13', Role: 'arn' },
  },
}
test.each([
  ['the bucket', { NotificationConfiguration: { EventBridgeConfiguration: { EventBridgeEnabled: true } } }, {}],
  ['the resource that CDK writes', {}, CDK],
])('EventBridge hears of each new object where %s says so', async (_where, properties, resources) => {
  const Policy = admitted(to('Heard'), 'events.amazonaws.com', to('Rule'))
  const booted = await bootEvents(fixture(properties, { Heard: QUEUE, Policy, Rule: RULE, ...resources }))
  const s3 = clientOf(S3Client, booted.aws)
  await put(s3, 'out/k', 'x')
  const { VersionId } = await put(s3, 'in/a b', 'id')
  await untilDelivered(booted)
  expect(booted.aws.queueMessages('heard').map(({ body }) => JSON.parse(body))).toMatchObject([
    {
      source: 'aws.s3',
      'detail-type': 'Object Created',
      resources: [ARN],
      detail: { bucket: { name: 'files' }, object: { key: 'in/a b', size: 2, 'version-id': VersionId } },
    },
  ])
})

const PRINT = 'exports.print = async (event) => console.log(JSON.stringify(event))'

test('a function is called with the record of a new object', async () => {
  const May = {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      ...{ Action: 'lambda:InvokeFunction', FunctionName: to('Functionprint') },
      ...{ Principal: 's3.amazonaws.com', SourceArn: to('Files') },
    },
  }
  const notifies = {
    NotificationConfiguration: {
      LambdaConfigurations: [{ Event: 's3:ObjectCreated:Put', Function: to('Functionprint') }],
    },
  }
  const lines: string[] = []
  const { resources } = fixture(notifies, { May })
  const booted = await bootEvents(
    { functions: { print: {} }, resources: resources ?? {}, code: { 'index.js': PRINT } },
    { onFunctionLog: (_name, line) => lines.push(line) },
  )
  await put(clientOf(S3Client, booted.aws), 'k', 'x')
  await untilDelivered(booted)
  expect(lines.join()).toContain('ObjectCreated:Put')
})

test.each([
  [
    'of other events',
    { Event: 's3:ObjectRemoved:*', Queue: to('Heard') },
    undefined,
    /s3:ObjectRemoved:\* is not supported/,
  ],
  [
    'of a queue that does not admit it',
    { Event: 's3:ObjectCreated:*', Queue: to('Heard') },
    admitted(to('Heard'), 's3.amazonaws.com', { Ref: 'Heard' }),
    /no AWS::SQS::QueuePolicy lets S3 notify/,
  ],
  [
    'with a filter by size',
    { Event: 's3:ObjectCreated:*', Queue: to('Heard'), Filter: filter('size', '1') },
    undefined,
    /must be prefix/,
  ],
])('a bucket with a notification %s is refused at the boot', async (_what, notification, policy, message) => {
  const properties = { NotificationConfiguration: { QueueConfigurations: [notification] } }
  await expect(boot(toQueue(properties, policy))).rejects.toThrow(message)
})
