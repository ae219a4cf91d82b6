// Reads the fields of a request's body as the AWS JSON protocols have them: null is absent.
import { AwsError } from '../aws-error.ts'

export type RequestBody = Readonly<Record<string, unknown>>

/** Throws SerializationException where the field is no string. */
export function findText(body: RequestBody, name: string): string | undefined {
  const value = body[name]
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  throw new AwsError('SerializationException', `${name} must be a string`)
}

/** Throws ValidationException where the field is absent. */
export function textOf(body: RequestBody, name: string): string {
  const value = findText(body, name)
  if (value !== undefined) return value
  throw new AwsError('ValidationException', `${name} is missing`)
}
