// Reads the fields of a request's body by the AWS JSON protocols: null means absent.
import { AwsError } from '../aws-error.ts'

export type RequestBody = Readonly<Record<string, unknown>>

/** Throws SerializationException when the field is not a string. */
export function findText(body: RequestBody, name: string): string | undefined {
  const value = body[name]
  if (value === undefined || value === null || typeof value === 'string') return value ?? undefined
  throw new AwsError('SerializationException', `${name} must be a string`)
}

/** Throws ValidationException when the field is absent. */
export function textOf(body: RequestBody, name: string): string {
  const value = findText(body, name)
  if (value !== undefined) return value
  throw new AwsError('ValidationException', `${name} is missing`)
}
