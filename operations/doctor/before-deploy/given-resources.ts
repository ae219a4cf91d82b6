// Checks the table, the bus and the topic that the account gives to a deployment: they exist, and no other deployment
// uses the table or the bus. What the table must be like is checked as after a deployment. Reads only.

import { DescribeEventBusCommand, EventBridgeClient } from '@aws-sdk/client-eventbridge'
import { GetParameterCommand, SSMClient } from '@aws-sdk/client-ssm'
import { deployedName, useParameter } from '../../../core/contract/deployed-names.ts'
import type { Treasury } from '../../../core/contract/treasury.ts'
import { errorName } from '../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { deploymentOf } from '../../../place/aws/aws-address.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { type Check, fail, notKnown, ok } from '../check.ts'
import { topicCheck } from '../deployed/alarms.ts'
import { journalPolicyCheck } from '../deployed/journal-policy.ts'
import { journalBackupsCheck } from '../deployed/recovery-points.ts'
import { journalCheck } from '../journal-check.ts'
import type { Place } from './place.ts'

const NOT_THERE = 'ResourceNotFoundException'

/** Empty where the deployment makes all of them itself. */
export async function givenChecks(treasury: Treasury, { region }: Place): Promise<readonly Check[]> {
  const { bus, journal: table } = deploymentOf(treasury).given
  const ticket = treasury.alarms?.topics?.ticket
  const checks = await Promise.all([
    table === undefined ? [] : tableChecks(treasury, table),
    bus === undefined ? [] : busChecks(treasury, bus),
    ticket === undefined ? [] : topicCheck({ topicArn: ticket, region }).then((check) => [check]),
  ])
  return checks.flat()
}

async function tableChecks(treasury: Treasury, table: string): Promise<readonly Check[]> {
  const found = await journalCheck(treasury)
  if (found.status === 'fail') return [found]
  const further = await Promise.all([journalBackupsCheck(treasury), journalPolicyCheck(treasury)])
  const own = deployedName('SluiceState', treasury.environment)
  return [found, ...further, await useCheck({ what: 'journal', resource: table, own })]
}

async function busChecks({ environment }: Treasury, bus: string): Promise<readonly Check[]> {
  const check = 'event bus'
  return withClient(new EventBridgeClient(requestLimits(AWS_LIMITS)), async (client) => {
    await client.send(new DescribeEventBusCommand({ Name: bus }))
    const own = deployedName('SluiceTriggers', environment)
    return [ok(check, `${bus} is there`), await useCheck({ what: 'bus', resource: bus, own })]
  }).catch((error: unknown) => {
    if (errorName(error) !== NOT_THERE)
      return [notKnown(check, error, 'let these credentials call events:DescribeEventBus')]
    const next = 'make the bus, which the account owns, or correct aws.eventBus'
    return [fail(check, `${bus} does not exist`, next)]
  })
}

interface Used {
  readonly what: 'bus' | 'journal'
  readonly resource: string
  /** The stack of this deployment that uses it. */
  readonly own: string
}

/** CloudFormation refuses a second deployment by the same parameter. */
async function useCheck({ own, resource, what }: Used): Promise<Check> {
  const check = `use of the ${what}`
  return withClient(new SSMClient(requestLimits(AWS_LIMITS)), async (client) => {
    const { Parameter } = await client.send(new GetParameterCommand({ Name: useParameter(what, resource) }))
    if (Parameter?.Value === own) return ok(check, `${resource} is used by this deployment alone`)
    const detail = `${resource} is used by another deployment, whose stack is ${Parameter?.Value}`
    const shares = what === 'journal' ? 'with one journal' : 'on one bus'
    return fail(check, detail, `name another one: two deployments ${shares} would act on one another's requests`)
  }).catch((error: unknown) => {
    if (errorName(error) === 'ParameterNotFound') return ok(check, `${resource} is used by no deployment`)
    return notKnown(check, error, 'let these credentials call ssm:GetParameter')
  })
}
