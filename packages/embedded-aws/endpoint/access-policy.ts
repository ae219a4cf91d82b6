// IAM policies as far as the assembly uses them: Allow and Deny statements on actions and resources with wildcards, and
// conditions on keys that an endpoint says (policy-conditions.ts). Other conditions and Not-elements are refused, and
// principals outside a resource's own policy.
// Source: IAM User Guide, "JSON policy elements" and "Policy evaluation logic".
import { Fields, isObject } from '../fields.ts'
import { Refusal } from '../refusal.ts'
import type { Permission } from './endpoint.ts'
import { type Condition, matching, readConditions, type Said } from './policy-conditions.ts'

export interface Statement {
  readonly effect: 'Allow' | 'Deny'
  readonly actions: readonly Pattern[]
  readonly resources: readonly Pattern[]
  readonly conditions: readonly Condition[]
}

interface Pattern {
  readonly text: string
  readonly fits: (said: string) => boolean
}

/** Condition keys that an endpoint here can say, lower case. */
const CONDITION_KEYS = [
  ...['dynamodb:leadingkeys', 'kms:requestalias', 'kms:viaservice', 'events:source', 'events:detail-type'],
  // Grants are made by AWS Backup, of which there is none here: no request says this.
  'kms:grantisforawsresource',
]
/** Condition key of the policies of roles: AWS does not say it where a resource has a policy of its own. */
const SOURCE_FUNCTION = 'lambda:sourcefunctionarn'
/** Those that are said of a caller where a resource has a policy of its own. */
const OF_CALLERS = ['aws:principalarn']

/** Statements of a resolved policy document of a role. Throws Refusal. */
export function parsePolicy(document: unknown, where: string): readonly Statement[] {
  return statementsOf(document, where).map((fields) => {
    const statement = readStatement(fields, [...CONDITION_KEYS, SOURCE_FUNCTION])
    fields.close()
    return statement
  })
}

/** What a request of the function's code says of itself, for the policies of its role. */
export function saidOfFunction(functionArn: string | undefined): Said {
  return functionArn === undefined ? {} : { [SOURCE_FUNCTION]: functionArn }
}

/** Statements of a resource's own policy. Within one account it matters here where it denies. Throws Refusal. */
export function parseResourcePolicy(document: unknown, where: string): readonly Statement[] {
  return statementsOf(document, where).map((fields) => {
    if (fields.raw('Effect') !== 'Deny')
      throw fields.refuse('Effect', 'only Deny is supported in a policy of a resource')
    const principal = fields.raw('Principal')
    const isAnybody = principal === '*' || (isObject(principal) && JSON.stringify(principal) === '{"AWS":"*"}')
    if (!isAnybody) throw fields.refuse('Principal', 'only * is supported: name callers by aws:PrincipalArn')
    const statement = readStatement(fields, [...CONDITION_KEYS, ...OF_CALLERS])
    fields.close()
    return statement
  })
}

function statementsOf(document: unknown, where: string): readonly Fields[] {
  const fields = new Fields(document, where)
  fields.ignore(['Version', 'Id'])
  const statements = fields.raw('Statement')
  fields.close()
  return (Array.isArray(statements) ? statements : [statements]).map((statement, index) =>
    new Fields(statement, `${where}.Statement[${index}]`).ignore(['Sid']),
  )
}

function readStatement(fields: Fields, keys: readonly string[]): Statement {
  const effect = fields.text('Effect')
  if (effect !== 'Allow' && effect !== 'Deny') throw fields.refuse('Effect', 'must be Allow or Deny')
  return {
    effect,
    actions: patterns(fields, 'Action', 'i'),
    resources: patterns(fields, 'Resource', ''),
    conditions: fields.has('Condition') ? readConditions(fields.object('Condition'), keys) : [],
  }
}

function patterns(fields: Fields, name: string, flags: string): readonly Pattern[] {
  const value = fields.raw(name)
  return (Array.isArray(value) ? value : [value]).map((text: unknown) => {
    if (typeof text !== 'string') {
      throw new Refusal(`${fields.where}.${name}`, 'must be a string or a list of strings')
    }
    if (text.includes('${')) throw fields.refuse(name, 'policy variables are not supported')
    return { text, fits: matching(text, flags) }
  })
}

/** A Deny wins over every Allow; without an Allow the answer is no. */
export function allows(statements: readonly Statement[], permission: Permission): boolean {
  const about = statements.filter((statement) => isAbout(statement, permission))
  return about.length > 0 && about.every(({ effect }) => effect === 'Allow')
}

/** Whether a statement applies to what is asked for. */
export function isAbout({ actions, conditions, resources }: Statement, permission: Permission): boolean {
  return (
    actions.some(({ fits }) => fits(permission.action)) &&
    resources.some(({ fits }) => fits(permission.resource)) &&
    conditions.every((condition) => condition.holds(permission.conditions ?? {}))
  )
}
