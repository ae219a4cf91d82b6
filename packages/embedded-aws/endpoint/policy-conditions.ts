// The conditions of IAM statements: the operators that are known here, and what each makes of the values of a request.
// What is not known is refused when a policy is read: a condition that nobody looks at would allow too much.
// Source: IAM User Guide, "Condition operators" and "Multivalued context keys".
import type { Fields } from '../fields.ts'

/** What a request says of each condition key, by the key in lower case. Absent: it says nothing of it. */
export type Said = Readonly<Record<string, string | readonly string[]>>

export interface Condition {
  /** As the policy writes it: the operator and the key. */
  readonly name: string
  /** As the policy lists them. */
  readonly values: readonly string[]
  holds(said: Said): boolean
  /** Those of its values that a request met. */
  met(said: Said): readonly string[]
}

interface Operator {
  /** Whether a value of the request fits one that is listed. */
  fits(listed: string): (said: string) => boolean
  /** It holds where nothing fits. */
  readonly isNegated?: true
}

const equal: Operator = { fits: (listed) => (said) => said === listed }
const alike: Operator = { fits: (listed) => matching(listed, '') }
const truth: Operator = { fits: (listed) => (said) => said.toLowerCase() === listed.toLowerCase() }
const not = (operator: Operator): Operator => ({ ...operator, isNegated: true })

/** AWS takes wildcards in ArnEquals as in ArnLike. */
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
/** How many of a request's values must pass. Without a prefix, its one value. */
const FOR_ALL = 'ForAllValues:'
const FOR_ANY = 'ForAnyValue:'

/** Keys of which a request may say several values: an operator without a prefix would mean nothing certain. */
const OF_MANY_VALUES = ['dynamodb:leadingkeys']

/** `keys`: those that are said where this policy counts, in lower case. Throws Refusal. */
export function readConditions(condition: Fields, keys: readonly string[]): readonly Condition[] {
  const found = condition.names().flatMap((operator) => {
    if (operator === 'Null') return nullConditions(condition.object(operator), keys)
    const prefix = [FOR_ALL, FOR_ANY].find((each) => operator.startsWith(each)) ?? ''
    const name = operator.slice(prefix.length)
    const known = Object.hasOwn(OPERATORS, name) ? OPERATORS[name] : undefined
    if (known === undefined) return []
    return keyConditions(condition.object(operator), keys, { name: operator, prefix, operator: known })
  })
  // Refuses every operator that nobody has read.
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
      holds(said) {
        const given = valuesOf(said, key)
        if (prefix === FOR_ALL) return given.every(passes)
        if (prefix === FOR_ANY) return given.some(passes)
        // A request that says nothing satisfies what is negated, and nothing else.
        return given.length === 0 ? operator.isNegated === true : given.every(passes)
      },
      met(said) {
        if (operator.isNegated === true) return values
        const given = valuesOf(said, key)
        return tests.filter(({ fits }) => given.some(fits)).map(({ text }) => text)
      },
    }
  })
}

/** Whether a request says nothing of a key. */
function nullConditions(listed: Fields, keys: readonly string[]): Condition[] {
  return listed.names().map((written) => {
    const key = knownKey(listed, written, keys)
    const values = textsOf(listed, written)
    const [isNull, ...others] = values
    if (others.length > 0 || (isNull !== 'true' && isNull !== 'false')) throw listed.refuse(written, 'true or false')
    return {
      name: `Null ${written}`,
      values,
      holds: (said) => (valuesOf(said, key).length === 0) === (isNull === 'true'),
      met: () => values,
    }
  })
}

function knownKey(listed: Fields, written: string, keys: readonly string[]): string {
  const key = written.toLowerCase()
  if (keys.includes(key)) return key
  throw listed.refuse(written, 'this condition key is not supported')
}

function valuesOf(said: Said, key: string): readonly string[] {
  return [said[key] ?? []].flat()
}

/** CloudFormation writes true and false as they are, too. */
function textsOf(listed: Fields, name: string): readonly string[] {
  const value = listed.raw(name)
  return (Array.isArray(value) ? value : [value]).map((text: unknown) => {
    if (typeof text === 'boolean') return String(text)
    if (typeof text !== 'string') throw listed.refuse(name, 'must be a string or a list of strings')
    if (text.includes('${')) throw listed.refuse(name, 'policy variables are not supported')
    return text
  })
}

/** `*` stands for any characters, `?` for one. */
export function matching(text: string, flags: string): (said: string) => boolean {
  const source = text
    .replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  const wanted = new RegExp(`^${source}$`, `${flags}s`)
  return (said) => wanted.test(said)
}
