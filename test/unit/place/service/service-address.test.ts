// An address is used only after a service there has answered.
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { assertReachable, parseServiceAddress } from '../../../../place/service/service-address.ts'

let stop: (() => void) | undefined
afterEach(() => {
  stop?.()
  stop = undefined
})

/** A server that answers every request with a status; with 0 it never answers. */
async function serve(status: number): Promise<{ url: string; paths: string[] }> {
  const paths: string[] = []
  const server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`)
    if (status !== 0) response.writeHead(status).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  stop = () => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, paths }
}

test.each([
  ['https://api.example.com/', 'https://api.example.com'],
  ['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
  ['https://api.example.com:443/base//', 'https://api.example.com/base'],
])('%s is read as %s', (text, address) => {
  expect(parseServiceAddress(text, '--service')).toBe(address)
})

test.each([
  ['api.example.com', 'that'],
  ['ftp://api.example.com', 'the scheme "ftp"'],
  ['https://user:hunter2@api.example.com', 'one with credentials in it'],
  ['https://api.example.com/?key=hunter2', 'one with a query or fragment'],
  ['https://api.example.com/v2/', 'one that ends in /v2'],
  [`https://api.example.com/${'x'.repeat(500)}`, 'that'],
])('%s is refused, and not quoted', (text, got) => {
  const parse = () => parseServiceAddress(text, '--service')
  expect(parse).toThrow(new RegExp(`^--service: expected .*; got ${got.replace(/[()]/g, '\\$&')}$`))
  expect(parse).not.toThrow(/hunter2/)
})

test('a service that answers its time is reachable, and gets no other request', async () => {
  const { url, paths } = await serve(200)
  await assertReachable(url)
  expect(paths).toEqual(['GET /v2/time'])
})

test.each([
  [503, /answered with status 503; this command has sent nothing/],
  [302, /answered with status 302/],
  [0, /did not answer within 0.05 s/],
])('a service that answers with %i is not used', async (status, message) => {
  const { url } = await serve(status)
  await expect(assertReachable(url, 50)).rejects.toMatchObject({ exitCode: 1, code: 'unreachable', message })
})

test('a port without a listener is named with the reason', async () => {
  const { url } = await serve(200)
  stop?.()
  await expect(assertReachable(url)).rejects.toThrow(
    `GET ${url}/v2/time failed (ECONNREFUSED); this command has sent nothing`,
  )
})
