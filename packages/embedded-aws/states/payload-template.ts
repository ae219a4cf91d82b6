// Fills payload templates (Parameters, ResultSelector). Fields whose name ends in `.$` are computed; everything else
// stays as written. Source: Amazon States Language, "Payload Template".

import { Refusal } from '../aws-error.ts'
import { isObject } from '../fields.ts'
import { type Expression, evaluate, parseIntrinsic } from './intrinsic.ts'
import type { Json } from './json.ts'
import { type Path, PathError, parsePath, readAt, type Scope } from './path.ts'

export type PayloadTemplate =
  | { readonly kind: 'literal'; readonly value: Json }
  | { readonly kind: 'list'; readonly items: readonly PayloadTemplate[] }
  | { readonly kind: 'object'; readonly fields: readonly (readonly [name: string, value: PayloadTemplate])[] }
  | { readonly kind: 'computed'; readonly field: string; readonly value: Computed }

export type Computed = { readonly path: Path } | { readonly call: Expression }

/** Parses a template. Throws a Refusal that names the field. */
export function parseTemplate(value: unknown, where: string): PayloadTemplate {
  if (Array.isArray(value)) {
    return { kind: 'list', items: value.map((item, index) => parseTemplate(item, `${where}[${index}]`)) }
  }
  // A definition is JSON, so each value in it is JSON.
  if (!isObject(value)) return { kind: 'literal', value: value as Json }
  const fields = Object.entries(value).map(([name, inner]) => parseField(name, inner, where))
  const twice = fields.find(([name], index) => fields.findIndex(([other]) => other === name) !== index)
  if (twice !== undefined) throw new Refusal(`${where}.${twice[0]}`, 'is given twice')
  return { kind: 'object', fields }
}

function parseField(name: string, value: unknown, where: string): readonly [string, PayloadTemplate] {
  const field = `${where}.${name}`
  if (!name.endsWith('.$')) return [name, parseTemplate(value, field)]
  if (typeof value !== 'string') throw new Refusal(field, 'must be a path or an intrinsic function')
  return [name.slice(0, -2), { kind: 'computed', field: name, value: parseComputed(value, field) }]
}

/** Parses a path or an intrinsic function. Throws a Refusal that names the field. */
export function parseComputed(text: string, where: string): Computed {
  try {
    return text.startsWith('$') ? { path: parsePath(text) } : { call: parseIntrinsic(text) }
  } catch (error) {
    if (error instanceof PathError) throw new Refusal(where, error.message)
    throw error
  }
}

/** Throws StateFailure. */
export function fillTemplate(template: PayloadTemplate, scope: Scope): Json {
  switch (template.kind) {
    case 'literal':
      return template.value
    case 'list':
      return template.items.map((item) => fillTemplate(item, scope))
    case 'object':
      return Object.fromEntries(template.fields.map(([name, value]) => [name, fillTemplate(value, scope)]))
    case 'computed':
      return compute(template.value, scope, template.field)
  }
}

/** Throws StateFailure. */
export function compute(computed: Computed, scope: Scope, field: string): Json {
  return 'path' in computed ? readAt(computed.path, scope, field) : evaluate(computed.call, scope, field)
}
