// The fields of a part of a state machine's definition, which is plain JSON. Shared by whoever reads definitions.
import { Fields } from '../fields.ts'

/** Throws Refusal where it is no object, or has a comment that is no string. */
export function definitionFields(value: unknown, where: string): Fields {
  const fields = new Fields(value, where, 'as in JSON')
  fields.findText('Comment')
  return fields
}
