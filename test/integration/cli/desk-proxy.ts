// Stands between the commands of a test and the process that serves a state directory, so that an exact request can be
// refused, can lose its answer, or ends the process. Commands find it in desk.json, in the place of the process's own address.
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import type { Running } from './command-line.ts'

/** A request to AWS, by its `x-amz-target`, such as `DynamoDB_20120810.GetItem`. */
export type IsCutAt = (target: string) => boolean

/** `lose`: it is carried out, and its answer is lost. Else the name of the error of AWS with which it is refused. */
export type Fault = 'lose' | 'AccessDeniedException' | 'ThrottlingException'

export interface DeskProxy {
  /** Every request to AWS since the last cut was arranged, by its target, oldest first. */
  readonly seen: readonly string[]
  /** From now on: the serving process is killed before the first request that fits, which is never answered. */
  cutAt(fits: IsCutAt): void
  /** From now on: what becomes of each request. */
  faultAt(find: (target: string) => Fault | undefined): void
  stop(): Promise<void>
}

export async function startDeskProxy(stateDir: string, serving: Running): Promise<DeskProxy> {
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

  /** Signed anew, because the process answers for its own address alone. The signer of one client signs for every service. */
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
