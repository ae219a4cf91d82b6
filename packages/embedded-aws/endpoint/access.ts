// Decides whether a role has a requested permission: by the role's statements, and by resources' own policies. Records
// which permissions were used. Lists used and granted permissions, so that a test can find unused ones.
import { AwsError } from '../aws-error.ts'
import { allows, contextOfFunction, isAbout, type Statement } from './access-policy.ts'
import type { Permission } from './endpoint.ts'
import type { Condition } from './policy-conditions.ts'

export interface Policies {
  readonly account: string
  /** Statements by role ARN. */
  readonly policies: ReadonlyMap<string, readonly Statement[]>
  /** Statements of permissions boundaries, by role ARN. */
  readonly boundaries?: ReadonlyMap<string, readonly Statement[]>
  /** Statements of resources' own policies, by resource ARN. */
  readonly resourcePolicies: { get(arn: string): readonly Statement[] | undefined }
}

/** A caller that acts with a role. `functionName` is the name of the role's session. */
export interface Asking {
  readonly roleArn: string
  readonly functionName: string
  /** ARN of the function whose code calls. Absent: a service acts with the role, outside of the function. */
  readonly functionArn?: string
}

/** A permission that a role asked for without having it. */
export interface Denied extends Permission {
  readonly roleArn: string
}

/** Maximum denials kept. The first ones show what is missing. */
const MOST_DENIED = 1_000

/**
 * The root user may always do this, so that nobody locks the account out. DynamoDB API Reference, DeleteResourcePolicy.
 */
const ROOT_MAY_ALWAYS = 'dynamodb:DeleteResourcePolicy'

export class Access {
  readonly #policies: Policies
  readonly #used = new Set<string>()
  readonly #denied: Denied[] = []

  constructor(policies: Policies) {
    this.#policies = policies
  }

  /**
   * Throws AwsError when the caller lacks the permission. `asking`: absent for the administrator, who may do everything
   * that no resource denies.
   */
  authorise(asking: Asking | undefined, permission: Permission): void {
    const statements = (asking && this.#policies.policies.get(asking.roleArn)) ?? []
    const user = asking === undefined ? `arn:aws:iam::${this.#policies.account}:root` : sessionOf(asking)
    const conditions = { ...permission.conditions, ...contextOfFunction(asking?.functionArn) }
    const requested = { ...permission, conditions }
    if (asking !== undefined && !allows(statements, requested)) {
      if (this.#denied.length < MOST_DENIED) this.#denied.push({ roleArn: asking.roleArn, ...permission })
      throw refusal(user, permission, reasonOf(statements, requested))
    }
    const boundary = asking && this.#policies.boundaries?.get(asking.roleArn)
    if (boundary !== undefined && !allows(boundary, requested)) {
      throw refusal(user, permission, `because no permissions boundary allows the ${permission.action} action`)
    }
    const isOfRoot = asking === undefined && permission.action === ROOT_MAY_ALWAYS
    if (!isOfRoot && this.#isDeniedByResource(asking?.roleArn ?? user, permission)) {
      throw refusal(user, permission, 'with an explicit deny in a resource-based policy')
    }
    if (asking === undefined) return
    for (const granted of usedOf(asking.roleArn, statements, requested)) this.#used.add(keyOf(granted))
  }

  /** Returns the permissions that no role has used since the boot. */
  unused(): readonly Granted[] {
    return [...this.#policies.policies]
      .flatMap(([roleArn, statements]) => grantedBy(roleArn, statements))
      .filter((granted) => !this.#used.has(keyOf(granted)))
  }

  /** Returns the requests that were denied to roles since the boot. */
  denied(): readonly Denied[] {
    return [...this.#denied]
  }

  #isDeniedByResource(principalArn: string, permission: Permission): boolean {
    // An index belongs to its table.
    const owner = permission.resource.replace(/\/index\/.*$/, '')
    const requested = { ...permission, conditions: { ...permission.conditions, 'aws:principalarn': principalArn } }
    return (this.#policies.resourcePolicies.get(owner) ?? []).some((statement) => isAbout(statement, requested))
  }
}

/** Returns IAM's reason, which distinguishes a Deny from a missing Allow. */
function reasonOf(statements: readonly Statement[], requested: Permission): string {
  const isDenied = statements.some((statement) => statement.effect === 'Deny' && isAbout(statement, requested))
  if (isDenied) return 'with an explicit deny in an identity-based policy'
  return `because no identity-based policy allows the ${requested.action} action`
}

/** Returns IAM's ARN for a role in use. */
function sessionOf({ functionName, roleArn }: Asking): string {
  const [, partition, , , account, role = ''] = roleArn.split(':')
  // The ARN of a session has no path.
  return `arn:${partition}:sts::${account}:assumed-role/${role.slice(role.lastIndexOf('/') + 1)}/${functionName}`
}

/** Returns IAM's error for a denied permission. */
function refusal(user: string, { action, resource }: Permission, why: string): AwsError {
  const message = `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${why}`
  return new AwsError('AccessDeniedException', message)
}

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
