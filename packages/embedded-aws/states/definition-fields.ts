// Reads the fields of a part of a state machine's definition, which is plain JSON.
import { Fields } from '../fields.ts'

/** Throws Refusal when the value is not an object, or its comment is not a string. */
export function definitionFields(value: unknown, where: string): Fields {
  const fields = new Fields(value, where, 'as in JSON')
  fields.findText('Comment')
  return fields
}
