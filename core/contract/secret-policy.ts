// Owns the resource policy of the secrets that a deployment reads: who may read them, whatever other policies allow.
// `sluice keys protect` puts the policy, and `sluice setup doctor --aws` compares the deployed one with it. Why, and
// the limits of such a policy: docs/decisions/0062.
import { deployedName, roleArn } from './deployed-names.ts'
import { BREAK_GLASS_ROLE, type JournalPolicy } from './journal-policy.ts'

/** The role that puts, rotates and examines keys. The account's owner creates it and decides who may use it. */
const KEYS_ROLE = 'sluice-keys'

/** The stack whose functions read a secret: Workflow for keys of the service, Triggers for addresses of notices. */
export const ReadBy = { Workflow: 'SluiceWorkflow', Triggers: 'SluiceTriggers' } as const
export type ReadBy = (typeof ReadBy)[keyof typeof ReadBy]

/**
 * Length of the role-name prefix that the policy compares. CloudFormation begins a role's name with the stack's name,
 * and shortens that where the whole is too long.
 */
const STEM_LENGTH = 20

interface SecretPlace {
  readonly partition: string
  readonly account: string
  /** The environment's name in treasury.json. */
  readonly environment: string | undefined
  /** `aws.rolePath` of treasury.json. The roles of people have this path too. */
  readonly rolePath: string | undefined
}

/** Roles of people that may read the secrets of an environment and change their policies. */
export function keyRolesOf(environment: string | undefined): readonly string[] {
  return [KEYS_ROLE, BREAK_GLASS_ROLE].map((name) => deployedName(name, environment))
}

/** Returns the resource policy of a secret that the functions of one stack read. */
export function secretPolicy(
  readBy: ReadBy,
  { account, environment, partition, rolePath }: SecretPlace,
): JournalPolicy {
  const role = (name: string) => roleArn(name, { account, partition, path: rolePath })
  const people = keyRolesOf(environment).map(role)
  const functions = role(`${deployedName(readBy, environment).slice(0, STEM_LENGTH)}*`)
  const everybody = { Effect: 'Deny', Principal: { AWS: '*' }, Resource: '*' } as const
  const exceptFor = (roles: readonly string[]) => ({ ArnNotLike: { 'aws:PrincipalArn': roles } })
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'ReadByWhomItIsFor',
        // Reading several secrets in one call requires this permission too.
        Action: ['secretsmanager:GetSecretValue'],
        Condition: exceptFor([functions, ...people]),
        ...everybody,
      },
      {
        Sid: 'ThePolicyStays',
        Action: ['secretsmanager:DeleteResourcePolicy', 'secretsmanager:PutResourcePolicy'],
        Condition: exceptFor(people),
        ...everybody,
      },
    ],
  }
}

/** The part of treasury.json that names secrets of notices. */
interface Naming {
  readonly notices?:
    | readonly { readonly to: { readonly webhook?: { readonly secret: string } | undefined } }[]
    | undefined
}

/** Each secret that functions read, with the stack of those functions. */
export function protectedSecrets(keySecrets: readonly string[], { notices = [] }: Naming): ReadonlyMap<string, ReadBy> {
  const noticeSecrets = notices.flatMap(({ to }) => to.webhook?.secret ?? [])
  return new Map([
    ...noticeSecrets.map((name) => [name, ReadBy.Triggers] as const),
    ...keySecrets.map((name) => [name, ReadBy.Workflow] as const),
  ])
}
