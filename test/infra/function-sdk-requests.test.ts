// Where a function that moves money sends its requests to AWS, and how it signs them, beside the SDK.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { KMSClient } from '@aws-sdk/client-kms'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { afterEach, expect, test } from 'vitest'
import { endpointOf } from '../../infra/function-sdk/endpoint.ts'
import { signedHeaders } from '../../infra/function-sdk/sign.ts'

const environment = process.env
// Files share a process.
afterEach(() => {
  process.env = environment
})

const REGIONS = [
  ...['us-east-1', 'eu-central-1', 'ap-southeast-7', 'mx-central-1', 'us-gov-west-1', 'cn-north-1', 'cn-northwest-1'],
  ...['eusc-de-east-1', 'us-iso-east-1', 'us-iso-west-1', 'us-isob-east-1', 'eu-isoe-west-1', 'us-isof-south-1'],
]

test.each(REGIONS)('in %s each service is where the SDK finds it', (region) => {
  process.env = {}
  const clients = [new DynamoDBClient(), new KMSClient(), new SecretsManagerClient()]
  for (const { config } of clients) {
    const { url } = config.endpointProvider({ Region: region, UseDualStack: false, UseFIPS: false })
    const { serviceId, defaultSigningName } = config as typeof config & { readonly defaultSigningName: string }
    expect(endpointOf(serviceId, defaultSigningName, region).host).toBe(url.host)
  }
})

test.each(['', 'a session'])('a request is signed as the SDK signs it, with the session token %j', async (token) => {
  const credentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'a secret', ...(token && { sessionToken: token }) }
  const at = new Date('2026-11-25T10:20:30.456Z')
  const request = {
    method: 'POST',
    path: '/',
    headers: { host: 'dynamodb.eu-west-1.amazonaws.com', 'content-type': 'application/x-amz-json-1.0' },
    body: '{"é":"€"}',
  } as const
  const client = new DynamoDBClient({ credentials, region: 'eu-west-1' })
  const signer = await client.config.signer()
  const target = { ...request, protocol: 'https:', hostname: request.headers.host, query: {} }
  const { headers } = await signer.sign(target, { signingDate: at, signingRegion: 'eu-west-1' })
  expect(signedHeaders(request, { credentials, region: 'eu-west-1', service: 'dynamodb', at })).toEqual(headers)
})
