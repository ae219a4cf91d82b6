// Answers the Lambda API on the wire (REST): Invoke, with its answer, and GetFunctionUrlConfig. Only the template
// creates functions. Source: AWS Lambda API Reference, "Invoke", "GetFunctionUrlConfig".
import { AwsError } from '../aws-error.ts'
import {
  findText,
  type RequestHead,
  type RestEndpoint,
  type RestRequest,
  textOf,
  type WireAnswer,
} from '../endpoint/endpoint.ts'
import type { Invocation } from '../states/run.ts'
import { type Lambda, PAYLOAD_LIMIT_BYTES } from './lambda.ts'

const INVOKE_PATH = /^\/2015-03-31\/functions\/([^/?]+)\/invocations(\?.*)?$/

const URL_PATH = /^\/2021-10-31\/functions\/([^/?]+)\/url$/

type FindUrl = (
  nameOrArn: string,
) => { readonly functionArn: string; readonly isSigned: boolean; readonly url: string } | undefined

/** `madeMs`: when the URLs of functions came into being. */
export function lambdaEndpoint(lambda: Lambda, findUrl: FindUrl, madeMs: number): RestEndpoint {
  return {
    service: 'lambda',
    find: (head) => findInvoke(head) ?? findUrlRequest(head),
    permissionsFor(operation, body) {
      const action = ACTIONS[operation]
      if (action === undefined) return undefined
      const nameOrArn = textOf(body, 'FunctionName')
      return [{ action, resource: lambda.findArn(nameOrArn) ?? nameOrArn }]
    },
    async perform(operation, body) {
      const nameOrArn = textOf(body, 'FunctionName')
      if (operation === 'GetFunctionUrlConfig') return urlConfigOf(nameOrArn, findUrl, madeMs)
      const arn = lambda.findArn(nameOrArn)
      if (arn === undefined) throw new AwsError('ResourceNotFoundException', `Function not found: ${nameOrArn}`, 404)
      if ((findText(body, 'InvocationType') ?? 'RequestResponse') !== 'RequestResponse') {
        const message = 'The embedded AWS supports only the invocation type RequestResponse'
        throw new AwsError('InvalidParameterValueException', message)
      }
      if ((findText(body, 'LogType') ?? 'None') !== 'None')
        throw new AwsError(
          'InvalidParameterValueException',
          'The embedded AWS returns no logs: onFunctionLog gets them',
        )
      const payload = textOf(body, 'Payload')
      assertPayload(payload)
      return lambda.invoke(arn, payload, undefined)
    },
  }
}

const ACTIONS: Readonly<Record<string, string>> = {
  Invoke: 'lambda:InvokeFunction',
  GetFunctionUrlConfig: 'lambda:GetFunctionUrlConfig',
}

function urlConfigOf(nameOrArn: string, findUrl: FindUrl, madeMs: number): object {
  const found = findUrl(nameOrArn)
  if (found === undefined)
    throw new AwsError('ResourceNotFoundException', 'The resource you requested does not exist.', 404)
  const AuthType = found.isSigned ? 'AWS_IAM' : 'NONE'
  const made = new Date(madeMs).toISOString()
  const times = { CreationTime: made, LastModifiedTime: made }
  return { FunctionArn: found.functionArn, FunctionUrl: found.url, AuthType, InvokeMode: 'BUFFERED', ...times }
}

function findUrlRequest({ method, target }: RequestHead): RestRequest | undefined {
  const [, encoded] = URL_PATH.exec(target) ?? []
  const nameOrArn = method === 'GET' && encoded !== undefined ? decoded(encoded) : undefined
  if (nameOrArn === undefined) return undefined
  return {
    operation: 'GetFunctionUrlConfig',
    bodyOf: () => ({ FunctionName: nameOrArn }),
    answerOf: (performed) => ({ headers: { 'content-type': 'application/json' }, body: JSON.stringify(performed) }),
  }
}

/** Reads an Invoke request. A function has a name and an ARN here, but no versions or aliases. */
function findInvoke({ header, method, target }: RequestHead): RestRequest | undefined {
  const [, encoded, query] = INVOKE_PATH.exec(target) ?? []
  if (method !== 'POST' || encoded === undefined || query !== undefined) return undefined
  const nameOrArn = decoded(encoded)
  if (nameOrArn === undefined) return undefined
  return {
    operation: 'Invoke',
    bodyOf: (payload) => ({
      FunctionName: nameOrArn,
      InvocationType: header('x-amz-invocation-type'),
      LogType: header('x-amz-log-type'),
      // AWS passes an empty object to the function when no payload came.
      Payload: payload.length === 0 ? '{}' : payload.toString(),
    }),
    answerOf: (performed) => answerOf(performed as Invocation),
  }
}

function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Returns the answer. A failed function has one too: a header marks the failure, and the payload describes it. */
function answerOf(invocation: Invocation): WireAnswer {
  const headers = { 'content-type': 'application/json', 'x-amz-executed-version': '$LATEST' }
  if (invocation.kind === 'answered') return { headers, body: invocation.payload }
  const failed = { ...headers, 'x-amz-function-error': 'Unhandled' }
  return { headers: failed, body: invocation.kind === 'failed' ? invocation.cause : 'null' }
}

function assertPayload(payload: string): void {
  const bytes = Buffer.byteLength(payload)
  if (bytes > PAYLOAD_LIMIT_BYTES) {
    const message = `Request must be smaller than ${PAYLOAD_LIMIT_BYTES} bytes for the InvokeFunction operation`
    throw new AwsError('RequestTooLargeException', message, 413)
  }
  try {
    JSON.parse(payload)
  } catch {
    throw new AwsError('InvalidRequestContentException', 'Could not parse request body into json')
  }
}
