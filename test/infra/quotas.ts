// Lists the quotas of AWS that CloudFormation does not check before it calls a service. Each has its figure, AWS's page
// for it, and the usage by the resources of a deployment. Quotas that can be raised have their default here.
import type { Resource } from './longest-text.ts'

export interface Use {
  /** The logical id, or another name of the counted item. */
  readonly of: string
  readonly count: number
}

export interface Quota {
  readonly most: number
  readonly source: string
  readonly types: readonly string[]
  /** `resources`: those of the types, of all stacks. */
  readonly uses: (resources: readonly NamedResource[]) => readonly Use[]
}
export type NamedResource = Resource & { readonly id: string }

type Fields = Readonly<Record<string, unknown>>
const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null
const listOf = (value: unknown): readonly unknown[] => (value === undefined ? [] : [value].flat())
const at = (value: unknown, ...path: readonly string[]): unknown =>
  path.reduce<unknown>((inner, name) => (isFields(inner) ? inner[name] : undefined), value)
const bytes = (value: unknown) => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value))
const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** The usage by each single resource. `undefined`: the resource has nothing to count. */
const each =
  (count: (properties: Fields) => number | undefined): Quota['uses'] =>
  (resources) =>
    resources.flatMap(({ id, Properties }) => {
      const found = count(Properties)
      return found === undefined ? [] : [{ of: id, count: found }]
    })
const sizeOf = (...path: readonly string[]) =>
  each((properties) => {
    const found = at(properties, ...path)
    return found === undefined ? undefined : bytes(found)
  })
const numberOf = (...path: readonly string[]) => each((properties) => listOf(at(properties, ...path)).length)

/** Uses that several resources share, by the texts under `key` of each. */
const together =
  (key: string, count: (properties: Fields) => number = () => 1): Quota['uses'] =>
  (resources) => {
    const keyed = resources.flatMap(({ Properties }) =>
      listOf(Properties[key]).map((of) => ({ of: String(of), count: count(Properties) })),
    )
    return [...Map.groupBy(keyed, ({ of }) => of)].map(([of, uses]) => ({
      of,
      count: sum(uses.map((use) => use.count)),
    }))
  }

const statements = (properties: Fields) => listOf(at(properties, 'PolicyDocument', 'Statement'))
/** Conditions of a statement: one for each operator and key. */
const conditions = (statement: unknown) =>
  sum(Object.values(at(statement, 'Condition') ?? {}).map((keys) => Object.keys(keys as Fields).length))
const principals = (statement: unknown) => Object.values(at(statement, 'Principal') ?? {}).flat().length
const most = (counts: readonly number[]) => Math.max(0, ...counts)

/** Metrics of an alarm or an expression that CloudWatch reads. */
const metricsOf = (properties: Fields) =>
  listOf(properties.Metrics).filter((metric) => isFields(at(metric, 'MetricStat')))
const expressionsOf = (properties: Fields) =>
  listOf(properties.Metrics).flatMap((metric) => at(metric, 'Expression') ?? []) as string[]
const widgetsOf = (properties: Fields) => {
  const body = JSON.parse(String(properties.DashboardBody)) as { readonly widgets: readonly unknown[] }
  return body.widgets.map((widget) => listOf(at(widget, 'properties', 'metrics')).length)
}

const SQS_POLICY = 'Amazon SQS Developer Guide, "Amazon SQS policy quotas"'
const EVENTBRIDGE = 'Amazon EventBridge User Guide, "Amazon EventBridge quotas"'
const IAM = 'IAM User Guide, "IAM and AWS STS quotas"'
const LAMBDA = 'AWS Lambda Developer Guide, "Lambda quotas"'
const CLOUDWATCH = 'Amazon CloudWatch User Guide, "CloudWatch service quotas"'
const PUT_ALARM = 'Amazon CloudWatch API Reference, PutMetricAlarm and MetricDataQuery'
const SCHEDULER = 'EventBridge Scheduler API Reference, CreateSchedule'
const LOGS = 'Amazon CloudWatch Logs API Reference, PutMetricFilter; User Guide, "CloudWatch Logs quotas"'

