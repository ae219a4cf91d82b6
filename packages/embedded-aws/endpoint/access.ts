// Decides whether a role may do what it asks for: by the statements of the role, and by the policies that resources have
// of their own. Keeps count of which permissions were made use of.
import { AwsError } from '../aws-error.ts'
import { allows, isAbout, type Statement, saidOfFunction } from './access-policy.ts'
import type { Permission } from './endpoint.ts'
import { type Granted, grantedBy, usedOf, wordOf } from './granted.ts'

export interface Policies {
  readonly account: string
  /** Statements by role ARN. */
  readonly policies: ReadonlyMap<string, readonly Statement[]>
  /** Of resources with a policy of their own, by ARN. */
  readonly resourcePolicies: { get(arn: string): readonly Statement[] | undefined }
}

/** Who asks in the name of a role: the name is that of the role's session. */
export interface Asking {
  readonly roleArn: string
  readonly functionName: string
  /** Of the function whose code asks. Absent: a service asks in the name of the role, outside of the function. */
  readonly functionArn?: string
}

/** What a role asked for, and may not do. */
export interface Denied extends Permission {
  readonly roleArn: string
}

/** Denials that are kept: the first ones are enough to see what is missing. */
const MOST_DENIED = 1_000

/** So that nobody locks himself out. DynamoDB API Reference, DeleteResourcePolicy. */
const ROOT_MAY_ALWAYS = 'dynamodb:DeleteResourcePolicy'

export class Access {
  readonly #policies: Policies
  readonly #used = new Set<string>()
  readonly #denied: Denied[] = []

  constructor(policies: Policies) {
    this.#policies = policies
  }

  /** `asking`: absent for the account's administrator, who may do everything that no resource denies. Throws AwsError. */
  authorise(asking: Asking | undefined, permission: Permission): void {
    const statements = (asking && this.#policies.policies.get(asking.roleArn)) ?? []
    const user = asking === undefined ? `arn:aws:iam::${this.#policies.account}:root` : sessionOf(asking)
    const conditions = { ...permission.conditions, ...saidOfFunction(asking?.functionArn) }
    const asked = { ...permission, conditions }
    if (asking !== undefined && !allows(statements, asked)) {
      if (this.#denied.length < MOST_DENIED) this.#denied.push({ roleArn: asking.roleArn, ...permission })
      throw refusal(user, permission, reasonOf(statements, asked))
    }
    const isOfRoot = asking === undefined && permission.action === ROOT_MAY_ALWAYS
    if (!isOfRoot && this.#isDeniedByResource(asking?.roleArn ?? user, permission)) {
      throw refusal(user, permission, 'with an explicit deny in a resource-based policy')
    }
    if (asking === undefined) return
    for (const granted of usedOf(asking.roleArn, statements, asked)) this.#used.add(wordOf(granted))
  }

  /** What roles may do and have not done since the boot. */
  unused(): readonly Granted[] {
    return [...this.#policies.policies]
      .flatMap(([roleArn, statements]) => grantedBy(roleArn, statements))
      .filter((granted) => !this.#used.has(wordOf(granted)))
  }

  /** What roles have asked for in vain since the boot. */
  denied(): readonly Denied[] {
    return [...this.#denied]
  }

  #isDeniedByResource(principalArn: string, permission: Permission): boolean {
    // An index is part of its table.
    const owner = permission.resource.replace(/\/index\/.*$/, '')
    const asked = { ...permission, conditions: { ...permission.conditions, 'aws:principalarn': principalArn } }
    return (this.#policies.resourcePolicies.get(owner) ?? []).some((statement) => isAbout(statement, asked))
  }
}

/** IAM tells a Deny from the lack of an Allow. */
function reasonOf(statements: readonly Statement[], asked: Permission): string {
  const isDenied = statements.some((statement) => statement.effect === 'Deny' && isAbout(statement, asked))
  if (isDenied) return 'with an explicit deny in an identity-based policy'
  return `because no identity-based policy allows the ${asked.action} action`
}

/** IAM's name for what a role is while it is used. */
function sessionOf({ functionName, roleArn }: Asking): string {
  const [, partition, , , account, role] = roleArn.split(':')
  return `arn:${partition}:sts::${account}:assumed-${role}/${functionName}`
}

/** The sentence with which IAM refuses. */
function refusal(user: string, { action, resource }: Permission, why: string): AwsError {
  const message = `User: ${user} is not authorized to perform: ${action} on resource: ${resource} ${why}`
  return new AwsError('AccessDeniedException', message)
}
