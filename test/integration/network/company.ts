// A company's network for tests: nothing is reachable but a forward proxy, which leads every host to one server. That
// server stands for AWS, the service and a chat, with certificates of the company's own authority.
import { once } from 'node:events'
import http from 'node:http'
import net, { type AddressInfo, type Server } from 'node:net'
import { onTestFinished } from 'vitest'
import { type Arrived, startLocalServer } from '../../helpers/local-server.ts'
import { makeAuthority } from '../../helpers/self-signed.ts'

export interface Company {
  /** Address of its proxy. */
  readonly proxy: string
  /** Certificate of its authority, in PEM. */
  readonly authority: string
  /** The server without the proxy, by a name that this machine resolves. */
  readonly direct: string
  /** `host:port` of each tunnel, in order. */
  readonly tunnels: readonly string[]
  /** Requests that arrived, in order. */
  readonly arrived: readonly Arrived[]
  /** From now on the proxy refuses every host. */
  close(): void
}

/** Answers a request by itself, or names the base address that it goes on to. */
export type Route = (request: Arrived) => string | { readonly status: number; readonly json: unknown }

/** Ends with the test. `hosts`: names in the server's certificate beside localhost. */
export async function startCompany(hosts: readonly string[], route: Route): Promise<Company> {
  const { cert: authority, issue } = makeAuthority()
  const server = await startLocalServer(
    (request, response) => {
      const to = route(request)
      if (typeof to !== 'string') {
        response.writeHead(to.status, { 'content-type': 'application/json' }).end(JSON.stringify(to.json))
        return
      }
      const headers = { ...request.headers, host: new URL(to).host }
      const onward = http.request(new URL(request.target, to), { method: request.method, headers }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers)
        answer.pipe(response)
      })
      onward.on('error', () => response.destroy())
      onward.end(request.body)
    },
    issue('localhost', ...hosts),
  )
  const { port } = new URL(server.baseUrl)
  const tunnels: string[] = []
  let isClosed = false
  const proxy = http.createServer((_request, response) => response.writeHead(502).end())
  proxy.on('connect', ({ url = '' }, near) => {
    // The other side ends when it likes.
    near.on('error', () => near.destroy())
    if (isClosed) {
      near.end('HTTP/1.1 403 Forbidden\r\n\r\n')
      return
    }
    tunnels.push(url)
    const far = net.connect(Number(port), '127.0.0.1', () => {
      near.write('HTTP/1.1 200 OK\r\n\r\n')
      far.pipe(near)
      near.pipe(far)
    })
    far.on('error', () => near.destroy())
    near.on('close', () => far.destroy())
    onTestFinished(() => void far.destroy())
  })
  const proxyPort = await listen(proxy)
  onTestFinished(async () => {
    proxy.closeAllConnections()
    proxy.close()
    await server.stop()
  })
  const { arrived, baseUrl: direct } = server
  const close = () => {
    isClosed = true
  }
  return { proxy: `http://127.0.0.1:${proxyPort}`, authority, direct, tunnels, arrived, close }
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}
