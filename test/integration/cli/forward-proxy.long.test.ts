// Tests commands on a machine whose only way out is a forward proxy, with a certificate authority of the company. The
// proxy counts what goes through it: the command's own requests, those of a desk's functions, and those of the AWS SDK.
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import net, { type AddressInfo, type Server } from 'node:net'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { temporaryFolder } from '../../helpers/folders.ts'
import { makeSelfSigned } from '../../helpers/self-signed.ts'
import { sluice } from './command-line.ts'
import { type SandboxBeside, startSandboxBeside } from './sandbox-beside.ts'

let sandbox: SandboxBeside
let front: https.Server
let proxy: http.Server
let tunnels = 0
/** Connections to the service, by whatever way. */
let connections = 0
const { cert, key } = makeSelfSigned()

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return portOf(server)
}
const portOf = (server: Server) => (server.address() as AddressInfo).port

beforeAll(async () => {
  sandbox = await startSandboxBeside()
  const to = new URL(sandbox.baseUrl)
  front = https.createServer({ key, cert }, (request, response) => {
    const onward = http.request(
      {
        ...{ host: to.hostname, port: to.port, method: request.method, path: request.url },
        headers: { ...request.headers, host: to.host },
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      },
    )
    request.pipe(onward)
  })
  front.on('connection', () => {
    connections += 1
  })
  await listen(front)
  proxy = http.createServer((_request, response) => response.writeHead(502).end())
  proxy.on('connect', (_request, near) => {
    tunnels += 1
    const far = net.connect(portOf(front), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n')
      far.pipe(near)
      near.pipe(far)
    })
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const)
      one.on('error', () => other.destroy())
  })
  await listen(proxy)
})

afterAll(async () => {
  for (const server of [front, proxy]) {
    server.closeAllConnections()
    server.close()
  }
  await sandbox.stop()
})

function set(more: Readonly<Record<string, string>> = {}) {
  const folder = temporaryFolder()
  const file = (name: string, text: string) => {
    writeFileSync(path.join(folder, name), text, { mode: 0o600 })
    return path.join(folder, name)
  }
  const variables = {
    NODE_EXTRA_CA_CERTS: file('ca.pem', cert),
    HTTPS_PROXY: `http://127.0.0.1:${portOf(proxy)}`,
    // Requests in the clear, to the desk of this machine, must not go there.
    HTTP_PROXY: 'http://127.0.0.1:9',
    ...more,
  }
  const service = ['--service', `https://localhost:${portOf(front)}`, '--keys', file('keys.json', sandbox.keys)]
  tunnels = 0
  connections = 0
  return { folder, file, variables, service: [...service, '--state', path.join(folder, 'state')] }
}

test('a command and the functions of a desk reach the service through the proxy of HTTPS_PROXY', async () => {
  const { file, service, variables } = set()
  const buy = { baseAsset: 'BTC', quoteAsset: 'USDC', side: 'BUY', amountAsset: 'USDC', amount: '25' }
  const words = ['run', 'convert', file('buy.json', JSON.stringify(buy)), '--id', 'a', ...service]
  const { exitCode, stderr } = await sluice(words, { variables })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: expect.any(String) })
  // The command and at least two functions have connections of their own.
  expect(tunnels).toBeGreaterThan(2)
  expect(connections).toBe(tunnels)
})

test('NO_PROXY leaves the proxy out', async () => {
  const { service, variables } = set({ NO_PROXY: 'localhost' })
  expect(await sluice(['whoami', ...service], { variables })).toMatchObject({ exitCode: 0 })
  expect(tunnels).toBe(0)
})

test('the AWS SDK goes through the proxy as well', async () => {
  const { variables } = set({
    ...{ AWS_REGION: 'eu-west-1', AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 'S' },
    AWS_ENDPOINT_URL: `https://localhost:${portOf(front)}`,
  })
  await sluice(['setup', 'diff', '--aws'], { variables })
  expect(tunnels).toBeGreaterThan(0)
})

test('a variable that names no proxy is refused, without its value', async () => {
  const { service, variables } = set({ HTTPS_PROXY: 'socks5://ada:secret@proxy.example' })
  const { exitCode, stderr } = await sluice(['whoami', ...service], { variables })
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: expect.stringMatching(/^error: HTTPS_PROXY: expected the address of a proxy/),
  })
  expect(stderr).not.toContain('secret')
})
