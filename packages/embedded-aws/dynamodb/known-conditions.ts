// Conditions that dynalite has parsed before. Its parser takes some 0.2 ms for a condition of a few clauses, and those
// who write use the same ones again with other values. What is kept is a condition that was found good; what the parser
// says of any other, it says anew. A condition whose goodness depends on the values themselves, and not only on their
// types, is never kept.
import { createRequire } from 'node:module'
import { isObject } from '../fields.ts'

type Attributes = Readonly<Record<string, object>>

/** What dynalite hands its parser: the parser deletes what it has met from the two that are unused. */
interface Context {
  readonly attrNames?: Readonly<Record<string, string>> | null
  readonly attrVals?: Attributes | null
  readonly unusedAttrNames: Record<string, boolean>
  readonly unusedAttrVals: Record<string, boolean>
  readonly isKeyCondition?: boolean
}

export interface ConditionParser {
  /** A text is a refusal. Throws where the condition is none. */
  parse(condition: string, options: { readonly context: Context }): unknown
}

/** Filled with the values of one request, it is what the parser gives. */
type Fill = (values: Attributes) => unknown

interface Known {
  readonly fill: Fill
  readonly names: readonly string[]
  readonly values: readonly string[]
}

/** A program has a few dozen. */
const MOST_KNOWN = 500
/** Of the text with its names and types. */
const LONGEST_KNOWN = 8_192
/** BETWEEN compares its bounds, and attribute_type reads its operand. */
const BY_VALUE = /between|attribute_type/i

const require = createRequire(import.meta.url)

/** Does it for this process: dynalite looks for its parser in one place. */
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

/** Whichever expressions of the request come before, what this one makes use of is the same. */
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
  // The request is refused, whatever was left unused.
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

/** What the parser asks of a value: its types that are not null. */
function typeOf([name, value]: readonly [string, object]): readonly string[] {
  return [name, ...Object.entries(value).flatMap(([type, content]) => (content === null ? [] : [type]))]
}

/** Made anew at each filling, because dynalite changes what it has parsed. */
function filling(part: unknown, nameOf: ReadonlyMap<unknown, string>): Fill {
  const name = nameOf.get(part)
  if (name !== undefined) return (values) => values[name]
  if (Array.isArray(part)) {
    const parts = part.map((each: unknown) => filling(each, nameOf))
    return (values) => parts.map((fill) => fill(values))
  }
  if (!isObject(part)) return () => part
  const fields = Object.entries(part).map(([field, value]) => [field, filling(value, nameOf)] as const)
  return (values) => {
    // As the parser's: names of attributes are fields of some, and no field of theirs is everybody's.
    const filled: Record<string, unknown> = Object.create(null)
    for (const [field, fill] of fields) filled[field] = fill(values)
    return filled
  }
}
