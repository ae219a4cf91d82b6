// The frame around what people ask for by a function URL with AuthType AWS_IAM: who asks is what Lambda saw in the
// signature, and never a field of the body. A refusal is an answer, and no fault of the function.
import type * as z from 'zod/mini'
import { signedRequest } from '../../core/contract/people.ts'
import { OwnFault, Refused, Transient } from '../../core/errors.ts'
import { parseWith } from '../../core/parse.ts'
import { frameHandler, type LambdaHandler } from './handler.ts'

/** `by`: the ARN of whoever signed. */
export type AskedByPerson<Request> = (request: Request, by: string) => Promise<{ readonly outcome: string }>

export function framePeople<Schema extends z.ZodMiniType>(
  verb: string,
  schema: Schema,
  decide: AskedByPerson<z.output<Schema>>,
): LambdaHandler {
  const framed = frameHandler(verb, signedRequest, async ({ requestContext, body, isBase64Encoded }) => {
    const text = isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body
    return decide(parseWith(schema, parseJson(text), 'body'), requestContext.authorizer.iam.userArn)
  })
  return async (event, context) => {
    try {
      return answer(200, await framed(event, context))
    } catch (error) {
      if (error instanceof Refused) return answer(400, { error: error.name, message: error.message })
      if (error instanceof Transient) return answer(503, { error: error.name, message: error.message })
      // The person who asked is who can tell somebody. The log has it too.
      if (error instanceof OwnFault) return answer(500, { error: error.name, message: error.message })
      throw error
    }
  }
}

function answer(statusCode: number, body: unknown): object {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refused('body: expected JSON')
  }
}
