// Evaluates IAM policies, as far as assemblies use them: Allow and Deny statements on actions and resources with
// wildcards, and conditions on keys that an endpoint sends (policy-conditions.ts). Refuses other conditions,
// Not-elements, and principals outside a resource's own policy.
// Source: IAM User Guide, "JSON policy elements" and "Policy evaluation logic".

import { Refusal } from '../aws-error.ts'
import { Fields, isObject } from '../fields.ts'
import type { Permission } from './endpoint.ts'
import { type Condition, type ConditionContext, matching, readConditions } from './policy-conditions.ts'

export interface Statement {
  readonly effect: 'Allow' | 'Deny'
  readonly actions: readonly Pattern[]
  readonly resources: readonly Pattern[]
  readonly conditions: readonly Condition[]
}

interface Pattern {
  readonly text: string
  readonly fits: (value: string) => boolean
}

/** Condition keys that an endpoint here can send, in lower case. */
const CONDITION_KEYS = [
  ...['dynamodb:leadingkeys', 'kms:requestalias', 'kms:viaservice', 'events:source', 'events:detail-type'],
  // Only AWS Backup makes grants for AWS resources, and it does not exist here, so no request sends this key.
  'kms:grantisforawsresource',
]
/** A condition key for policies of roles only. AWS does not send it for a resource's own policy. */
const SOURCE_FUNCTION = 'lambda:sourcefunctionarn'
/** Condition keys about the caller, for a resource's own policy. */
const OF_CALLERS = ['aws:principalarn']

/** Parses the policy document of a role. Throws Refusal. */
export function parsePolicy(document: unknown, where: string): readonly Statement[] {
  return statementsOf(document, where).map((fields) => {
    const statement = readStatement(fields, [...CONDITION_KEYS, SOURCE_FUNCTION])
    fields.close()
    return statement
  })
}

/** Returns the condition keys that a request of the function's code adds for its role's policies. */
export function contextOfFunction(functionArn: string | undefined): ConditionContext {
  return functionArn === undefined ? {} : { [SOURCE_FUNCTION]: functionArn }
}

/** Parses a resource's own policy. Within one account only its denials matter here. Throws Refusal. */
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

/** Whether the statements allow the permission. A Deny overrides every Allow, and without an Allow the answer is no. */
export function allows(statements: readonly Statement[], permission: Permission): boolean {
  const about = statements.filter((statement) => isAbout(statement, permission))
  return about.length > 0 && about.every(({ effect }) => effect === 'Allow')
}

/** Whether a statement applies to the requested permission. */
export function isAbout({ actions, conditions, resources }: Statement, permission: Permission): boolean {
  return (
    actions.some(({ fits }) => fits(permission.action)) &&
    resources.some(({ fits }) => fits(permission.resource)) &&
    conditions.every((condition) => condition.holds(permission.conditions ?? {}))
  )
}
