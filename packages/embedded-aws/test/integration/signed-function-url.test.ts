// Tests functions behind a URL that accepts signed requests only: the callers that are admitted, and the identity that
// the function gets.
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EmbeddedAws } from '../../embedded-aws.ts'
import type { Credentials } from '../../endpoint/credentials.ts'
import { boot } from './fixture/booted.ts'
import { anyoneMayCall } from './fixture/function-url.ts'
import { type Draft, send, signed, timestamp, withBodyHash } from './fixture/signed.ts'

const Arn = { 'Fn::GetAtt': ['Functionlook', 'Arn'] }
const FIXTURE = {
  functions: { look: {} },
  code: { 'index.js': 'exports.look = async (event) => event.requestContext' },
  resources: { Urllook: { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'AWS_IAM', TargetFunctionArn: Arn } } },
}

const urlOf = (aws: EmbeddedAws) => new URL(aws.functionUrls()[0]?.url ?? '')

function draftOf(url: URL, body = '{"by":"me"}'): Draft {
  const headers = { host: url.host, 'content-type': 'application/json', 'x-amz-date': timestamp(Date.now()) }
  return withBodyHash({ method: 'POST', path: url.pathname, headers, body })
}

function signedBy(
  { accessKeyId, secretAccessKey }: Credentials,
  draft: Draft,
  region: string,
  service = 'lambda',
): Draft {
  const date = (draft.headers['x-amz-date'] ?? '').slice(0, 8)
  return signed(draft, { accessKeyId, secretAccessKey, region, service, date })
}

test('the function gets the identity of the signer, not the identity that the body claims', async () => {
  const aws = await boot(FIXTURE)
  const url = urlOf(aws)
  for (const [name, credentials] of [
    ['administrator', aws.credentials],
    ['ana', aws.addUser('ana')],
  ] as const) {
    const { status, body } = await send(url.origin, signedBy(credentials, draftOf(url), aws.region))
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        accountId: '123456789012',
        authorizer: {
          iam: {
            accessKey: credentials.accessKeyId,
            userArn: `arn:aws:iam::123456789012:user/${name}`,
            userId: `AIDA${createHash('sha256').update(name).digest('hex').slice(0, 17).toUpperCase()}`,
          },
        },
      },
    })
  }
})

test('a request that is unsigned, or signed for another body, service or key, is forbidden', async () => {
  const aws = await boot(FIXTURE)
  const url = urlOf(aws)
  const draft = draftOf(url)
  const good = signedBy(aws.credentials, draft, aws.region)
  const unknownKey = { accessKeyId: 'AKIDSTRANGERSTRANGER', secretAccessKey: aws.credentials.secretAccessKey }
  for (const [, refused] of Object.entries({
    unsigned: draft,
    otherBody: { ...good, body: '{"by":"you"}' },
    otherService: signedBy(aws.credentials, draft, aws.region, 'dynamodb'),
    unknownKey: signedBy(unknownKey, draft, aws.region),
  })) {
    expect(await send(url.origin, refused)).toMatchObject({ status: 403, body: { Message: expect.any(String) } })
  }
  expect((await send(url.origin, good)).status).toBe(200)
})

test('the public port, which a tunnel may expose, does not serve a function that accepts signed requests only', async () => {
  const { functions, code, resources } = FIXTURE
  const aws = await boot({
    functions: { ...functions, open: {} },
    code: { 'index.js': `${code['index.js']}; exports.open = async () => ({ is: 'open' })` },
    resources: { ...resources, ...anyoneMayCall('open') },
  })
  const urls = new Map(aws.functionUrls().map(({ functionName, url }) => [functionName, new URL(url)]))
  const [open, look] = [urls.get('open') as URL, urls.get('look') as URL]
  const tunnelled = new URL(look.pathname, open)
  for (const draft of [draftOf(tunnelled), signedBy(aws.credentials, draftOf(tunnelled), aws.region)]) {
    expect(await send(open.origin, draft)).toMatchObject({ status: 403, body: { Message: 'Forbidden' } })
  }
  expect(await send(open.origin, draftOf(open))).toMatchObject({ status: 200 })
  expect(await send(look.origin, signedBy(aws.credentials, draftOf(look), aws.region))).toMatchObject({ status: 200 })
  expect(await send(look.origin, draftOf(new URL(open.pathname, look)))).toMatchObject({
    status: 403,
    body: { Message: 'Forbidden' },
  })
})
