// What single permissions the statements of roles grant, and which of them a call has made use of: so that a test can
// say which of them nothing needs. It decides nothing.
import { isAbout, type Statement } from './access-policy.ts'
import type { Permission } from './endpoint.ts'
import type { Condition } from './policy-conditions.ts'

/** One action on one resource under one value of each condition, as the policy writes them. */
export interface Granted {
  readonly roleArn: string
  readonly action: string
  readonly resource: string
  /** Such as `ForAllValues:StringLike dynamodb:LeadingKeys = I#*`; empty without conditions. */
  readonly conditions: readonly string[]
}

/** Every permission that the Allow statements of a role grant. */
export function grantedBy(roleArn: string, statements: readonly Statement[]): readonly Granted[] {
  return statements.flatMap((statement) => {
    if (statement.effect === 'Deny') return []
    const { actions, conditions, resources } = statement
    const chosen = choices(conditions.map((condition) => worded(condition, condition.values)))
    return product(roleArn, texts(actions), texts(resources), chosen)
  })
}

/** Those that allowed what was asked for. */
export function usedOf(roleArn: string, statements: readonly Statement[], permission: Permission): readonly Granted[] {
  return statements.flatMap((statement) => {
    if (statement.effect === 'Deny' || !isAbout(statement, permission)) return []
    const actions = statement.actions.filter(({ fits }) => fits(permission.action))
    const resources = statement.resources.filter(({ fits }) => fits(permission.resource))
    const met = statement.conditions.map((condition) => worded(condition, condition.met(permission.conditions ?? {})))
    return product(roleArn, texts(actions), texts(resources), choices(met))
  })
}

export function wordOf({ action, conditions, resource, roleArn }: Granted): string {
  return JSON.stringify([roleArn, action, resource, conditions])
}

function product(
  roleArn: string,
  actions: readonly string[],
  resources: readonly string[],
  chosen: readonly (readonly string[])[],
): readonly Granted[] {
  return actions.flatMap((action) =>
    resources.flatMap((resource) => chosen.map((conditions) => ({ roleArn, action, resource, conditions }))),
  )
}

/** One of each list, in every way. */
function choices(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.reduce<readonly (readonly string[])[]>(
    (chosen, list) => chosen.flatMap((before) => list.map((text) => [...before, text])),
    [[]],
  )
}

function worded({ name }: Condition, values: readonly string[]): readonly string[] {
  return values.map((value) => `${name} = ${value}`)
}

function texts(patterns: readonly { readonly text: string }[]): readonly string[] {
  return patterns.map(({ text }) => text)
}
