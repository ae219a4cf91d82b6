// Reads who may assume a role, and checks at the start that each service may which has to: where its trust policy or a
// condition of it says no, the assembly is refused, as AWS would refuse to make the machine or the schedule.
// Source: IAM User Guide, "The confused deputy problem"; the chapters of each service on it.
import { type Condition, readConditions } from '../endpoint/policy-conditions.ts'
import { Fields } from '../fields.ts'
import { Refusal } from '../refusal.ts'

export interface Trust {
  /** Such as `states.amazonaws.com`. */
  readonly services: readonly string[]
  readonly conditions: readonly Condition[]
}

/** What services say of themselves when they assume a role, lower case. */
const CONDITION_KEYS = ['aws:sourcearn', 'aws:sourceaccount']

/** Undefined where the role says nothing of it. Principals other than services are not on this machine. */
export function readTrust(properties: Fields): readonly Trust[] | undefined {
  if (!properties.has('AssumeRolePolicyDocument')) return undefined
  const document = properties.object('AssumeRolePolicyDocument').ignore(['Version', 'Id'])
  const statements = document.list('Statement')
  document.close()
  return statements.flatMap((value, index) => {
    const statement = new Fields(value, `${document.where}.Statement[${index}]`).ignore(['Sid', 'Action'])
    if (statement.text('Effect') !== 'Allow') throw statement.refuse('Effect', 'only Allow is supported')
    const principals = statement.object('Principal').ignore(['AWS', 'Federated'])
    const services = principals.has('Service') ? [principals.raw('Service')].flat().map(String) : []
    principals.close()
    if (services.length === 0) {
      statement.ignore(['Condition'])
      return []
    }
    const conditions = statement.has('Condition') ? readConditions(statement.object('Condition'), CONDITION_KEYS) : []
    statement.close()
    return [{ services, conditions }]
  })
}

interface Assumed {
  readonly roleArn: string
  readonly service: string
  /** On behalf of what; undefined for a service that does not say so. */
  readonly sourceArn: string | undefined
  readonly path: string
}

interface Assuming {
  readonly account: string
  readonly region: string
  readonly functions: readonly { readonly path: string; readonly roleArn: string }[]
  readonly stateMachines: readonly { readonly path: string; readonly roleArn: string; readonly arn: string }[]
  readonly schedules: readonly {
    readonly path: string
    readonly arn: string
    readonly roleArn: string | undefined
  }[]
  readonly rules: readonly {
    readonly path: string
    readonly arn: string
    readonly targets: readonly { readonly roleArn: string | undefined }[]
  }[]
}

/** Throws Refusal that names the resource. */
export function checkTrusts(plan: Assuming, trusts: ReadonlyMap<string, readonly Trust[]>): void {
  for (const { path, roleArn, service, sourceArn } of assumedIn(plan)) {
    const trusted = trusts.get(roleArn)
    const said = sourceArn === undefined ? {} : { 'aws:sourcearn': sourceArn, 'aws:sourceaccount': plan.account }
    const isTrusted = ({ conditions, services }: Trust) =>
      services.includes(service) && conditions.every((condition) => condition.holds(said))
    if (trusted === undefined || trusted.some(isTrusted)) continue
    const of = sourceArn === undefined ? 'which says no source' : `for ${sourceArn}`
    throw new Refusal(path, `the trust policy of its role ${roleArn} does not let ${service} assume it, ${of}`)
  }
}

function assumedIn({ functions, rules, schedules, stateMachines }: Assuming): readonly Assumed[] {
  return [
    // Lambda documents no source that it says when it assumes an execution role.
    ...functions.map(({ path, roleArn }) => ({
      ...{ path, roleArn, service: 'lambda.amazonaws.com', sourceArn: undefined },
    })),
    ...stateMachines.map(({ arn, path, roleArn }) => ({
      ...{ path, roleArn, service: 'states.amazonaws.com', sourceArn: arn },
    })),
    // Scheduler says the group, and not the schedule.
    ...schedules.flatMap(({ arn, path, roleArn }) => {
      const sourceArn = arn.replace(/:schedule\/([^/]+)\/.*$/, ':schedule-group/$1')
      return roleArn === undefined ? [] : [{ path, roleArn, service: 'scheduler.amazonaws.com', sourceArn }]
    }),
    ...rules.flatMap(({ arn, path, targets }) =>
      targets.flatMap(({ roleArn }) =>
        roleArn === undefined ? [] : [{ path, roleArn, service: 'events.amazonaws.com', sourceArn: arn }],
      ),
    ),
  ]
}
