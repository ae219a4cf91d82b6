// Reads a state machine's definition and checks all of it, once. What passes runs as on AWS. Everything else is
// refused, with machine, state and field.
// Source: Amazon States Language (states-language.net), JSONPath mode.
import type { Fields } from '../fields.ts'
import { Refusal } from '../refusal.ts'
import type { Definition } from './definition.ts'
import { definitionFields } from './definition-fields.ts'
import { parseGraph } from './parse-graph.ts'

/** Maximum characters of a definition. AWS: CreateStateMachine, `definition`. */
const MOST_CHARACTERS = 1_048_576

/** `text`: the resolved definition, as JSON. `machine` names it in refusals. Throws Refusal. */
export function parseDefinition(text: string, machine: string): Definition {
  const where = `state machine ${machine}`
  if (text.length > MOST_CHARACTERS) {
    throw new Refusal(where, `its definition has ${text.length} characters; AWS accepts ${MOST_CHARACTERS}`)
  }
  const fields = definitionFields(parseJson(text, where), where)
  const timeoutSeconds = fields.findWhole('TimeoutSeconds', 1, 99_999_999)
  requireValue(fields, 'Version', '1.0')
  requireValue(fields, 'QueryLanguage', 'JSONPath')
  const graph = parseGraph(fields, where, new Set())
  fields.close()
  return { ...graph, timeoutSeconds }
}

function parseJson(text: string, where: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Refusal(where, 'its definition is not JSON')
  }
}

function requireValue(fields: Fields, name: string, only: string): void {
  const value = fields.findText(name) ?? only
  if (value !== only) throw fields.refuse(name, `only ${only} is supported`)
}
