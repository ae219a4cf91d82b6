// Functions behind a URL of their own, as a service that calls them sees them.
import { expect, test } from 'vitest'
import type { AssemblyFixture } from './fixture/assembly.ts'
import { boot } from './fixture/booted.ts'
import { anyoneMayCall } from './fixture/function-url.ts'

const CODE = `
  exports.look = async (event) => event
  exports.answer = async (event) => JSON.parse(event.body)
  exports.fail = async () => { throw new Error('not for the caller') }`

function withUrls(names: readonly string[]): AssemblyFixture {
  return {
    functions: Object.fromEntries(names.map((name) => [name, {}])),
    code: { 'index.js': CODE },
    resources: Object.assign({}, ...names.map(anyoneMayCall)),
  }
}

async function urlOf(name: string): Promise<string> {
  const aws = await boot(withUrls([name]))
  const [found] = aws.functionUrls()
  expect(found?.functionName).toBe(name)
  return found?.url ?? ''
}

test('a request becomes an event of the payload format 2.0', async () => {
  const url = await urlOf('look')
  const answer = await fetch(`${url}hooks/deposit?a=1&b=x%20y&a=2`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json', 'X-Signature': 'a..b', cookie: 'c=1; d=2' },
    body: '{"n":"é"}',
  })
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json'])
  const event = await answer.json()
  expect(event).toMatchObject({
    version: '2.0',
    routeKey: '$default',
    rawPath: '/hooks/deposit',
    rawQueryString: 'a=1&b=x%20y&a=2',
    queryStringParameters: { a: '1,2', b: 'x y' },
    headers: { 'content-type': 'application/json', 'x-signature': 'a..b' },
    cookies: ['c=1', 'd=2'],
    requestContext: { http: { method: 'PUT', path: '/hooks/deposit', protocol: 'HTTP/1.1' }, stage: '$default' },
    body: '{"n":"é"}',
    isBase64Encoded: false,
  })
  expect((event as { readonly headers: object }).headers).not.toHaveProperty('cookie')
})

test('a body that is no text comes as base64, and none is left out', async () => {
  const url = await urlOf('look')
  const binary = await fetch(url, { method: 'POST', body: Buffer.from([0xff, 0x00]) })
  expect(await binary.json()).toMatchObject({ rawPath: '/', body: '/wA=', isBase64Encoded: true })
  const none = await fetch(url)
  expect(await none.json()).not.toHaveProperty('body')
})

test('an answer with a status is the response', async () => {
  const url = await urlOf('answer')
  const response = {
    statusCode: 202,
    headers: { 'X-Kept': 'yes' },
    cookies: ['a=1', 'b=2'],
    body: 'aGk=',
    isBase64Encoded: true,
  }
  const given = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(response),
  })
  expect([given.status, given.headers.get('x-kept'), await given.text()]).toEqual([202, 'yes', 'hi'])
  expect(given.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

test('a function that fails is a 502 that says nothing of it', async () => {
  const answer = await fetch(await urlOf('fail'))
  expect(answer.status).toBe(502)
  expect(await answer.json()).toEqual({ Message: 'Internal Server Error' })
})

test('a function without a URL is forbidden', async () => {
  const url = await urlOf('look')
  expect((await fetch(url.replace('/look/', '/fail/'))).status).toBe(403)
})

test('a URL that nobody may call, or that asks who calls, is refused at the start', async () => {
  const { resources = {}, ...others } = withUrls(['look'])
  const { Permissionlook: _, ...without } = resources
  await expect(boot({ ...others, resources: without })).rejects.toThrow('lets anybody call the URL')
  const url = { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'AWS_IAM', TargetFunctionArn: 'x' } }
  await expect(boot({ ...others, resources: { ...resources, Urllook: url } })).rejects.toThrow(
    'AuthType: AWS_IAM is not supported',
  )
})