const queuePolicy = (figure: number, uses: Quota['uses']): Quota => ({
  ...{ most: figure, source: SQS_POLICY, types: ['AWS::SQS::QueuePolicy'], uses },
})

export const QUOTAS: Readonly<Record<string, Quota>> = {
  'conditions in the policy of a queue': queuePolicy(
    10,
    each((of) => sum(statements(of).map(conditions))),
  ),
  'statements in the policy of a queue': queuePolicy(
    20,
    each((of) => statements(of).length),
  ),
  'principals in the policy of a queue': queuePolicy(
    50,
    each((of) => sum(statements(of).map(principals))),
  ),
  'actions in a statement of the policy of a queue': queuePolicy(
    7,
    each((of) => most(statements(of).map((statement) => listOf(at(statement, 'Action')).length))),
  ),
  'bytes of the policy of a queue': queuePolicy(8_192, sizeOf('PolicyDocument')),
  'policies of a queue': {
    // A second policy would replace the first.
    ...{ most: 1, source: 'Amazon SQS API Reference, SetQueueAttributes', types: ['AWS::SQS::QueuePolicy'] },
    uses: together('Queues'),
  },
  'characters of the name of a queue': {
    ...{
      most: 80,
      source: 'Amazon SQS Developer Guide, "Amazon SQS standard queue quotas"',
      types: ['AWS::SQS::Queue'],
    },
    uses: sizeOf('QueueName'),
  },
  'bytes of the policy of a topic': {
    ...{ most: 30_720, source: 'Amazon SNS API Reference, policies of a topic', types: ['AWS::SNS::TopicPolicy'] },
    uses: sizeOf('PolicyDocument'),
  },
  'characters of the name of a topic': {
    ...{ most: 256, source: 'Amazon SNS API Reference, CreateTopic', types: ['AWS::SNS::Topic'] },
    uses: sizeOf('TopicName'),
  },
  'characters of the policy of a bus': {
    ...{ most: 10_240, source: EVENTBRIDGE, types: ['AWS::Events::EventBus'], uses: sizeOf('Policy') },
  },
  // With statements of the account's own, which nobody here knows.
  'characters of our statements in the policy of a bus': {
    ...{ most: 10_240, source: EVENTBRIDGE, types: ['AWS::Events::EventBusPolicy'] },
    uses: together('EventBusName', (statement) => bytes(statement.Statement)),
  },
  'characters of the id of a statement of a bus': {
    ...{ most: 64, source: 'Amazon EventBridge API Reference, PutPermission', types: ['AWS::Events::EventBusPolicy'] },
    uses: sizeOf('StatementId'),
  },
  'characters of an event pattern': {
    ...{ most: 2_048, source: EVENTBRIDGE, types: ['AWS::Events::Rule'], uses: sizeOf('EventPattern') },
  },
  // 300 in most regions, and 100 in the others.
  'rules of a bus': {
    ...{ most: 100, source: EVENTBRIDGE, types: ['AWS::Events::Rule'] },
    uses: (rules) =>
      together('EventBusName')(
        rules.map((rule) => ({ ...rule, Properties: { EventBusName: 'default', ...rule.Properties } })),
      ),
  },
  'targets of a rule': { most: 5, source: EVENTBRIDGE, types: ['AWS::Events::Rule'], uses: numberOf('Targets') },
  'characters of the name of a rule': {
    ...{ most: 64, source: 'Amazon EventBridge API Reference, PutRule', types: ['AWS::Events::Rule'] },
    uses: sizeOf('Name'),
  },
  'characters of the expression of a schedule': {
    ...{ most: 256, source: SCHEDULER, types: ['AWS::Scheduler::Schedule'], uses: sizeOf('ScheduleExpression') },
  },
  'characters of the name of a schedule': {
    ...{ most: 64, source: SCHEDULER, types: ['AWS::Scheduler::Schedule'], uses: sizeOf('Name') },
  },
  'characters of the name of a schedule group': {
    ...{ most: 64, source: SCHEDULER, types: ['AWS::Scheduler::ScheduleGroup'], uses: sizeOf('Name') },
  },
  'characters of all inline policies of a role': {
    ...{ most: 10_240, source: IAM, types: ['AWS::IAM::Policy'] },
    uses: together('Roles', (policy) => bytes(policy.PolicyDocument)),
  },
  'characters of a managed policy': {
    ...{ most: 6_144, source: IAM, types: ['AWS::IAM::ManagedPolicy'], uses: sizeOf('PolicyDocument') },
  },
  'characters of the name of a managed policy': {
    ...{ most: 128, source: IAM, types: ['AWS::IAM::ManagedPolicy'], uses: sizeOf('ManagedPolicyName') },
  },
  'characters of the trust policy of a role': {
    ...{ most: 2_048, source: IAM, types: ['AWS::IAM::Role'], uses: sizeOf('AssumeRolePolicyDocument') },
  },
  // Two more are the doctor's, on the home role.
  'tags of a resource': {
    ...{ most: 48, source: 'AWS General Reference, "Tagging your AWS resources"' },
    ...{ types: ['AWS::IAM::Role', 'AWS::Lambda::Function', 'AWS::SQS::Queue', 'AWS::CloudWatch::Alarm'] },
    uses: numberOf('Tags'),
  },
  'characters of the path of a role': {
    ...{ most: 512, source: 'IAM API Reference, CreateRole', types: ['AWS::IAM::Role'], uses: sizeOf('Path') },
  },
  'characters of the name of a role': {
    ...{ most: 64, source: IAM, types: ['AWS::IAM::Role'], uses: sizeOf('RoleName') },
  },
  'managed policies of a role': {
    ...{ most: 10, source: IAM, types: ['AWS::IAM::Role'], uses: numberOf('ManagedPolicyArns') },
  },
  'bytes of the environment of a function': {
    ...{ most: 4_096, source: LAMBDA, types: ['AWS::Lambda::Function'] },
    uses: sizeOf('Environment', 'Variables'),
  },
  'characters of the name of a function': {
    ...{ most: 64, source: 'AWS Lambda API Reference, CreateFunction', types: ['AWS::Lambda::Function'] },
    uses: sizeOf('FunctionName'),
  },
  'characters of the description of a version': {
    ...{ most: 256, source: 'AWS Lambda API Reference, PublishVersion', types: ['AWS::Lambda::Version'] },
    uses: sizeOf('Description'),
  },
  // Lambda writes a statement for each permission, some 150 characters longer than the permission's own properties.
  'bytes of the policy of a function': {
    ...{ most: 20_480, source: LAMBDA, types: ['AWS::Lambda::Permission'] },
    uses: together('FunctionName', (permission) => bytes(permission) + 150),
  },
  'mappings of the events of one queue to one function': {
    ...{
      most: 1,
      source: 'AWS Lambda API Reference, CreateEventSourceMapping',
      types: ['AWS::Lambda::EventSourceMapping'],
    },
    uses: together('EventSourceArn'),
  },
  'bytes of the definition of a state machine': {
    ...{ most: 1_048_576, source: 'AWS Step Functions Developer Guide, "Service quotas"' },
    ...{ types: ['AWS::StepFunctions::StateMachine'], uses: sizeOf('DefinitionString') },
  },
  'characters of the name of a state machine': {
    ...{ most: 80, source: 'AWS Step Functions Developer Guide, "Service quotas"' },
    ...{ types: ['AWS::StepFunctions::StateMachine'], uses: sizeOf('StateMachineName') },
  },
  'bytes of the resource policy of a table': {
    ...{ most: 20_480, source: 'Amazon DynamoDB API Reference, PutResourcePolicy', types: ['AWS::DynamoDB::Table'] },
    uses: sizeOf('ResourcePolicy', 'PolicyDocument'),
  },
  'characters of the name of a table': {
    ...{ most: 255, source: 'Amazon DynamoDB API Reference, CreateTable', types: ['AWS::DynamoDB::Table'] },
    uses: sizeOf('TableName'),
  },
  'characters of the name of a backup vault': {
    ...{ most: 50, source: 'AWS Backup API Reference, CreateBackupVault', types: ['AWS::Backup::BackupVault'] },
    uses: sizeOf('BackupVaultName'),
  },
  'characters of the name of a backup plan': {
    ...{ most: 50, source: 'AWS Backup API Reference, BackupPlanInput', types: ['AWS::Backup::BackupPlan'] },
    uses: sizeOf('BackupPlan', 'BackupPlanName'),
  },
  'characters of the name of a backup selection': {
    ...{ most: 50, source: 'AWS Backup API Reference, BackupSelection', types: ['AWS::Backup::BackupSelection'] },
    uses: sizeOf('BackupSelection', 'SelectionName'),
  },
  'bytes of the policy of a KMS key': {
    ...{ most: 32_768, source: 'AWS KMS Developer Guide, "Resource quotas"', types: ['AWS::KMS::Key'] },
    uses: sizeOf('KeyPolicy'),
  },
  'characters of the alias of a KMS key': {
    ...{
      most: 256,
      source: 'AWS KMS API Reference, CreateAlias',
      types: ['AWS::KMS::Alias'],
      uses: sizeOf('AliasName'),
    },
  },
  'characters of a parameter': {
    ...{ most: 4_096, source: 'AWS Systems Manager API Reference, PutParameter', types: ['AWS::SSM::Parameter'] },
    uses: sizeOf('Value'),
  },
  'characters of the name of a log group': {
    ...{ most: 512, source: LOGS, types: ['AWS::Logs::LogGroup'], uses: sizeOf('LogGroupName') },
  },
  'characters of the pattern of a metric filter': {
    ...{ most: 1_024, source: LOGS, types: ['AWS::Logs::MetricFilter'], uses: sizeOf('FilterPattern') },
  },
  'metric filters of a log group': {
    ...{ most: 100, source: LOGS, types: ['AWS::Logs::MetricFilter'], uses: together('LogGroupName') },
  },
  'characters of the name of an alarm': {
    ...{ most: 255, source: PUT_ALARM, types: ['AWS::CloudWatch::Alarm'], uses: sizeOf('AlarmName') },
  },
  'characters of the description of an alarm': {
    ...{ most: 1_024, source: PUT_ALARM, types: ['AWS::CloudWatch::Alarm'], uses: sizeOf('AlarmDescription') },
  },
  'actions of an alarm': {
    ...{ most: 5, source: CLOUDWATCH, types: ['AWS::CloudWatch::Alarm'], uses: numberOf('AlarmActions') },
  },
  'metrics of an alarm': {
    ...{ most: 10, source: CLOUDWATCH, types: ['AWS::CloudWatch::Alarm'], uses: each((of) => metricsOf(of).length) },
  },
  'characters of an expression of an alarm': {
    ...{ most: 2_048, source: PUT_ALARM, types: ['AWS::CloudWatch::Alarm'] },
    uses: each((of) => most(expressionsOf(of).map(bytes))),
  },
  // CloudWatch reads at most a day for one evaluation of an alarm with periods below an hour.
  'seconds that an alarm looks back': {
    ...{ most: 86_400, source: PUT_ALARM, types: ['AWS::CloudWatch::Alarm'] },
    uses: each(
      (of) =>
        Number(of.EvaluationPeriods) *
        most(
          [
            of.Period,
            ...listOf(of.Metrics).map((metric) => at(metric, 'MetricStat', 'Period') ?? at(metric, 'Period')),
          ].map((period) => Number(period ?? 0)),
        ),
    ),
  },
  'metrics of a widget': {
    ...{
      most: 500,
      source: CLOUDWATCH,
      types: ['AWS::CloudWatch::Dashboard'],
      uses: each((of) => most(widgetsOf(of))),
    },
  },
  'metrics of a dashboard': {
    ...{
      most: 2_500,
      source: CLOUDWATCH,
      types: ['AWS::CloudWatch::Dashboard'],
      uses: each((of) => sum(widgetsOf(of))),
    },
  },
}

/** Types without a quota here, besides those that CloudFormation checks itself. */
export const WITHOUT_QUOTAS = [
  'AWS::Lambda::EventInvokeConfig',
  'AWS::Lambda::Url',
  // SNS sends a confirmation to any address. The schema bounds its length.
  'AWS::SNS::Subscription',
]

/** Bytes of a template, and resources in it: AWS CloudFormation User Guide, "Understand CloudFormation quotas". */
export const TEMPLATE = { bytes: 1_000_000, resources: 500 }
