// A server on a real socket with answers from the test. It keeps what arrived.
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export interface Arrived {
  readonly method: string
  /** The request target as it arrived. */
  readonly target: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
  /** Number of the connection, from 1. Two requests with the same number shared a connection. */
  readonly connection: number
}

export interface LocalServer {
  readonly baseUrl: string
  /** Complete requests in order of arrival. */
  readonly arrived: readonly Arrived[]
  stop(): Promise<void>
}

export type Respond = (request: Arrived, response: ServerResponse, socket: Socket) => void

/** Plain HTTP on 127.0.0.1 at any free port; with `tls`, HTTPS on localhost. */
export async function startLocalServer(
  respond: Respond,
  tls?: { readonly key: string; readonly cert: string },
): Promise<LocalServer> {
  const arrived: Arrived[] = []
  const sockets = new Map<Socket, number>()
  const listener: RequestListener = (incoming, response) => {
    const chunks: Buffer[] = []
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
    incoming.on('end', () => {
      const request: Arrived = {
        method: incoming.method ?? '',
        target: incoming.url ?? '',
        headers: incoming.headers,
        body: Buffer.concat(chunks),
        connection: sockets.get(incoming.socket) ?? 0,
      }
      arrived.push(request)
      respond(request, response, incoming.socket)
    })
  }
  const server: Server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  let connections = 0
  server.on(tls === undefined ? 'connection' : 'secureConnection', (socket: Socket) => {
    sockets.set(socket, ++connections)
    // Tests cut connections on purpose, so errors of the other side do not matter.
    socket.on('error', () => socket.destroy())
    socket.on('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    baseUrl: tls === undefined ? `http://127.0.0.1:${port}` : `https://localhost:${port}`,
    arrived,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets.keys()) socket.destroy()
      }),
  }
}

export function answerJson(response: ServerResponse, status: number, json: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(json))
}

export function answerProblem(
  response: ServerResponse,
  status: number,
  code: string,
  more: Readonly<Record<string, unknown>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/problem+json' }).end(
    JSON.stringify({
      type: `https://docs.test/errors/${code}`,
      title: code,
      status,
      code,
      retryable: false,
      ...more,
    }),
  )
}
