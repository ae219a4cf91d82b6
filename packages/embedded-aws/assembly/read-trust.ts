// Reads who may assume a role, and checks at the start that each service may assume the role that it needs. Refuses the
// assembly where a trust policy or its condition denies it, as AWS would refuse to create the machine or schedule.
// Source: IAM User Guide, "The confused deputy problem"; the chapters of each service on it.

import { Refusal } from '../aws-error.ts'
import { type Condition, readConditions } from '../endpoint/policy-conditions.ts'
import { Fields } from '../fields.ts'
import type { Deployment } from './deployment.ts'

export interface Trust {
  /** Services such as `states.amazonaws.com`. */
  readonly services: readonly string[]
  readonly conditions: readonly Condition[]
}

/** The condition keys that services send when they assume a role, in lower case. */
const CONDITION_KEYS = ['aws:sourcearn', 'aws:sourceaccount']

/**
 * Returns undefined when the role has no trust policy. Ignores principals other than services, which do not exist on
 * this machine.
 */
export function readTrust(properties: Fields): readonly Trust[] | undefined {
  if (!properties.has('AssumeRolePolicyDocument')) return undefined
  const document = properties.object('AssumeRolePolicyDocument').ignore(['Version', 'Id'])
  const statements = document.list('Statement')
  document.close()
  return statements.flatMap((value, index) => {
    const statement = new Fields(value, `${document.where}.Statement[${index}]`).ignore(['Sid', 'Action'])
    if (statement.text('Effect') !== 'Allow') throw statement.refuse('Effect', 'only Allow is supported')
    const services = statement.within('Principal', (principals) => {
      principals.ignore(['AWS', 'Federated'])
      return principals.has('Service') ? [principals.raw('Service')].flat().map(String) : []
    })
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
  /** The resource on whose behalf the service acts; undefined for a service that sends no source. */
  readonly sourceArn: string | undefined
  readonly path: string
}

/** Throws a Refusal that names the resource. */
export function checkTrusts(plan: Deployment, trusts: ReadonlyMap<string, readonly Trust[]>): void {
  for (const { path, roleArn, service, sourceArn } of assumedIn(plan)) {
    const trusted = trusts.get(roleArn)
    const context = sourceArn === undefined ? {} : { 'aws:sourcearn': sourceArn, 'aws:sourceaccount': plan.account }
    const isTrusted = ({ conditions, services }: Trust) =>
      services.includes(service) && conditions.every((condition) => condition.holds(context))
    if (trusted === undefined || trusted.some(isTrusted)) continue
    const source = sourceArn === undefined ? 'which sends no source' : `for ${sourceArn}`
    throw new Refusal(path, `the trust policy of its role ${roleArn} does not let ${service} assume it, ${source}`)
  }
}

function assumedIn({ functions, rules, schedules, stateMachines }: Deployment): readonly Assumed[] {
  return [
    // Lambda documents no source for assuming an execution role.
    ...functions.map(({ path, roleArn }) => ({ path, roleArn, service: 'lambda.amazonaws.com', sourceArn: undefined })),
    ...stateMachines.map(({ arn, path, roleArn }) => {
      return { path, roleArn, service: 'states.amazonaws.com', sourceArn: arn }
    }),
    // Scheduler sends the group, not the schedule.
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
