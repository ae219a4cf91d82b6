// The validator of others that definitions are held against, with the types that it does not have.
import { createRequire } from 'node:module'

interface Verdict {
  readonly isValid: boolean
  readonly errors: readonly { readonly 'Error code': string; readonly Message?: string }[]
}

const validate: (definition: object) => Verdict = createRequire(import.meta.url)('asl-validator')

/** What it finds; empty where it has nothing to say. */
export function findingsOf(definition: object): readonly string[] {
  const { errors, isValid } = validate(definition)
  const found = errors.map((error) => `${error['Error code']}: ${error.Message ?? ''}`)
  return isValid || found.length > 0 ? found : ['not valid']
}
