// Owns the resource policy of the secrets that a deployment reads: who may read what is in one, whatever other policies
// allow. `sluice keys protect` puts it, and `sluice setup doctor --aws` holds what is there against it. Why, and what
// it cannot say: docs/decisions/0062.
import { deployedName } from './deployed-names.ts'
import { BREAK_GLASS_ROLE, type JournalPolicy } from './journal-policy.ts'

/** The role that puts, rotates and examines keys. An account makes it, for whom it trusts. */
export const KEYS_ROLE = 'sluice-keys'

/** Whose functions read a secret: those that use keys of the service, or the one that tells people. */
export const ReadBy = { Workflow: 'SluiceWorkflow', Triggers: 'SluiceTriggers' } as const
export type ReadBy = (typeof ReadBy)[keyof typeof ReadBy]

/** CloudFormation begins the name of a role with that of its stack, and shortens that where the whole is too long. */
const STEM_LENGTH = 20

export interface SecretPlace {
  readonly partition: string
  readonly account: string
  /** As treasury.json names it. */
  readonly environment: string | undefined
}

/** Roles of people that may read the secrets of an environment, and change their policies. */
export function keyRolesOf(environment: string | undefined): readonly string[] {
  return [KEYS_ROLE, BREAK_GLASS_ROLE].map((name) => deployedName(name, environment))
}

/** The policy of a secret that functions of one stack read. */
export function secretPolicy(readBy: ReadBy, { account, environment, partition }: SecretPlace): JournalPolicy {
  const role = (name: string) => `arn:${partition}:iam::${account}:role/${name}`
  const people = keyRolesOf(environment).map(role)
  const functions = role(`${deployedName(readBy, environment).slice(0, STEM_LENGTH)}*`)
  const everybody = { Effect: 'Deny', Principal: { AWS: '*' }, Resource: '*' } as const
  const but = (roles: readonly string[]) => ({ ArnNotLike: { 'aws:PrincipalArn': roles } })
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Sid: 'ReadByWhomItIsFor',
        // Reading several secrets at once asks for this too.
        Action: ['secretsmanager:GetSecretValue'],
        Condition: but([functions, ...people]),
        ...everybody,
      },
      {
        Sid: 'ThePolicyStays',
        Action: ['secretsmanager:DeleteResourcePolicy', 'secretsmanager:PutResourcePolicy'],
        Condition: but(people),
        ...everybody,
      },
    ],
  }
}

/** What of treasury.json names secrets. */
interface Naming {
  readonly notices?:
    | readonly { readonly to: { readonly webhook?: { readonly secret: string } | undefined } }[]
    | undefined
}

/** Each secret that functions read, with whose functions they are. */
export function protectedSecrets(keySecrets: readonly string[], { notices = [] }: Naming): ReadonlyMap<string, ReadBy> {
  const ofNotices = notices.flatMap(({ to }) => to.webhook?.secret ?? [])
  return new Map([
    ...ofNotices.map((name) => [name, ReadBy.Triggers] as const),
    ...keySecrets.map((name) => [name, ReadBy.Workflow] as const),
  ])
}
