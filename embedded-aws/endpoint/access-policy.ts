// IAM identity policies as far as the assembly uses them: Allow and Deny statements on actions
// and resources with wildcards, and StringEquals and StringLike, also ForAllValues, on keys that an endpoint
// says. Other conditions, principals and Not-elements are refused.
// Source: IAM User Guide, "JSON policy elements" and "Policy evaluation logic".
import { Fields } from '../fields.ts'
import { Refusal } from '../refusal.ts'
import type { Permission } from './endpoint.ts'

export interface Statement {
  readonly effect: 'Allow' | 'Deny'
  readonly actions: readonly RegExp[]
  readonly resources: readonly RegExp[]
  readonly conditions: readonly KeyCondition[]
}

interface KeyCondition {
  /** Lower case. */
  readonly key: string
  /** What the request has must pass one of these. */
  readonly tests: readonly ((said: string) => boolean)[]
  /** Whether a request that does not have the key satisfies it. */
  readonly holdsWithout: boolean
}

/** Condition keys that an endpoint here can say, lower case. */
const CONDITION_KEYS = ['dynamodb:leadingkeys', 'kms:requestalias']
/** The operators known, whether they take wildcards, and whether they hold where the key is absent: of no values, all match. */
const OPERATORS = {
  StringEquals: { isLike: false, holdsWithout: false },
  StringLike: { isLike: true, holdsWithout: false },
  'ForAllValues:StringEquals': { isLike: false, holdsWithout: true },
  'ForAllValues:StringLike': { isLike: true, holdsWithout: true },
} as const

type Operator = (typeof OPERATORS)[keyof typeof OPERATORS]

/** Statements of a resolved policy document. Throws Refusal. */
export function parsePolicy(document: unknown, where: string): readonly Statement[] {
  const fields = new Fields(document, where)
  fields.ignore(['Version', 'Id'])
  const statements = fields.raw('Statement')
  fields.close()
  return (Array.isArray(statements) ? statements : [statements]).map((statement, index) =>
    parseStatement(statement, `${where}.Statement[${index}]`),
  )
}

function parseStatement(value: unknown, where: string): Statement {
  const fields = new Fields(value, where).ignore(['Sid'])
  const effect = fields.text('Effect')
  if (effect !== 'Allow' && effect !== 'Deny') throw fields.refuse('Effect', 'must be Allow or Deny')
  const statement = {
    effect,
    actions: patterns(fields, 'Action', 'i'),
    resources: patterns(fields, 'Resource', ''),
    conditions: fields.has('Condition') ? conditions(fields.object('Condition')) : [],
  } as const
  fields.close()
  return statement
}

function conditions(condition: Fields): readonly KeyCondition[] {
  const found = Object.entries(OPERATORS).flatMap(([name, operator]) =>
    condition.has(name) ? keyConditions(condition.object(name), operator) : [],
  )
  condition.close()
  return found
}

function keyConditions(keys: Fields, { holdsWithout, isLike }: Operator): KeyCondition[] {
  return keys.names().map((name) => {
    const key = name.toLowerCase()
    if (!CONDITION_KEYS.includes(key)) throw keys.refuse(name, 'this condition key is not supported')
    const value = keys.raw(name)
    const texts = Array.isArray(value) ? keys.list(name).map(String) : [keys.text(name)]
    return { key, tests: texts.map((text) => testOf(text, isLike)), holdsWithout }
  })
}

function testOf(text: string, isLike: boolean): (said: string) => boolean {
  if (!isLike) return (said) => said === text
  const wanted = pattern(text, '')
  return (said) => wanted.test(said)
}

function holds({ key, tests, holdsWithout }: KeyCondition, { conditions = {} }: Permission): boolean {
  const said = conditions[key]
  return said === undefined ? holdsWithout : tests.some((test) => test(said))
}

function patterns(fields: Fields, name: string, flags: string): readonly RegExp[] {
  const value = fields.raw(name)
  return (Array.isArray(value) ? value : [value]).map((text: unknown) => {
    if (typeof text === 'string') return pattern(text, flags)
    throw new Refusal(`${fields.where}.${name}`, 'must be a string or a list of strings')
  })
}

function pattern(text: string, flags: string): RegExp {
  const source = text
    .replaceAll(/[\\^$.+()[\]{}|]/g, '\\$&')
    .replaceAll('*', '.*')
    .replaceAll('?', '.')
  return new RegExp(`^${source}$`, `${flags}s`)
}

/** A Deny wins over every Allow; without an Allow the answer is no. */
export function allows(statements: readonly Statement[], permission: Permission): boolean {
  const matching = statements.filter(
    (statement) =>
      statement.actions.some((action) => action.test(permission.action)) &&
      statement.resources.some((resource) => resource.test(permission.resource)) &&
      statement.conditions.every((condition) => holds(condition, permission)),
  )
  return matching.length > 0 && matching.every((statement) => statement.effect === 'Allow')
}
