// Knows the AWS Query protocol: a form names the operation, and answers are XML. Clients of these services read no JSON, not
// even in a refusal. EC2 has errors of a form of its own.
// Source: Smithy, "AWS query protocol" and "AWS EC2 query protocol"; the API references of IAM, STS and CloudFormation.
import type { RequestHead, ServiceName, WireAnswer } from './endpoint.ts'

const XML = { 'content-type': 'text/xml' }
/** S3 signs calls about directory buckets for a service of their own, which is not here. Its errors are XML too. */
export const DIRECTORY_BUCKETS = 's3express'
const REQUEST_ID = 'embedded'

/**
 * Whether a request is an AWS Query request to this service. All such services use one form, so the signature's service
 * decides, as the host does on AWS.
 */
export function isQueryOf(service: ServiceName, head: RequestHead): boolean {
  return queriedService(head) === service
}

/** The service that signed an AWS Query request names; undefined for a request of another protocol. */
export function queriedService({ header, method, target }: RequestHead): string | undefined {
  const isForm = header('content-type')?.startsWith('application/x-www-form-urlencoded') === true
  if (method !== 'POST' || target !== '/' || !isForm) return undefined
  return signedService(header('authorization')) ?? ''
}

export function signedService(authorization = ''): string | undefined {
  return /\/([a-z0-9-]{1,63})\/aws4_request\b/.exec(authorization)?.[1]
}

/** An answer of an operation. `result`: XML within `<OperationResult>`. */
export function queryAnswer(namespace: string, operation: string, result: string): WireAnswer {
  const metadata = `<ResponseMetadata><RequestId>${REQUEST_ID}</RequestId></ResponseMetadata>`
  const body = `<${operation}Result>${result}</${operation}Result>${metadata}`
  return { headers: XML, body: `<${operation}Response xmlns="${namespace}">${body}</${operation}Response>` }
}

export function queryRefusal(
  service: string,
  { message, name }: { readonly name: string; readonly message: string },
): WireAnswer {
  const fault = `<Code>${escaped(name)}</Code><Message>${escaped(message)}</Message>`
  const bodies: Readonly<Record<string, string>> = {
    ec2: `<Response><Errors><Error>${fault}</Error></Errors><RequestID>${REQUEST_ID}</RequestID></Response>`,
    [DIRECTORY_BUCKETS]: `<Error>${fault}</Error>`,
  }
  const usual = `<ErrorResponse><Error><Type>Sender</Type>${fault}</Error><RequestId>${REQUEST_ID}</RequestId></ErrorResponse>`
  return { headers: XML, body: bodies[service] ?? usual }
}

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
