// Takes a purchase: POST /purchases/ID, or /ID, with the request as JSON. It answers within seconds. The same POST again is the same purchase,
// and asks how it goes on. The status tells a caller what to do; `code` is that of the client.
import { ClientError, type ConvertRequest, createClient, ErrorCode, InvalidRequest } from '@sluice/client'
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda'

/** Milliseconds that a caller waits for the end. */
const WITHIN_MS = 5_000

/** A failure without a status of its own is 500: a person must look, and nobody may use another id. */
const STATUS: Readonly<Partial<Record<ErrorCode, number>>> = {
  [ErrorCode.InvalidRequest]: 400,
  [ErrorCode.IdTaken]: 409,
  [ErrorCode.MovedNothing]: 422,
  [ErrorCode.NotYet]: 202,
  [ErrorCode.StartUnknown]: 503,
}

const sluice = createClient({ account: process.env.SLUICE_ACCOUNT ?? '' })

export async function handler({ rawPath, body }: APIGatewayProxyEventV2): Promise<APIGatewayProxyStructuredResultV2> {
  try {
    const purchase = await sluice.convert(requestIn(body), { id: rawPath.split('/').at(-1) ?? '' })
    return answer(200, await purchase.result({ withinMs: WITHIN_MS }))
  } catch (error) {
    if (!(error instanceof ClientError)) throw error
    return answer(STATUS[error.code] ?? 500, { code: error.code, message: error.message })
  }
}

function requestIn(body: string | undefined): ConvertRequest {
  try {
    return JSON.parse(body ?? '')
  } catch {
    throw new InvalidRequest('body', 'JSON')
  }
}

function answer(statusCode: number, body: object): APIGatewayProxyStructuredResultV2 {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}
