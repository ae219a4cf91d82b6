// Parses each Choice rule once into a test, and applies the test to each execution. Supports every comparison operator
// of the States Language, the Path variants, And, Or and Not.
// Source: Amazon States Language, "Choice State".

import { Refusal } from '../aws-error.ts'
import type { Fields } from '../fields.ts'
import { definitionFields } from '../fields.ts'
import { findTimestamp, type Json, StateFailure, StatesError } from './json.ts'
import { findAt, type Path, PathError, parsePath, type Scope } from './path.ts'

/** Returns true or false. Throws StateFailure States.Runtime when the rule's path finds no value. */
export type Test = (scope: Scope) => boolean

type Comparison = (order: number) => boolean

const COMPARISONS: Readonly<Record<string, Comparison>> = {
  Equals: (order) => order === 0,
  LessThan: (order) => order < 0,
  GreaterThan: (order) => order > 0,
  LessThanEquals: (order) => order <= 0,
  GreaterThanEquals: (order) => order >= 0,
}

/** Compares two values of a family. Returns undefined when one of them is not of the family. */
const FAMILIES: Readonly<Record<string, (left: Json, right: Json) => number | undefined>> = {
  String: (left, right) => (typeof left === 'string' && typeof right === 'string' ? order(left, right) : undefined),
  Numeric: (left, right) => (typeof left === 'number' && typeof right === 'number' ? order(left, right) : undefined),
  Boolean: (left, right) =>
    typeof left === 'boolean' && typeof right === 'boolean' ? order(Number(left), Number(right)) : undefined,
  Timestamp: (left, right) => {
    const [leftTime, rightTime] = [findTimestamp(left), findTimestamp(right)]
    return leftTime === undefined || rightTime === undefined ? undefined : order(leftTime, rightTime)
  },
}

const TYPE_TESTS: Readonly<Record<string, (value: Json) => boolean>> = {
  IsNull: (value) => value === null,
  IsString: (value) => typeof value === 'string',
  IsNumeric: (value) => typeof value === 'number',
  IsBoolean: (value) => typeof value === 'boolean',
  IsTimestamp: (value) => findTimestamp(value) !== undefined,
}

const COMPARISON_NAME =
  /^(?:(String|Numeric|Timestamp)(Equals|LessThan|GreaterThan|LessThanEquals|GreaterThanEquals)|(Boolean)(Equals))(Path)?$/

const MOST_NESTED = 20

/** Parses the test of a rule whose `Next` and `Comment` the caller has read. Throws Refusal. */
export function parseTest(rule: Fields, depth = 0): Test {
  if (depth > MOST_NESTED) throw new Refusal(rule.where, `And, Or and Not nest more than ${MOST_NESTED} deep`)
  const nested = (value: unknown, where: string) => {
    const fields = definitionFields(value, where)
    const test = parseTest(fields, depth + 1)
    fields.close()
    return test
  }
  const nestedList = (name: string) => {
    const rules = rule.list(name)
    if (rules.length === 0) throw rule.refuse(name, 'must hold at least one rule')
    return rules.map((value, index) => nested(value, `${rule.where}.${name}[${index}]`))
  }
  if (rule.has('And')) {
    const tests = nestedList('And')
    return (scope) => tests.every((test) => test(scope))
  }
  if (rule.has('Or')) {
    const tests = nestedList('Or')
    return (scope) => tests.some((test) => test(scope))
  }
  if (rule.has('Not')) {
    const test = nested(rule.raw('Not'), `${rule.where}.Not`)
    return (scope) => !test(scope)
  }
  return parseComparison(rule)
}

function parseComparison(rule: Fields): Test {
  const variable = parseVariable(rule, 'Variable')
  const operators = rule.names().filter((name) => !['Variable', 'Next', 'Comment'].includes(name))
  const [operator, another] = operators
  if (operator === undefined) throw new Refusal(rule.where, 'a comparison operator is missing')
  if (another !== undefined) throw rule.refuse(another, 'a rule has only one comparison operator')

  if (operator === 'IsPresent') {
    const wanted = rule.findFlag(operator)
    return (scope) => (findAt(variable, scope) !== undefined) === wanted
  }
  const typeTest = Object.hasOwn(TYPE_TESTS, operator) ? TYPE_TESTS[operator] : undefined
  if (typeTest !== undefined) {
    const wanted = rule.findFlag(operator)
    return (scope) => typeTest(compared(variable, scope)) === wanted
  }
  if (operator === 'StringMatches') {
    const pattern = parsePattern(rule.text(operator), rule)
    return (scope) => {
      const value = compared(variable, scope)
      return typeof value === 'string' && pattern.test(value)
    }
  }
  return parseOrdering(rule, operator, variable)
}

function parseOrdering(rule: Fields, operator: string, variable: Path): Test {
  const match = COMPARISON_NAME.exec(operator)
  const family = FAMILIES[match?.[1] ?? match?.[3] ?? '']
  const comparison = COMPARISONS[match?.[2] ?? match?.[4] ?? '']
  if (match === null || family === undefined || comparison === undefined) {
    throw rule.refuse(operator, 'is not a comparison operator')
  }
  const holds = (left: Json, right: Json) => {
    const result = family(left, right)
    return result !== undefined && comparison(result)
  }
  if (match[5] !== undefined) {
    const other = parseVariable(rule, operator)
    return (scope) => holds(compared(variable, scope), compared(other, scope))
  }
  // A definition is JSON, so each value in it is JSON.
  const constant = rule.raw(operator) as Json
  if (family(constant, constant) === undefined) throw rule.refuse(operator, 'has a value of another type')
  return (scope) => holds(compared(variable, scope), constant)
}

function parseVariable(rule: Fields, name: string): Path {
  try {
    return parsePath(rule.text(name))
  } catch (error) {
    if (error instanceof PathError) throw rule.refuse(name, error.message)
    throw error
  }
}

function compared(path: Path, scope: Scope): Json {
  const value = findAt(path, scope)
  if (value !== undefined) return value
  throw new StateFailure(
    StatesError.Runtime,
    `Invalid path '${path.text}': The choice state's condition path references an invalid value.`,
  )
}

/** `*` stands for any characters, `\*` for a star and `\\` for a backslash. */
function parsePattern(pattern: string, rule: Fields): RegExp {
  let source = ''
  for (let at = 0; at < pattern.length; at++) {
    const character = pattern.charAt(at)
    if (character === '*') {
      source += '.*'
    } else if (character === '\\') {
      const escaped = pattern[++at]
      if (escaped !== '*' && escaped !== '\\') throw rule.refuse('StringMatches', 'escapes only \\* and \\\\')
      source += `\\${escaped}`
    } else {
      source += character.replace(/[\\^$.*+?()[\]{}|]/, '\\$&')
    }
  }
  return new RegExp(`^${source}$`, 's')
}

function order<T extends string | number | bigint>(left: T, right: T): number {
  return left < right ? -1 : left > right ? 1 : 0
}
