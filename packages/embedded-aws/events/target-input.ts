// Builds the input that a target gets for an event: the whole event, a part, a constant, or a filled template.
// Source: Amazon EventBridge User Guide, "Input transformation".
import { Fields, isObject } from '../fields.ts'
import { findAt, PathError, parsePath } from '../states/path.ts'

/** Returns JSON text for an event (as JSON); undefined when the template does not make JSON of it. */
export type TargetInput = (event: EventJson, rule: RuleName) => string | undefined

export type EventJson = Readonly<Record<string, unknown>>

export interface RuleName {
  readonly name: string
  readonly arn: string
}

/** AWS's maximum paths of one transformer. */
const MOST_PATHS = 100

/** Reads `Input`, `InputPath` and `InputTransformer` of a target. Throws Refusal. */
export function readTargetInput(target: Fields): TargetInput {
  const [first, second] = ['Input', 'InputPath', 'InputTransformer'].filter((name) => target.has(name))
  if (second !== undefined) throw target.refuse(second, `cannot be given together with ${first}`)
  const constant = target.findText('Input')
  if (constant !== undefined) {
    if (!isJson(constant)) throw target.refuse('Input', 'must be JSON')
    return () => constant
  }
  if (target.has('InputTransformer')) return readTransformer(target.object('InputTransformer'))
  const part = target.has('InputPath') ? readPath(target, 'InputPath') : (event: EventJson) => event
  return (event) => JSON.stringify(part(event) ?? null)
}

function readTransformer(transformer: Fields): TargetInput {
  const map = transformer.has('InputPathsMap') ? transformer.object('InputPathsMap') : new Fields({}, transformer.where)
  if (map.names().length > MOST_PATHS) throw transformer.refuse('InputPathsMap', `more than ${MOST_PATHS} paths`)
  const parts = new Map(map.names().map((name) => [name, readPath(map, name)]))
  const template = transformer.text('InputTemplate')
  transformer.close()
  for (const [, name = ''] of template.matchAll(PLACE)) {
    if (!parts.has(name) && !name.startsWith('aws.events.')) {
      throw transformer.refuse('InputTemplate', `<${name}> is not in InputPathsMap`)
    }
    if (name.startsWith('aws.events.') && !RESERVED.includes(name)) {
      throw transformer.refuse('InputTemplate', `<${name}> is not supported`)
    }
  }
  return (event, rule) => {
    const partOf = (name: string) => parts.get(name)?.(event) ?? reservedValue(name, event, rule)
    const text = fill(template, partOf)
    return isJson(text) ? text : undefined
  }
}

const RESERVED = ['aws.events.rule-arn', 'aws.events.rule-name', 'aws.events.event.json']

function reservedValue(name: string, event: EventJson, rule: RuleName): unknown {
  if (name === 'aws.events.rule-arn') return rule.arn
  if (name === 'aws.events.rule-name') return rule.name
  return name === 'aws.events.event.json' ? event : undefined
}

const PLACE = /<([A-Za-z0-9._-]{1,256})>/g
/** A JSON string of the template, which may hold placeholders, or a placeholder outside a string. */
const STRING_OR_PLACE = /"(?:[^"\\]|\\.)*"|<[A-Za-z0-9._-]{1,256}>/g

/**
 * Fills the template. In a string a value becomes text, elsewhere JSON. A missing value becomes an empty text, which
 * outside a string is not JSON.
 */
function fill(template: string, partOf: (name: string) => unknown): string {
  return template.replaceAll(STRING_OR_PLACE, (part) => {
    if (part.startsWith('<')) return JSON.stringify(partOf(part.slice(1, -1))) ?? ''
    return part.replaceAll(PLACE, (_place, name: string) => {
      const value = partOf(name)
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
      return JSON.stringify(text).slice(1, -1)
    })
  })
}

function readPath(fields: Fields, name: string): (event: EventJson) => unknown {
  try {
    const path = parsePath(fields.text(name))
    if (path.source === 'context') throw new PathError(`"${path.text}" is not a path of an event`)
    // An event is JSON: it came as a request's body, or was built from one.
    return (event) => findAt(path, { data: event as never, context: null })
  } catch (error) {
    if (error instanceof PathError) throw fields.refuse(name, error.message)
    throw error
  }
}

function isJson(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) || value !== undefined
  } catch {
    return false
  }
}
