// Checks whether the resources of a deployment can be made. Quotas need room, names must be free or ours, and no
// secret may be in deletion. Reads only.

import { DescribeTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { GetAccountSettingsCommand, GetFunctionConcurrencyCommand, LambdaClient } from '@aws-sdk/client-lambda'
import { DescribeSecretCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { deployedName, functionName, HOME_ROLE } from '../../../core/contract/deployed-names.ts'
import { RECORD_KEY } from '../../../core/contract/records.ts'
import { Verb } from '../../../core/contract/states.ts'
import { keySecretsOf, reservesOf, type Treasury } from '../../../core/contract/treasury.ts'
import { errorName, errorText } from '../../../core/error-name.ts'
import { AWS_LIMITS, requestLimits } from '../../../core/keys/aws-limits.ts'
import { deploymentOf, journalAt } from '../../../place/aws/aws-address.ts'
import { connectionRemedyFor } from '../../../place/aws/connection-remedy.ts'
import { describeAt, rightToDescribe } from '../../../place/aws/deployed-configuration.ts'
import { withClient } from '../../../place/aws/with-client.ts'
import { advice, DEPLOY } from '../../../place/next-step.ts'
import { type Check, fail, notKnown, ok, warn } from '../check.ts'
import { hasKeyOfJournal } from '../journal-check.ts'
import { createHomeRoles, type HomeRole } from '../service-account/home-roles.ts'
import type { Place } from './place.ts'

const NOT_THERE = 'ResourceNotFoundException'
/** Lambda keeps at least this much concurrency for functions without a reservation. */
const LEAST_UNRESERVED = 10
/** Below it, the legs of one run and a webhook throttle each other. */
const COMFORTABLE = 50

/** Compares what functions will reserve with what is free, including their current reservations. */
export async function concurrencyCheck(
  treasury: Pick<Treasury, 'concurrency' | 'environment' | 'webhooks'>,
): Promise<Check> {
  const check = 'concurrency of Lambda'
  const ask = 'ask for more: Service Quotas, AWS Lambda, Concurrent executions'
  return withClient(new LambdaClient(requestLimits(AWS_LIMITS)), async (client) => {
    const { AccountLimit: { ConcurrentExecutions: all = 0, UnreservedConcurrentExecutions: left = all } = {} } =
      await client.send(new GetAccountSettingsCommand({}))
    const reserves = reservesOf(treasury)
    const wanted = sumOf(reserves.values())
    const names = [Verb.ThrowSwitch, Verb.ReceiveWebhook].map((verb) =>
      deployedName(functionName(verb), treasury.environment),
    )
    const free = left + sumOf(await Promise.all(names.map((name) => reservedBy(client, name))))
    if (wanted > 0 && free - wanted < LEAST_UNRESERVED) {
      const taken = [...reserves].map(([verb, share]) => `${functionName(verb)} ${share}`).join(', ')
      const detail = `${taken}: that is ${wanted} of ${free} that are left; Lambda leaves at least ${LEAST_UNRESERVED}`
      return fail(check, detail, `"concurrency": "shared" in treasury.json, without webhooks.mostAtOnce; or ${ask}`)
    }
    const detail = `${left} of ${all} are not reserved`
    return left < COMFORTABLE ? warn(check, detail, ask) : ok(check, detail)
  }).catch((error: unknown) =>
    notKnown(check, error, 'let these credentials call lambda:GetAccountSettings and GetFunctionConcurrency'),
  )
}

/** 0 where it is not deployed. Throws the SDK's own errors. */
async function reservedBy(client: LambdaClient, name: string): Promise<number> {
  try {
    const answer = await client.send(new GetFunctionConcurrencyCommand({ FunctionName: name }))
    return answer.ReservedConcurrentExecutions ?? 0
  } catch (error) {
    if (errorName(error) === NOT_THERE) return 0
    throw error
  }
}

const sumOf = (numbers: Iterable<number>) => [...numbers].reduce((sum, each) => sum + each, 0)

/**
 * A journal without functions was left by a deleted deployment. The next deployment takes it over, because it has the
 * journal's name.
 */
export async function journalNameCheck(treasury: Pick<Treasury, 'aws' | 'environment'>): Promise<Check> {
  const check = 'name of the journal'
  const deployment = deploymentOf(treasury)
  const name = journalAt(deployment)
  const client = new DynamoDBClient(requestLimits(AWS_LIMITS))
  try {
    const { Table } = await client.send(new DescribeTableCommand({ TableName: name }))
    // CloudFormation imports a table by its name, and does not check its key.
    if (deployment.given.journal !== undefined) return ok(check, `${name}, a table of the account's own`)
    if (Table !== undefined && !hasKeyOfJournal(Table))
      return fail(check, `${name} has another key than ${RECORD_KEY}: it is no journal`, ANOTHER_TABLE)
  } catch (error) {
    if (errorName(error) === NOT_THERE && deployment.given.journal !== undefined)
      return fail(
        check,
        `${name} does not exist`,
        'make the table, which the account owns, or correct aws.journalTable',
      )
    if (errorName(error) === NOT_THERE) return ok(check, `${name} is free: this is a first deployment`)
    return notKnown(check, error, 'let these credentials call dynamodb:DescribeTable')
  } finally {
    client.destroy()
  }
  const deployed = await describeAt(deployment).catch(errorText)
  if (typeof deployed === 'string')
    return warn(
      check,
      `${name} is there; its functions are not known (${deployed})`,
      connectionRemedyFor(deployed) ?? rightToDescribe(deployment),
    )
  if (deployed !== undefined) return ok(check, `${name} is that of the deployment, release ${deployed.release}`)
  const detail = `${name} is there, and no deployment answers: a deleted deployment has left this journal`
  return warn(check, detail, advice`${DEPLOY}, which takes the journal over`)
}

const ANOTHER_TABLE = 'find out whose table it is, and name another environment in treasury.json'

/**
 * An environment with a home role, but without a journal here, is deployed in another region. A deployment here would
 * fail on the name of that role.
 */
export async function homeCheck(treasury: Pick<Treasury, 'aws' | 'environment'>, { region }: Place): Promise<Check> {
  const check = 'home of the environment'
  const name = deployedName(HOME_ROLE, treasury.environment)
  const journals = new DynamoDBClient(requestLimits(AWS_LIMITS))
  const roles = createHomeRoles()
  let home: HomeRole | undefined
  try {
    home = await roles.findOne(name)
    if (home === undefined) return ok(check, `${name} is free`)
    await journals.send(new DescribeTableCommand({ TableName: journalAt(deploymentOf(treasury)) }))
    return ok(check, `${region}, where its journal is`)
  } catch (error) {
    if (errorName(error) !== NOT_THERE) return notKnown(check, error, 'let these credentials call iam:ListRoleTags')
    const detail = `${name} is there, and no journal in ${region}: this environment is deployed in ${home?.region ?? 'another region'}`
    return fail(check, detail, 'set AWS_REGION to that region, or name another environment in treasury.json')
  } finally {
    journals.destroy()
    roles.destroy()
  }
}

/** A secret that is being deleted keeps its name, and can be neither read nor made. */
export async function secretChecks({ service }: Pick<Treasury, 'service'>): Promise<readonly Check[]> {
  return withClient(new SecretsManagerClient(requestLimits(AWS_LIMITS)), async (client) => {
    return await Promise.all(
      keySecretsOf(service).map(async (name): Promise<Check> => {
        const check = `secret ${name}`
        try {
          const { DeletedDate } = await client.send(new DescribeSecretCommand({ SecretId: name }))
          if (DeletedDate === undefined) return ok(check, 'is there')
          const restore = {
            do: 'call-aws',
            call: 'secretsmanager restore-secret',
            options: { 'secret-id': name },
          } as const
          const next = advice`${restore}, or name another in treasury.json`
          return fail(check, `is being deleted, since ${DeletedDate.toISOString()}`, next)
        } catch (error) {
          if (errorName(error) !== NOT_THERE) return notKnown(check, error, 'let these credentials describe it')
          return ok(check, 'is not there yet: it is staged before or after the deployment', { do: 'stage-keys' })
        }
      }),
    )
  })
}
