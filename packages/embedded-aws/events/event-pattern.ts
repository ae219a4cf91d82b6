// Parses each event pattern once, and applies it to each event. Supports exact values, prefix, suffix, exists,
// anything-but and equals-ignore-case. Refuses any other operator by name.
// Source: Amazon EventBridge User Guide, "Creating event patterns", "Comparison operators".

import { Refusal } from '../aws-error.ts'
import type { RetryPolicy, TargetPlace } from '../delivery/deliveries.ts'
import { isObject } from '../fields.ts'
import type { TargetInput } from './target-input.ts'

/** Whether an event, as JSON, matches. */
export type EventPattern = (event: unknown) => boolean

/** A test of a value; undefined for an absent one. */
type ValueTest = (value: unknown) => boolean

const MOST_NESTED = 20

/** `where` names the pattern in refusals. Throws Refusal. */
export function parsePattern(pattern: unknown, where: string, depth = 0): EventPattern {
  if (depth > MOST_NESTED) throw new Refusal(where, `a pattern nests at most ${MOST_NESTED} deep`)
  if (!isObject(pattern)) throw new Refusal(where, 'a pattern is an object')
  const fields = Object.entries(pattern).map(([name, wanted]) => {
    const place = `${where}.${name}`
    if (name.startsWith('$')) throw new Refusal(place, 'this operator is not supported')
    return [name, Array.isArray(wanted) ? parseField(wanted, place) : parseInner(wanted, place, depth)] as const
  })
  if (fields.length === 0) throw new Refusal(where, 'an empty pattern is not allowed')
  return (event) => fields.every(([name, matches]) => matches(fieldOf(event, name)))
}

/** Matches a list in the event when one of its objects matches completely. */
function parseInner(wanted: unknown, where: string, depth: number): EventPattern {
  const matches = parsePattern(wanted, where, depth + 1)
  return (value) => (Array.isArray(value) ? value.some(matches) : matches(value))
}

/** Matches a field when one of its values matches one of the wanted ones. */
function parseField(wanted: readonly unknown[], where: string): EventPattern {
  if (wanted.length === 0) throw new Refusal(where, 'an empty list matches nothing')
  const tests = wanted.map((each, index) => parseTest(each, `${where}[${index}]`))
  return (value) => {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value]
    return tests.some((matchesValue) => values.some(matchesValue))
  }
}

function parseTest(wanted: unknown, where: string): ValueTest {
  if (!isObject(wanted)) {
    if (Array.isArray(wanted)) throw new Refusal(where, 'a list within a list is not a value')
    return (value) => value === wanted
  }
  const [operator = '', ...others] = Object.keys(wanted)
  if (others.length > 0) throw new Refusal(where, 'has more than one operator')
  const argument = wanted[operator]
  switch (operator) {
    case 'exists':
      if (typeof argument !== 'boolean') throw new Refusal(where, 'exists is true or false')
      // On AWS only leaves exist.
      return (value) => (value !== undefined && !isObject(value)) === argument
    case 'anything-but':
      return parseAnythingBut(argument, where)
    default:
      return parseTextTest(operator, argument, where)
  }
}

function parseTextTest(operator: string, argument: unknown, where: string): ValueTest {
  if (!['prefix', 'suffix', 'equals-ignore-case'].includes(operator)) {
    throw new Refusal(where, `the operator ${operator} is not supported`)
  }
  if (typeof argument !== 'string') throw new Refusal(where, `${operator} takes a string`)
  return (value) => {
    if (typeof value !== 'string') return false
    if (operator === 'prefix') return value.startsWith(argument)
    if (operator === 'suffix') return value.endsWith(argument)
    return value.toLowerCase() === argument.toLowerCase()
  }
}

/** Matches a present value that is not listed. */
function parseAnythingBut(argument: unknown, where: string): ValueTest {
  if (isObject(argument)) {
    const [operator = '', ...others] = Object.keys(argument)
    if (others.length > 0) throw new Refusal(where, 'has more than one operator')
    const isUnwanted = parseTextTest(operator, argument[operator], where)
    return (value) => typeof value === 'string' && !isUnwanted(value)
  }
  const unwanted: readonly unknown[] = Array.isArray(argument) ? argument : [argument]
  if (unwanted.length === 0 || !unwanted.every((test) => typeof test === 'string' || typeof test === 'number')) {
    throw new Refusal(where, 'anything-but takes strings or numbers')
  }
  return (value) => (typeof value === 'string' || typeof value === 'number') && !unwanted.includes(value)
}

function fieldOf(event: unknown, name: string): unknown {
  return isObject(event) && Object.hasOwn(event, name) ? event[name] : undefined
}

export interface EventBus {
  readonly name: string
  readonly arn: string
}

export interface Rule {
  readonly name: string
  readonly arn: string
  /** The bus's name. */
  readonly bus: string
  readonly isEnabled: boolean
  readonly matches: EventPattern
  readonly targets: readonly RuleTarget[]
}

export interface RuleTarget extends TargetPlace, RetryPolicy {
  readonly input: TargetInput
}
