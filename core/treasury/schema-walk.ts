// Owns finding the schema of a field by its path, through wrappers, records, lists and unions. It knows the inside of
// zod's definitions; describe-issues.ts has the texts.
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

/** The parts of a definition depend on the schema's type. zod's own type leaves them open. */
const defOf = (field: Schema | undefined): Def => (field?._zod.def ?? {}) as Def

/** Names of an object's fields; empty for any other schema. */
export const keysOf = (field: Schema | undefined): string[] => Object.keys(defOf(field).shape ?? {})

/** True for an object with named fields, whose faults are reported field by field. */
export const isShaped = (field: Schema | undefined): boolean => defOf(field).shape !== undefined

/**
 * The schema at a path, without its wrappers (optional, default, prefault). `input` is the parsed value, which shows
 * the option of a union that is meant. Undefined without that value, or where no option fits.
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

/** Removes wrappers and chooses options of unions, until neither is left. */
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

/** Own fields only, so that a key such as "constructor" finds nothing. */
function ownField(shape: Def['shape'], part: PropertyKey): Schema | undefined {
  return shape !== undefined && Object.hasOwn(shape, part) ? shape[String(part)] : undefined
}

export function insideOf(value: unknown, part: PropertyKey): unknown {
  return isObject(value) && Object.hasOwn(value, part) ? value[part] : undefined
}

function isObject(value: unknown): value is Readonly<Record<PropertyKey, unknown>> {
  return typeof value === 'object' && value !== null
}
