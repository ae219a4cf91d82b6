// IAM identity policies as far as the assembly uses them: Allow and Deny statements on actions
// and resources with wildcards, and StringEquals on keys that an endpoint says. Other conditions,
// principals and Not-elements are refused.
// Source: IAM User Guide, "JSON policy elements" and "Policy evaluation logic".
import { Fields } from '../fields.ts'
import { Refusal } from '../refusal.ts'
import type { Permission } from './endpoint.ts'

export interface Statement {
  readonly effect: 'Allow' | 'Deny'
  readonly actions: readonly RegExp[]
  readonly resources: readonly RegExp[]
  /** Condition keys, lower case, each with the values of which the request must have one. */
  readonly equals: ReadonlyMap<string, readonly string[]>
}

/** Condition keys that an endpoint here can say, lower case. */
const CONDITION_KEYS = ['kms:requestalias']

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
    equals: fields.has('Condition') ? conditions(fields.object('Condition')) : new Map(),
  } as const
  fields.close()
  return statement
}

function conditions(condition: Fields): ReadonlyMap<string, readonly string[]> {
  const equals = condition.object('StringEquals')
  condition.close()
  const entries = equals.names().map((name) => {
    if (!CONDITION_KEYS.includes(name.toLowerCase())) throw equals.refuse(name, 'this condition key is not supported')
    const value = equals.raw(name)
    return [name.toLowerCase(), Array.isArray(value) ? equals.list(name).map(String) : [equals.text(name)]] as const
  })
  return new Map(entries)
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
      [...statement.equals].every(([key, values]) => values.includes(permission.conditions?.[key] ?? '')),
  )
  return matching.length > 0 && matching.every((statement) => statement.effect === 'Allow')
}
