// Owns finding a field's own schema by its path, through wrappers, records, lists and unions. Knows what
// zod's definitions look like inside; describe-issues.ts has the words.
import type * as z from 'zod/mini'

type Schema = z.core.$ZodType
export type Path = readonly PropertyKey[]

interface Def {
  readonly innerType?: Schema
  readonly shape?: Readonly<Record<string, Schema>>
  readonly element?: Schema
  readonly valueType?: Schema
  readonly options?: readonly Schema[]
  readonly discriminator?: string
  readonly values?: readonly unknown[]
}

/** Which of these a definition has depends on the schema's type, which zod's own type of it leaves open. */
const defOf = (field: Schema | undefined): Def => (field?._zod.def ?? {}) as Def

/** Names of an object's fields; none for anything else. */
export const keysOf = (field: Schema | undefined): string[] => Object.keys(defOf(field).shape ?? {})

/** True for an object of named fields: what it expects is reported field by field. */
export const isShaped = (field: Schema | undefined): boolean => defOf(field).shape !== undefined

/**
 * The schema at a path, with the wrappers (optional, default, prefault) taken off. `input` is what was parsed:
 * it shows which option of a union is meant; without it, or where it fits none, there is no field.
 */
export function findField(schema: Schema, path: Path, input: unknown): Schema | undefined {
  let value = input
  let field = settle(schema, value)
  for (const part of path) {
    const { shape, element, valueType } = defOf(field)
    const inside = ownField(shape, part) ?? element ?? valueType
    if (inside === undefined) return undefined
    value = insideOf(value, part)
    field = settle(inside, value)
  }
  return field
}

/** Takes wrappers off and unions apart, until neither is left. */
function settle(schema: Schema, value: unknown): Schema | undefined {
  const { innerType, options } = defOf(schema)
  if (innerType !== undefined) return settle(innerType, value)
  if (options === undefined) return schema
  const option = optionFor(schema, value)
  return option === undefined ? undefined : settle(option, value)
}

function optionFor(union: Schema, value: unknown): Schema | undefined {
  const { options = [], discriminator } = defOf(union)
  if (discriminator === undefined) return options.find((option) => isObjectLike(option) === isObject(value))
  const named = insideOf(value, discriminator)
  return options.find((option) => defOf(defOf(option).shape?.[discriminator]).values?.includes(named))
}

function isObjectLike(schema: Schema): boolean {
  const { shape, valueType, options } = defOf(schema)
  return shape !== undefined || valueType !== undefined || (options ?? []).some(isObjectLike)
}

/** Own, so that a key such as "constructor" finds nothing. */
function ownField(shape: Def['shape'], part: PropertyKey): Schema | undefined {
  return shape !== undefined && Object.hasOwn(shape, part) ? shape[String(part)] : undefined
}

export function insideOf(value: unknown, part: PropertyKey): unknown {
  return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
}

function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === 'object' && value !== null
}
