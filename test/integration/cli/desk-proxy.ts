// Runs a proxy between the commands of a test and the process that serves a state directory. An exact request can be
// refused, can lose its answer, or can end the process. Commands find the proxy's address in desk.json.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { afterEach, beforeEach } from 'vitest'
import { type Running, startSluice } from './command-line.ts'

/** A request to AWS, by its `x-amz-target`, such as `DynamoDB_20120810.GetItem`. */
export type IsCutAt = (target: string) => boolean

/** `lose`: it is carried out, and its answer is lost. Otherwise the name of the AWS error that refuses it. */
export type Fault = 'lose' | 'AccessDeniedException' | 'ThrottlingException'

export interface DeskProxy {
  /** The targets of all requests to AWS since the last cut was arranged, oldest first. */
  readonly seen: readonly string[]
  /** From now on, kills the serving process before the first matching request, which is never answered. */
  cutAt(fits: IsCutAt): void
  /** From now on, decides what happens to each request. */
  faultAt(find: (target: string) => Fault | undefined): void
  stop(): Promise<void>
}

/** For each test: a process that serves the state directory of `place`, and the proxy in front of it. */
export function useServedDesk({ file, place }: { file(name: string): string; place(): string[] }) {
  const desk = {} as { serving: Running; proxy: DeskProxy }
  beforeEach(async () => {
    desk.serving = startSluice(['serve', ...place()])
    await desk.serving.firstLine
    desk.proxy = await startDeskProxy(file('state'), desk.serving)
  })
  afterEach(async () => {
    await desk.proxy.stop()
    desk.serving.child.kill('SIGKILL')
    await desk.serving.ended
  })
  return desk
}

async function startDeskProxy(stateDir: string, serving: Running): Promise<DeskProxy> {
  const file = path.join(stateDir, 'desk.json')
  const desk = JSON.parse(readFileSync(file, 'utf8'))
  const { credentials, region } = desk
  const signer = await new DynamoDBClient({ credentials, region }).config.signer()
  const seen: string[] = []
  let isCut: IsCutAt = () => false
  let findFault: (target: string) => Fault | undefined = () => undefined
  const server = createServer((incoming, response) => void pass(incoming, response))

  async function pass(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming)
    const target = String(incoming.headers['x-amz-target'] ?? '')
    if (target !== '') seen.push(target)
    if (target !== '' && isCut(target)) {
      serving.child.kill('SIGKILL')
      await serving.ended
      server.close()
      server.closeAllConnections()
      return
    }
    const fault = target === '' ? undefined : findFault(target)
    if (fault !== undefined && fault !== 'lose') {
      response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify({ __type: fault }))
      return
    }
    const { method = 'GET' } = incoming
    const own = new URL(desk.endpointUrl)
    const headers = await headersFor(incoming, own, body)
    const onward = request(own, { method, headers, agent: false }, (answer) => {
      if (fault === 'lose') {
        answer.resume().on('end', () => incoming.socket.destroy())
        return
      }
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    onward.on('error', () => response.destroy())
    onward.end(body)
  }

  /** Signs again, because the process accepts only its own address. The signer of one client signs for every service. */
  async function headersFor({ headers, method = '' }: IncomingMessage, own: URL, body: string) {
    const [, service] = /\/([a-z]+)\/aws4_request/.exec(headers.authorization ?? '') ?? []
    if (service === undefined) return { host: own.host }
    const { 'content-type': type = '', 'x-amz-target': target = '' } = headers
    const sent = { host: own.host, 'content-type': type, 'x-amz-target': String(target) }
    const { protocol, hostname } = own
    const signed = await signer.sign(
      { method, protocol, hostname, path: '/', query: {}, headers: sent, body },
      { signingService: service },
    )
    return signed.headers
  }

  const { promise: listening, resolve } = Promise.withResolvers<void>()
  server.listen(0, '127.0.0.1', resolve)
  await listening
  const { port } = server.address() as AddressInfo
  writeFileSync(file, JSON.stringify({ ...desk, endpointUrl: `http://127.0.0.1:${port}` }))
  return {
    seen,
    cutAt(fits) {
      seen.length = 0
      isCut = fits
    },
    faultAt(find) {
      findFault = find
    },
    stop() {
      const { promise, resolve: ended } = Promise.withResolvers<void>()
      server.close(() => ended())
      server.closeAllConnections()
      return promise
    },
  }
}
