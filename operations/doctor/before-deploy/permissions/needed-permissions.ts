// Lists what the roles of a deployment need. The account's permissions boundary and the policies of endpoints may limit it.
// test/infra/needed-permissions.test.ts compares the list with the templates. Pure.
import {
  backupVault,
  busName,
  deployedName,
  functionName,
  givenNames,
  journalName,
} from '../../../../core/contract/deployed-names.ts'
import { partitionOf } from '../../../../core/contract/partition.ts'
import { KeyRole } from '../../../../core/contract/service-settings.ts'
import { StateMachine, Verb } from '../../../../core/contract/states.ts'
import { keySecretsOf, roleKeyOf, type Treasury } from '../../../../core/contract/treasury.ts'
import { placesOfFiles } from '../../../../core/treasury/policy-files.ts'
import type { Place } from '../place.ts'

export interface Permission {
  readonly action: string
  /** An ARN, in which * is any text. */
  readonly resource: string
}

type Permissions = readonly Permission[]

const on = (resource: string, ...actions: readonly string[]): Permissions =>
  actions.map((action) => ({ action, resource }))

/** Permissions that the code of functions uses, by the service that it calls. Endpoints of a VPC serve these calls. */
export function permissionsByService(treasury: Treasury, place: Place): Readonly<Record<string, Permissions>> {
  const { arn, bucket, bus, machines, named, table } = resourcesOf(treasury, place)
  const signing = [...new Set(Object.values(KeyRole).flatMap((role) => roleKeyOf(treasury.service, role).kmsKey ?? []))]
  const files = placesOfFiles(treasury.policies)
  const { notices = [], webhooks } = treasury
  const receivers = notices.map(({ name, to }) => ({ name, ...to }))
  const secrets = [...keySecretsOf(treasury.service), ...receivers.flatMap(({ webhook }) => webhook?.secret ?? [])]
  const topics = receivers.flatMap(({ name, sns, topicArn }) => {
    if (topicArn !== undefined) return [topicArn]
    return sns === undefined ? [] : [arn('sns', named(`sluice-notice-${name}`))]
  })
  return {
    dynamodb: [
      ...on(table, 'dynamodb:DescribeTable', 'dynamodb:GetItem', 'dynamodb:PutItem'),
      ...on(`${table}/index/listed`, 'dynamodb:Query'),
    ],
    events: on(bus, 'events:PutEvents'),
    secretsmanager: secrets.flatMap((name) =>
      on(arn('secretsmanager', `secret:${name}-??????`), 'secretsmanager:GetSecretValue'),
    ),
    states: machines.flatMap((machine) => [
      ...on(arn('states', `stateMachine:${machine}`), 'states:StartExecution'),
      ...on(arn('states', `execution:${machine}:*`), 'states:DescribeExecution'),
      ...(machine === named(StateMachine.Withdraw)
        ? on(arn('states', `stateMachine:${machine}`), 'states:ListExecutions')
        : []),
    ]),
    sts: on('*', 'sts:GetCallerIdentity'),
    // The alias of a key is no part of its ARN.
    kms: [
      ...on(arn('kms', 'key/*'), 'kms:GetPublicKey', 'kms:Sign'),
      ...signing.flatMap((key) => (key.startsWith('arn:') ? on(key, 'kms:Sign') : [])),
    ],
    s3: files.flatMap(({ files: { bucket: name } }) => on(`${bucket(name)}/*`, 's3:GetObjectVersion')),
    sns: topics.flatMap((topic) => on(topic, 'sns:Publish')),
    sqs: [
      ...(webhooks === undefined ? [] : on(arn('sqs', named('sluice-deposits')), 'sqs:SendMessage')),
      ...(files.length === 0 ? [] : on(arn('sqs', named('sluice-dead-letters')), 'sqs:SendMessage')),
    ],
  }
}

/** ARNs of a deployment's resources. */
function resourcesOf({ aws, environment }: Treasury, { account, region }: Place) {
  const arn = (service: string, rest: string, where = region) =>
    `arn:${partitionOf(where).id}:${service}:${where}:${account}:${rest}`
  const named = (name: string) => deployedName(name, environment)
  const given = givenNames(aws)
  return {
    arn,
    named,
    table: arn('dynamodb', `table/${journalName(environment, given)}`),
    bus: arn('events', `event-bus/${busName(environment, given)}`),
    machines: Object.values(StateMachine).map(named),
    bucket: (name: string) => `arn:${partitionOf(region).id}:s3:::${name}`,
  }
}

/** Everything that the roles need. GetCallerIdentity needs no permission. */
export function neededPermissions(treasury: Treasury, place: Place): Permissions {
  const { sts: _, ...called } = permissionsByService(treasury, place)
  return [...Object.values(called).flat(), ...ofServices(treasury, place), ...ofBackups(treasury, place)]
}

