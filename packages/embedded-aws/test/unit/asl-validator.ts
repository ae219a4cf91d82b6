// The asl-validator package, an independent check of definitions, with the types that it lacks.
import { createRequire } from 'node:module'

interface Verdict {
  readonly isValid: boolean
  readonly errors: readonly { readonly 'Error code': string; readonly Message?: string }[]
}

const validate: (definition: object) => Verdict = createRequire(import.meta.url)('asl-validator')

/** The errors that asl-validator finds; empty if the definition is valid. */
export function findingsOf(definition: object): readonly string[] {
  const { errors, isValid } = validate(definition)
  const found = errors.map((error) => `${error['Error code']}: ${error.Message ?? ''}`)
  return isValid || found.length > 0 ? found : ['not valid']
}
