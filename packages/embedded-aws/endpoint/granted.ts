// Lists the single permissions that roles' statements grant, and those that calls have used, so that a test can find
// unused ones. It decides nothing.
import { isAbout, type Statement } from './access-policy.ts'
import type { Permission } from './endpoint.ts'
import type { Condition } from './policy-conditions.ts'

/** One action on one resource with one value for each condition, as written in the policy. */
export interface Granted {
  readonly roleArn: string
  readonly action: string
  readonly resource: string
  /** Texts such as `ForAllValues:StringLike dynamodb:LeadingKeys = I#*`. Empty without conditions. */
  readonly conditions: readonly string[]
}

/** Returns every permission that the Allow statements of a role grant. */
export function grantedBy(roleArn: string, statements: readonly Statement[]): readonly Granted[] {
  return statements.flatMap((statement) => {
    if (statement.effect === 'Deny') return []
    const { actions, conditions, resources } = statement
    const chosen = choices(conditions.map((condition) => described(condition, condition.values)))
    return product(roleArn, texts(actions), texts(resources), chosen)
  })
}

/** Returns the permissions that allowed the request. */
export function usedOf(roleArn: string, statements: readonly Statement[], permission: Permission): readonly Granted[] {
  return statements.flatMap((statement) => {
    if (statement.effect === 'Deny' || !isAbout(statement, permission)) return []
    const actions = statement.actions.filter(({ fits }) => fits(permission.action))
    const resources = statement.resources.filter(({ fits }) => fits(permission.resource))
    const met = statement.conditions.map((condition) =>
      described(condition, condition.met(permission.conditions ?? {})),
    )
    return product(roleArn, texts(actions), texts(resources), choices(met))
  })
}

export function keyOf({ action, conditions, resource, roleArn }: Granted): string {
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

/** Returns every combination with one element of each list. */
function choices(lists: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return lists.reduce<readonly (readonly string[])[]>(
    (chosen, list) => chosen.flatMap((earlier) => list.map((text) => [...earlier, text])),
    [[]],
  )
}

function described({ name }: Condition, values: readonly string[]): readonly string[] {
  return values.map((value) => `${name} = ${value}`)
}

function texts(patterns: readonly { readonly text: string }[]): readonly string[] {
  return patterns.map(({ text }) => text)
}
