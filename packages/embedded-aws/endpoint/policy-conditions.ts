// Evaluates the conditions of IAM statements: the supported operators, and how each compares a request's values.
// Reading a policy refuses unsupported conditions, because an ignored condition would allow too much.
// Source: IAM User Guide, "Condition operators" and "Multivalued context keys".
import type { Fields } from '../fields.ts'

/** The values that a request has for each condition key, in lower case. An absent key has no value. */
export type ConditionContext = Readonly<Record<string, string | readonly string[]>>

export interface Condition {
  /** The operator and the key, as written in the policy. */
  readonly name: string
  /** The values, as listed in the policy. */
  readonly values: readonly string[]
  holds(context: ConditionContext): boolean
  /** Returns the values that a request met. */
  met(context: ConditionContext): readonly string[]
}

interface Operator {
  /** Returns whether a request's value matches a listed one. */
  fits(listed: string): (value: string) => boolean
  /** True for an operator that holds when nothing matches. */
  readonly isNegated?: true
}

const equal: Operator = { fits: (listed) => (value) => value === listed }
const alike: Operator = { fits: (listed) => matching(listed, '') }
const truth: Operator = { fits: (listed) => (value) => value.toLowerCase() === listed.toLowerCase() }
const not = (operator: Operator): Operator => ({ ...operator, isNegated: true })

/** AWS accepts wildcards in ArnEquals as in ArnLike. */
const OPERATORS: Readonly<Record<string, Operator>> = {
  StringEquals: equal,
  StringNotEquals: not(equal),
  StringLike: alike,
  StringNotLike: not(alike),
  ArnEquals: alike,
  ArnNotEquals: not(alike),
  ArnLike: alike,
  ArnNotLike: not(alike),
  Bool: truth,
}
/** Prefixes for keys with several values: all or any of them must pass. Without a prefix, a key has one value. */
const FOR_ALL = 'ForAllValues:'
const FOR_ANY = 'ForAnyValue:'

/** Keys with several values. An operator without a prefix would be ambiguous for them. */
const OF_MANY_VALUES = ['dynamodb:leadingkeys']

/** `keys`: the keys that are sent where this policy applies, in lower case. Throws Refusal. */
export function readConditions(condition: Fields, keys: readonly string[]): readonly Condition[] {
  const found = condition.names().flatMap((operator) => {
    if (operator === 'Null') return nullConditions(condition.object(operator), keys)
    const prefix = [FOR_ALL, FOR_ANY].find((candidate) => operator.startsWith(candidate)) ?? ''
    const name = operator.slice(prefix.length)
    const known = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined
    if (known === undefined) return []
    return keyConditions(condition.object(operator), keys, { name: operator, prefix, operator: known })
  })
  // Refuses every operator that was not read.
  condition.close()
  return found
}

interface Named {
  readonly name: string
  readonly prefix: string
  readonly operator: Operator
}

function keyConditions(listed: Fields, keys: readonly string[], { name, operator, prefix }: Named): Condition[] {
  return listed.names().map((written) => {
    const key = knownKey(listed, written, keys)
    if (prefix === '' && OF_MANY_VALUES.includes(key)) {
      throw listed.refuse(written, 'has several values: name it within ForAllValues or ForAnyValue')
    }
    const values = textsOf(listed, written)
    const tests = values.map((text) => ({ text, fits: operator.fits(text) }))
    const passes = (value: string) => tests.some(({ fits }) => fits(value)) !== (operator.isNegated === true)
    return {
      name: `${name} ${written}`,
      values,
      holds(value) {
        const given = valuesOf(value, key)
        if (prefix === FOR_ALL) return given.every(passes)
        if (prefix === FOR_ANY) return given.some(passes)
        // A request without a value satisfies only negated operators.
        return given.length === 0 ? operator.isNegated === true : given.every(passes)
      },
      met(value) {
        if (operator.isNegated === true) return values
        const given = valuesOf(value, key)
        return tests.filter(({ fits }) => given.some(fits)).map(({ text }) => text)
      },
    }
  })
}

/** Reads conditions on the absence of a key. */
function nullConditions(listed: Fields, keys: readonly string[]): Condition[] {
  return listed.names().map((written) => {
    const key = knownKey(listed, written, keys)
    const values = textsOf(listed, written)
    const [isNull, ...others] = values
    if (others.length > 0 || (isNull !== 'true' && isNull !== 'false')) throw listed.refuse(written, 'true or false')
    return {
      name: `Null ${written}`,
      values,
      holds: (value) => (valuesOf(value, key).length === 0) === (isNull === 'true'),
      met: () => values,
    }
  })
}

function knownKey(listed: Fields, written: string, keys: readonly string[]): string {
  const key = written.toLowerCase()
  if (keys.includes(key)) return key
  throw listed.refuse(written, 'this condition key is not supported')
}

function valuesOf(value: ConditionContext, key: string): readonly string[] {
  return [value[key] ?? []].flat()
}

/** CloudFormation also writes true and false as booleans. */
function textsOf(listed: Fields, name: string): readonly string[] {
  const value = listed.raw(name)
  return (Array.isArray(value) ? value : [value]).map((text: unknown) => {
    if (typeof text === 'boolean') return String(text)
    if (typeof text !== 'string') throw listed.refuse(name, 'must be a string or a list of strings')
    if (text.includes('${')) throw listed.refuse(name, 'policy variables are not supported')
    return text
  })
}

/** Returns a test for a pattern: `*` stands for any characters, `?` for one. */
export function matching(text: string, flags: string): (value: string) => boolean {
  const source = text
    .replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  const wanted = new RegExp(`^${source}$`, `${flags}s`)
  return (value) => wanted.test(value)
}
