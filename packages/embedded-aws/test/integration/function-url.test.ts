// Tests functions behind their own URL, as a calling service sees them.
import { describe, expect, test } from 'vitest'
import type { AssemblyFixture } from './fixture/assembly.ts'
import { boot } from './fixture/booted.ts'
import { anyoneMayCall } from './fixture/function-url.ts'
import { ask, send } from './fixture/signed.ts'

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

test('a binary body arrives as base64, and an empty body is left out', async () => {
  const url = await urlOf('look')
  const binary = await fetch(url, { method: 'POST', body: Buffer.from([0xff, 0x00]) })
  expect(await binary.json()).toMatchObject({ rawPath: '/', body: '/wA=', isBase64Encoded: true })
  const empty = await fetch(url)
  expect(await empty.json()).not.toHaveProperty('body')
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
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(response),
  })
  expect([answer.status, answer.headers.get('x-kept'), await answer.text()]).toEqual([202, 'yes', 'hi'])
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
})

test('a function that fails is a 502 without its error', async () => {
  const answer = await fetch(await urlOf('fail'))
  expect(answer.status).toBe(502)
  expect(await answer.json()).toEqual({ Message: 'Internal Server Error' })
})

test('a function without a URL is forbidden', async () => {
  const url = await urlOf('look')
  expect((await fetch(url.replace('/look/', '/fail/'))).status).toBe(403)
})

describe('the address of URLs', () => {
  const posted = async (url: string, headers: Record<string, string>) => {
    const { host } = new URL(url)
    const { pathname: where } = new URL(url)
    return send(url, { method: 'POST', path: where, headers: { host, ...headers }, body: '{}' })
  }

  test('answers under any host name and to any web page', async () => {
    const url = await urlOf('look')
    const foreign = { host: 'tunnel.example', origin: 'https://page.example' }
    expect(await posted(url, foreign)).toMatchObject({ status: 200, body: { headers: foreign } })
  })

  test('is not an AWS endpoint, even for a signed request, and the AWS endpoints serve no function URL', async () => {
    const aws = await boot(withUrls(['look']))
    const url = aws.functionUrls()[0]?.url ?? ''
    const base = new URL('/', url).href
    expect(base).not.toBe(new URL('/', aws.endpointUrl).href)
    expect(await ask(aws, 'AWSStepFunctions.ListStateMachines', {})).toMatchObject({ status: 200 })
    const elsewhere = { ...aws, endpointUrl: base }
    for (const target of ['AWSStepFunctions.ListStateMachines', 'secretsmanager.GetSecretValue']) {
      expect(await ask(elsewhere, target, {})).toEqual({ status: 403, body: { Message: 'Forbidden' } })
    }
    for (const where of ['', 'function-url', 'function-url/', 'function-url/fail/', '/function-url/look/', 'look/']) {
      expect(await posted(`${base}${where}`, {})).toMatchObject({ status: 403 })
    }
    const atEndpoint = url.replace(base, `${aws.endpointUrl}/`)
    expect(await posted(atEndpoint, {})).toMatchObject({
      status: 400,
      body: { Type: 'User', message: 'Request is missing Authentication Token' },
    })
  })

  test('is absent if no function has a URL', async () => {
    expect((await boot({})).functionUrls()).toEqual([])
  })

  test('can have a chosen port', async () => {
    const first = await boot(withUrls(['look']))
    const port = Number(new URL(first.functionUrls()[0]?.url ?? '').port)
    await first.stop()
    const [found] = (await boot(withUrls(['look']), { functionUrlPort: port })).functionUrls()
    expect(found?.url).toBe(`http://127.0.0.1:${port}/function-url/look/`)
  })

  test('answers 413 to a body of more than 6 MB', async () => {
    const url = await urlOf('look')
    const limit = 6 * 1024 * 1024
    const post = async (bytes: number) => (await fetch(url, { method: 'POST', body: Buffer.alloc(bytes) })).status
    expect(await post(limit + 1)).toBe(413)
  })
})

test('a URL that nobody may call, or with another AuthType, is refused at the start', async () => {
  const { resources = {}, ...others } = withUrls(['look'])
  const { Permissionlook: _, ...without } = resources
  await expect(boot({ ...others, resources: without })).rejects.toThrow('lets anybody call the URL')
  const url = { Type: 'AWS::Lambda::Url', Properties: { AuthType: 'JWT', TargetFunctionArn: 'x' } }
  await expect(boot({ ...others, resources: { ...resources, Urllook: url } })).rejects.toThrow(
    'AuthType: JWT is not supported',
  )
})