/** Permissions that services of AWS use in the name of a role: Lambda, Step Functions, EventBridge and Scheduler. */
function ofServices(treasury: Treasury, place: Place): Permissions {
  const { arn, machines, named } = resourcesOf(treasury, place)
  const { aws, encryption = {}, notices = [], policies, webhooks } = treasury
  const queues = [
    ...(notices.length > 0 ? ['sluice-notices'] : []),
    ...(webhooks === undefined ? [] : ['sluice-deposits']),
    ...(placesOfFiles(policies).length > 0 ? ['sluice-payout-files'] : []),
  ]
  const decrypted = [encryption.journal, encryption.secrets].flatMap((key) => key ?? [])
  return [
    ...invokedIn(treasury).flatMap((name) => on(arn('lambda', `function:${name}`), 'lambda:InvokeFunction')),
    // CloudWatch Logs asks about the stream in its group.
    ...functionsOf(treasury).flatMap((name) =>
      on(arn('logs', `log-group:/aws/lambda/${name}:log-stream:*`), ...['logs:CreateLogStream', 'logs:PutLogEvents']),
    ),
    ...on(
      '*',
      ...['xray:PutTraceSegments', 'xray:PutTelemetryRecords', 'xray:GetSamplingRules', 'xray:GetSamplingTargets'],
      ...['logs:CreateLogDelivery', 'logs:GetLogDelivery', 'logs:UpdateLogDelivery', 'logs:DeleteLogDelivery'],
      ...['logs:ListLogDeliveries', 'logs:PutResourcePolicy', 'logs:DescribeResourcePolicies'],
      ...['logs:DescribeLogGroups'],
    ),
    ...machines
      .filter((machine) => [StateMachine.Convert, StateMachine.Withdraw].map(named).includes(machine))
      .flatMap((machine) => on(arn('states', `execution:${machine}:*`), 'states:StopExecution')),
    ...on(
      arn('events', 'rule/StepFunctionsGetEventsForStepFunctionsExecutionRule'),
      ...['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
    ),
    ...on(arn('sqs', named('sluice-dead-letters')), 'sqs:SendMessage'),
    ...queues.flatMap((queue) =>
      on(arn('sqs', named(queue)), 'sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'),
    ),
    ...decrypted.flatMap((key) => on(key, 'kms:Decrypt')),
    ...(aws?.vpc === undefined
      ? []
      : on(
          '*',
          ...['ec2:AssignPrivateIpAddresses', 'ec2:UnassignPrivateIpAddresses', 'ec2:DescribeSubnets'],
          ...['ec2:CreateNetworkInterface', 'ec2:DeleteNetworkInterface', 'ec2:DescribeNetworkInterfaces'],
        )),
  ]
}

/** Called by state machines, in any version. */
const CALLED_IN_VERSIONS = [
  ...[Verb.Quote, Verb.Order, Verb.PollOrder, Verb.CheckWithdrawal, Verb.Withdraw, Verb.PollWithdrawal, Verb.Conclude],
  ...[Verb.PlanRebalance, Verb.PlanSweep, Verb.SettleRun],
]

/** Functions that roles call, with the version as it is in the ARN. */
function invokedIn({ environment, policies }: Treasury): readonly string[] {
  const hasSchedules = Object.values(policies).some((policy) => policy.schedule !== undefined)
  const asDeployed = [Verb.Announce, Verb.Reconcile, Verb.LookAgain, ...(hasSchedules ? [Verb.StartRun] : [])]
  const named = (verb: Verb) => deployedName(functionName(verb), environment)
  return [...CALLED_IN_VERSIONS.map((verb) => `${named(verb)}:*`), ...asDeployed.map(named)]
}

/** All functions of the deployment. */
function functionsOf({ environment, notices = [], policies, webhooks }: Treasury): readonly string[] {
  const absent: readonly Verb[] = [
    ...(notices.length === 0 ? [Verb.Notify] : []),
    ...(webhooks === undefined ? [Verb.ReceiveWebhook, Verb.StartOnDeposit] : []),
    ...(placesOfFiles(policies).length === 0 ? [Verb.StartOnFile] : []),
  ]
  return Object.values(Verb).flatMap((verb) =>
    absent.includes(verb) ? [] : [deployedName(functionName(verb), environment)],
  )
}

/** Permissions of AWS Backup, which copies points into its own vault and tags them there. */
function ofBackups(treasury: Treasury, place: Place): Permissions {
  const { arn, named, table } = resourcesOf(treasury, place)
  const { encryption = {}, journal } = treasury
  const { copyRegion } = journal ?? {}
  const vault = (key: string | undefined, region?: string) =>
    arn('backup', `backup-vault:${named(backupVault(key))}`, region)
  const vaults = [
    vault(encryption.journal),
    ...(copyRegion === undefined ? [] : [vault(encryption.copies, copyRegion)]),
  ]
  const keys = [encryption.journal, encryption.copies].flatMap((key) => key ?? [])
  return [
    ...on(table, 'dynamodb:CreateBackup', 'dynamodb:StartAwsBackupJob', 'dynamodb:ListTagsOfResource'),
    ...on(`${table}/backup/*`, 'dynamodb:DescribeBackup', 'dynamodb:DeleteBackup'),
    ...vaults.flatMap((each) => on(each, 'backup:DescribeBackupVault', 'backup:CopyIntoBackupVault')),
    ...(copyRegion === undefined
      ? []
      : on(arn('backup', 'recovery-point:*'), 'backup:TagResource', 'backup:CopyFromBackupVault')),
    ...keys.flatMap((key) =>
      on(
        key,
        ...['kms:CreateGrant', 'kms:Decrypt', 'kms:DescribeKey', 'kms:Encrypt', 'kms:GenerateDataKey'],
        ...['kms:ReEncryptFrom', 'kms:ReEncryptTo'],
      ),
    ),
  ]
}
