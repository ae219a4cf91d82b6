// Remembers conditions that dynalite has parsed. Its parser takes about 0.2 ms for a condition of a few clauses, and
// writers repeat the same conditions with other values. Only valid conditions are kept; others are parsed again each
// time. A condition whose validity depends on values, and not only on their types, is never kept.
import { createRequire } from 'node:module'
import { isObject } from '../fields.ts'

type Attributes = Readonly<Record<string, object>>

/** The argument of dynalite's parser. The parser deletes used names from the two `unused` records. */
interface Context {
  readonly attrNames?: Readonly<Record<string, string>> | null
  readonly attrVals?: Attributes | null
  readonly unusedAttrNames: Record<string, boolean>
  readonly unusedAttrVals: Record<string, boolean>
  readonly isKeyCondition?: boolean
}

export interface ConditionParser {
  /** Returns a text for a refusal. Throws for a text that is not a condition. */
  parse(condition: string, options: { readonly context: Context }): unknown
}

/** Returns the parsed condition with the values of one request. */
type Fill = (values: Attributes) => unknown

interface Known {
  readonly fill: Fill
  readonly names: readonly string[]
  readonly values: readonly string[]
}

/** Maximum conditions kept. A program has a few dozen. */
const MOST_KNOWN = 500
/** Maximum characters of a kept condition, with its names and types. */
const LONGEST_KNOWN = 8_192
/** Conditions that depend on values: BETWEEN compares its bounds, and attribute_type reads its operand. */
const BY_VALUE = /between|attribute_type/i

const require = createRequire(import.meta.url)

/** Makes this process remember conditions, by replacing dynalite's parser. */
export function rememberConditions(): void {
  const parser: ConditionParser & { isRemembering?: true } = require('dynalite/db/conditionParser')
  if (parser.isRemembering) return
  Object.assign(parser, remembering(parser), { isRemembering: true })
}

export function remembering({ parse }: ConditionParser): ConditionParser {
  const known = new Map<string, Known>()
  return {
    parse(condition, options) {
      const { attrNames, attrVals, isKeyCondition, unusedAttrNames, unusedAttrVals } = options.context
      const values = attrVals ?? {}
      const key = JSON.stringify([condition, attrNames, Object.entries(values).map(typeOf), isKeyCondition])
      if (key.length > LONGEST_KNOWN || BY_VALUE.test(condition)) return parse(condition, options)
      const met = known.get(key) ?? learn(condition, options.context, parse)
      if (!('fill' in met)) return met.refusal
      if (!known.has(key)) {
        const [oldest] = known.keys()
        if (oldest !== undefined && known.size >= MOST_KNOWN) known.delete(oldest)
        known.set(key, met)
      }
      for (const name of met.names) delete unusedAttrNames[name]
      for (const name of met.values) delete unusedAttrVals[name]
      return met.fill(values)
    },
  }
}

/** Parses one condition apart from the others of its request, because the names that it uses do not depend on them. */
function learn(
  condition: string,
  context: Context,
  parse: ConditionParser['parse'],
): Known | { readonly refusal: unknown } {
  const names = Object.keys(context.attrNames ?? {})
  const values = Object.entries(context.attrVals ?? {})
  const unusedAttrNames = flags(names)
  const unusedAttrVals = flags(values.map(([name]) => name))
  const parsed = parse(condition, { context: { ...context, unusedAttrNames, unusedAttrVals } })
  // The request is refused, so its unused names do not matter.
  if (!isObject(parsed)) return { refusal: parsed }
  return {
    fill: filling(parsed, new Map(values.map(([name, value]) => [value, name]))),
    names: names.filter((name) => !(name in unusedAttrNames)),
    values: values.flatMap(([name]) => (name in unusedAttrVals ? [] : [name])),
  }
}

function flags(names: readonly string[]): Record<string, boolean> {
  return Object.assign(Object.create(null), Object.fromEntries(names.map((name) => [name, true])))
}

/** The parser looks only at the types of a value that are not null. */
function typeOf([name, value]: readonly [string, object]): readonly string[] {
  return [name, ...Object.entries(value).flatMap(([type, content]) => (content === null ? [] : [type]))]
}

/** Builds a function that creates the parsed condition again, because dynalite changes it. */
function filling(part: unknown, nameOf: ReadonlyMap<unknown, string>): Fill {
  const name = nameOf.get(part)
  if (name !== undefined) return (values) => values[name]
  if (Array.isArray(part)) {
    const parts = part.map((element: unknown) => filling(element, nameOf))
    return (values) => parts.map((fill) => fill(values))
  }
  if (!isObject(part)) return () => part
  const fields = Object.entries(part).map(([field, value]) => [field, filling(value, nameOf)] as const)
  return (values) => {
    // Without a prototype, as in the parser's result: attribute names are fields of some objects.
    const filled: Record<string, unknown> = Object.create(null)
    for (const [field, fill] of fields) filled[field] = fill(values)
    return filled
  }
}
