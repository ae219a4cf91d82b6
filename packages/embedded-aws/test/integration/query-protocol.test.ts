// Services of the AWS Query protocol answer in XML, refusals too: their clients read nothing else.

import { GetRoleCommand, IAMClient } from '@aws-sdk/client-iam'
import { GetFunctionUrlConfigCommand, LambdaClient, ListFunctionsCommand } from '@aws-sdk/client-lambda'
import { ListDirectoryBucketsCommand, S3Client } from '@aws-sdk/client-s3'
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { GetCallerIdentityCommand, STSClient } from '@aws-sdk/client-sts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type EmbeddedAws, startEmbeddedAws } from '../../embedded-aws.ts'
import { temporaryDirectory, writeAssembly } from './fixture/assembly.ts'
import { signed, timestamp, withBodyHash } from './fixture/signed.ts'

const { directory, remove } = temporaryDirectory()
let aws: EmbeddedAws
beforeAll(async () => {
  const TargetFunctionArn = { 'Fn::GetAtt': ['Functionecho', 'Arn'] }
  const assemblyDir = await writeAssembly(`${directory}/cdk.out`, {
    functions: { echo: {} },
    resources: { Url: { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'AWS_IAM', TargetFunctionArn } } },
  })
  aws = await startEmbeddedAws({ assemblyDir, stateDir: `${directory}/state` })
})
afterAll(async () => {
  await aws.stop()
  remove()
})

const settings = () => ({ endpoint: aws.endpointUrl, region: aws.region, credentials: aws.credentials })

/** Signs and sends a form by hand, and returns the answer as it is on the wire. */
async function ask(service: string, body: string, credentials = aws.credentials) {
  const date = timestamp(Date.now())
  const headers = { host: new URL(aws.endpointUrl).host, 'x-amz-date': date }
  const form = { ...headers, 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' }
  const draft = withBodyHash({ method: 'POST', path: '/', headers: form, body })
  const request = signed(draft, { ...credentials, region: aws.region, service, date: date.slice(0, 8) })
  const answer = await fetch(aws.endpointUrl, { method: 'POST', headers: request.headers, body })
  return { status: answer.status, type: answer.headers.get('content-type'), text: await answer.text() }
}

test('a service that is not here is refused by its name, in the XML of its protocol', async () => {
  const iam = new IAMClient(settings())
  const refusal = { name: 'UnknownOperationException', message: 'The embedded AWS has no service iam' }
  await expect(iam.send(new GetRoleCommand({ RoleName: 'a' }))).rejects.toMatchObject(refusal)
  iam.destroy()
  expect(await ask('cloudformation', 'Action=DescribeStacks&Version=2010-05-15')).toEqual({
    ...{ status: 404, type: 'text/xml' },
    text: '<ErrorResponse><Error><Type>Sender</Type><Code>UnknownOperationException</Code><Message>The embedded AWS has no service cloudformation</Message></Error><RequestId>embedded</RequestId></ErrorResponse>',
  })
  expect((await ask('ec2', 'Action=DescribeVpcs&Version=2016-11-15')).text).toMatch(
    /^<Response><Errors><Error><Code>UnknownOperationException<\/Code><Message>[^<]+<\/Message><\/Error><\/Errors><RequestID>/,
  )
})

test('an operation of an API of paths, or of an unknown service of AWS JSON, is refused by its name', async () => {
  const lambda = new LambdaClient(settings())
  const kinds = new SSMClient(settings())
  const messageOf = (call: Promise<unknown>) => call.catch(({ message, name }: Error) => ({ name, message }))
  expect(await messageOf(lambda.send(new ListFunctionsCommand({})))).toEqual({
    ...{ name: 'UnknownOperationException', message: 'The embedded AWS has no lambda:GET of /2015-03-31/functions' },
  })
  expect(await messageOf(kinds.send(new GetParameterCommand({ Name: 'a' })))).toEqual({
    ...{ name: 'UnknownOperationException', message: 'The embedded AWS has no AmazonSSM.GetParameter' },
  })
  const buckets = new S3Client({ ...settings(), forcePathStyle: true })
  expect(await messageOf(buckets.send(new ListDirectoryBucketsCommand({})))).toEqual({
    ...{
      name: 'UnknownOperationException',
      message: 'The embedded AWS has no s3express:GET of /?x-id=ListDirectoryBuckets',
    },
  })
  for (const client of [buckets, lambda, kinds]) client.destroy()
})

test('a signature that is refused is refused in XML', async () => {
  const wrong = { accessKeyId: aws.credentials.accessKeyId, secretAccessKey: 'other' }
  for (const service of ['sts', 'iam', 'sns']) {
    const { text, type } = await ask(service, 'Action=GetCallerIdentity&Version=2011-06-15', wrong)
    expect({ service, type, code: /<Code>(\w+)<\/Code><Message>[^<]+</.exec(text)?.[1] }).toEqual({
      ...{ service, type: 'text/xml', code: 'InvalidSignatureException' },
    })
  }
})

test('STS answers with its metadata, and refuses other operations with a message', async () => {
  const sts = new STSClient(settings())
  expect(await sts.send(new GetCallerIdentityCommand({}))).toMatchObject({ Arn: expect.any(String) })
  sts.destroy()
  const { text } = await ask('sts', 'Action=GetSessionToken&Version=2011-06-15')
  expect(text).toContain('<Code>InvalidAction</Code><Message>The embedded AWS supports only GetCallerIdentity')
})

test("a function's address has every field that AWS promises", async () => {
  const lambda = new LambdaClient(settings())
  const { $metadata: _, ...config } = await lambda.send(new GetFunctionUrlConfigCommand({ FunctionName: 'echo' }))
  lambda.destroy()
  const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
  expect(config).toEqual({
    ...{ AuthType: 'AWS_IAM', InvokeMode: 'BUFFERED', CreationTime: time, LastModifiedTime: time },
    ...{ FunctionArn: expect.stringMatching(/:function:echo$/), FunctionUrl: expect.stringMatching(/^http/) },
  })
})
