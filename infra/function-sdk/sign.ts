// Signs a request of an AWS client: the body and every header of it, with the credentials of the function. In the place of
// the SDK's signer, which also signs addresses, events and parts of bodies, and may hash in JavaScript.
// Source: AWS Identity and Access Management User Guide, "Create a signed AWS API request".
import { createHash, createHmac } from 'node:crypto'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

interface Signable {
  readonly method: string
  /** Without a query. */
  readonly path: '/'
  /** By their names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

interface SignedWith {
  readonly credentials: Credentials
  readonly region: string
  readonly service: string
  readonly at: Date
}

const ALGORITHM = 'AWS4-HMAC-SHA256'

/** The headers of `request`, and those that sign it. */
export function signedHeaders(request: Signable, { credentials, region, service, at }: SignedWith) {
  const time = at.toISOString().replace(/[-:]|\.\d{3}/g, '')
  const day = time.slice(0, 8)
  const { accessKeyId, secretAccessKey, sessionToken } = credentials
  const bodyHash = sha256(request.body)
  const headers: Record<string, string> = {
    ...request.headers,
    ...(sessionToken !== undefined && { 'x-amz-security-token': sessionToken }),
    'x-amz-content-sha256': bodyHash,
    'x-amz-date': time,
  }
  const names = Object.keys(headers).sort()
  const signed = names.join(';')
  const listed = names.map((name) => `${name}:${headers[name]}\n`).join('')
  const canonical = `${request.method}\n${request.path}\n\n${listed}\n${signed}\n${bodyHash}`
  const scope = `${day}/${region}/${service}/aws4_request`
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`)
  const signature = hmac(key, `${ALGORITHM}\n${time}\n${scope}\n${sha256(canonical)}`).toString('hex')
  headers.authorization = `${ALGORITHM} Credential=${accessKeyId}/${scope}, SignedHeaders=${signed}, Signature=${signature}`
  return headers
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function hmac(key: string | Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest()
}
