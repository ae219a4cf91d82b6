// Sends requests to the tables and the state machines of an embedded AWS in another process of this machine. It uses no
// SDK, because loading one takes longer than the requests of a program that only reads. Only for requests that may be
// repeated.
import type { IncomingMessage } from 'node:http'
import { AwsError, codeIn } from '../aws-error.ts'
import type { EndpointAccess } from './credentials.ts'
import { ALGORITHM, headerValues, sha256, signatureOf, signingKey, TERMINATOR } from './sigv4.ts'

// Not imported, because an import evaluates all exports of the module, among them a WebSocket client.
const { Agent, request } = process.getBuiltinModule('node:http')

export interface BareRequests {
  /**
   * Returns the fields of the answer.
   * @throws AwsError for a refusal, SyntaxError for an answer that is no JSON, and the system's errors
   */
  perform(operation: string, body: object): Promise<unknown>
  close(): void
}

/** A desk answers at once, or is suspended. */
const SILENCE_MS = 5_000
const ATTEMPTS = 2
const MOST_CONNECTIONS = 50
/** The longest answer of DynamoDB has 16 MB. */
const MOST_BYTES = 32 * 1024 * 1024

/** A service of AWS, as a request names it: in its signature, and before the name of an operation. */
const SERVICES = {
  dynamodb: 'DynamoDB_20120810',
  states: 'AWSStepFunctions',
} as const
type Service = keyof typeof SERVICES

export const tableRequests = (access: EndpointAccess): BareRequests => requestsTo('dynamodb', access)

export const executionRequests = (access: EndpointAccess): BareRequests => requestsTo('states', access)

function requestsTo(service: Service, access: EndpointAccess): BareRequests {
  const agent = new Agent({ keepAlive: true, maxSockets: MOST_CONNECTIONS })
  return {
    async perform(operation, body) {
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await send({ service, access, agent }, operation, JSON.stringify(body))
        } catch (error) {
          const mayPass = !(error instanceof AwsError) || error.status >= 500
          if (!mayPass || attempt === ATTEMPTS) throw error
        }
      }
    },
    close: () => agent.destroy(),
  }
}

interface Way {
  readonly service: Service
  readonly access: EndpointAccess
  readonly agent: InstanceType<typeof Agent>
}

async function send({ service, access, agent }: Way, operation: string, body: string): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const { hostname, port } = new URL(access.endpointUrl)
  const headers = signed(service, access, operation, body)
  const sent = request({ hostname, port, agent, method: 'POST', headers, timeout: SILENCE_MS }, resolve)
  sent.on('timeout', () => sent.destroy(Object.assign(new Error('no answer in time'), { name: 'TimeoutError' })))
  sent.on('error', reject)
  sent.end(body)
  const answer = await promise
  const parts: Buffer[] = []
  let length = 0
  for await (const part of answer as AsyncIterable<Buffer>) {
    length += part.length
    if (length > MOST_BYTES) throw new Error(`the answer has more than ${MOST_BYTES} bytes`)
    parts.push(part)
  }
  const fields = JSON.parse(Buffer.concat(parts).toString())
  const { statusCode = 500 } = answer
  if (statusCode === 200) return fields
  throw new AwsError(codeIn(String(fields.__type)), String(fields.message ?? ''), statusCode)
}

function signed(
  service: Service,
  { endpointUrl, region, credentials }: EndpointAccess,
  operation: string,
  body: string,
) {
  const timestamp = `${new Date().toISOString().replaceAll(/[-:]/g, '').slice(0, 15)}Z`
  const scope = { date: timestamp.slice(0, 8), region, service }
  const payloadHash = sha256(Buffer.from(body))
  const headers = {
    'content-type': 'application/x-amz-json-1.0',
    host: new URL(endpointUrl).host,
    'x-amz-content-sha256': payloadHash,
    'x-amz-date': timestamp,
    'x-amz-target': `${SERVICES[service]}.${operation}`,
  }
  const signedHeaders = Object.keys(headers)
  const toSign = { method: 'POST', target: '/', rawHeaders: Object.entries(headers).flat() }
  const signature = signatureOf(
    { request: toSign, headers: headerValues(toSign.rawHeaders), signedHeaders, scope, timestamp, payloadHash },
    signingKey(credentials.secretAccessKey, scope),
  ).toString('hex')
  const credential = `${credentials.accessKeyId}/${scope.date}/${region}/${service}/${TERMINATOR}`
  const authorization = `${ALGORITHM} Credential=${credential}, SignedHeaders=${signedHeaders.join(';')}, Signature=${signature}`
  return { ...headers, authorization, 'content-length': Buffer.byteLength(body) }
}
