// Tests HTTP APIs of API Gateway with IAM: the callers that are admitted, the event that the function gets, and the answers.
import { expect, test } from 'vitest'
import type { EmbeddedAws } from '../../embedded-aws.ts'
import { boot } from './fixture/booted.ts'
import { type Draft, send, signed, timestamp, withBodyHash } from './fixture/signed.ts'

const Arn = { 'Fn::GetAtt': ['Functionlook', 'Arn'] }
const ApiId = { Ref: 'Things' }
const part = (Type: string, Properties: object) => ({ Type: `AWS::ApiGatewayV2::${Type}`, Properties })
const source = (path: string) => ({
  'Fn::Sub': `arn:aws:execute-api:\${AWS::Region}:\${AWS::AccountId}:\${Things}${path}`,
})
const resources = {
  Things: part('Api', { Name: 'things', ProtocolType: 'HTTP' }),
  Stage: part('Stage', { ApiId, StageName: '$default', AutoDeploy: true }),
  Call: part('Integration', {
    ...{ ApiId, IntegrationType: 'AWS_PROXY', IntegrationUri: Arn, PayloadFormatVersion: '2.0' },
  }),
  Put: part('Route', {
    ...{ ApiId, AuthorizationType: 'AWS_IAM', RouteKey: 'PUT /things/{id}' },
    Target: { 'Fn::Join': ['', ['integrations/', { Ref: 'Call' }]] },
  }),
  May: {
    Type: 'AWS::Lambda::Permission',
    Properties: {
      ...{ Action: 'lambda:InvokeFunction', FunctionName: Arn, Principal: 'apigateway.amazonaws.com' },
      SourceArn: source('/*/*/things/{id}'),
    },
  },
}
const code = `exports.look = async (event) => {
  if (event.body === '"throw"') throw new Error('no')
  return event.body === '"wrong"' ? { statusCode: 'x' } : event
}`
const fixture = (changed: object = {}) => ({
  functions: { look: {} },
  code: { 'index.js': code },
  resources: { ...resources, ...changed },
})

async function put(aws: EmbeddedAws, path: string, { body = '{}', service = 'execute-api', isSigned = true } = {}) {
  const url = new URL(`${aws.httpApis()[0]?.url}${path}`)
  const date = timestamp(Date.now())
  const headers = { host: url.host, 'content-type': 'application/json', 'x-amz-date': date }
  const draft: Draft = withBodyHash({ method: 'PUT', path: `${url.pathname}${url.search}`, headers, body })
  const signer = { ...aws.credentials, region: aws.region, service, date: date.slice(0, 8) }
  return send(url.origin, isSigned ? signed(draft, signer) : draft)
}

test('the function gets the route, its parameters and the signer', async () => {
  const aws = await boot(fixture())
  const { status, body } = await put(aws, '/things/a-1?more=yes')
  const apiId = expect.stringMatching(/^[a-z0-9]{10}$/)
  expect({ status, body }).toMatchObject({
    status: 200,
    body: {
      version: '2.0',
      routeKey: 'PUT /things/{id}',
      rawPath: '/things/a-1',
      pathParameters: { id: 'a-1' },
      queryStringParameters: { more: 'yes' },
      requestContext: {
        apiId,
        routeKey: 'PUT /things/{id}',
        stage: '$default',
        authorizer: { iam: { userArn: 'arn:aws:iam::123456789012:user/administrator' } },
      },
    },
  })
})

test('a request that is unsigned, or signed for another service, is forbidden', async () => {
  const aws = await boot(fixture())
  const forbidden = { status: 403, body: { message: 'Forbidden' } }
  expect(await put(aws, '/things/1', { isSigned: false })).toMatchObject(forbidden)
  expect(await put(aws, '/things/1', { service: 'lambda' })).toMatchObject(forbidden)
})

test('a path without a route is not found, and a function that fails is an error of the server', async () => {
  const aws = await boot(fixture())
  expect(await put(aws, '/others/1')).toMatchObject({ status: 404, body: { message: 'Not Found' } })
  for (const body of ['"throw"', '"wrong"']) {
    const answer = await put(aws, '/things/1', { body })
    expect(answer, body).toMatchObject({ status: 500, body: { message: 'Internal Server Error' } })
  }
})

test.each([
  ['no IAM', { Put: part('Route', { ...resources.Put.Properties, AuthorizationType: 'NONE' }) }, /only AWS_IAM is/],
  ['another protocol', { Things: part('Api', { Name: 'things', ProtocolType: 'WEBSOCKET' }) }, /WEBSOCKET/],
  [
    'an older event',
    { Call: part('Integration', { ...resources.Call.Properties, PayloadFormatVersion: '1.0' }) },
    /2\.0/,
  ],
  [
    'no permission for API Gateway',
    { May: { ...resources.May, Properties: { ...resources.May.Properties, SourceArn: source('/*/*/others') } } },
    /lets API Gateway call/,
  ],
])('an API with %s is refused', async (_what, changed, message) => {
  await expect(boot(fixture(changed))).rejects.toThrow(message)
})
