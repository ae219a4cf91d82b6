// Describes the deployed resource types for CloudFormation: the property with the name, the properties whose change
// replaces the resource, and whether it keeps data that is lost with it.
// Source: CloudFormation template reference, "Update requires" of each property.

export interface ResourceKind {
  /** The property with the physical name, where the type has one. */
  readonly name?: string
  /** The property with the resource within which a name is unique. Absent: in the account and region. */
  readonly within?: string
  /** Properties whose change replaces the resource. */
  readonly createOnly: readonly string[]
  /** True for a type that keeps records, keys or messages. */
  readonly isStateful?: true
  /** True for a type that CloudFormation identifies by its name alone, and so can import at a deployment. */
  readonly isKnownByName?: true
}

const KINDS: Readonly<Record<string, ResourceKind>> = {
  'AWS::Backup::BackupPlan': { createOnly: [] },
  'AWS::Backup::BackupSelection': { createOnly: ['BackupPlanId', 'BackupSelection'] },
  'AWS::Backup::BackupVault': {
    name: 'BackupVaultName',
    createOnly: ['BackupVaultName', 'EncryptionKeyArn'],
    isStateful: true,
    isKnownByName: true,
  },
  'AWS::CloudWatch::Alarm': { name: 'AlarmName', createOnly: ['AlarmName'] },
  'AWS::CloudWatch::Dashboard': { name: 'DashboardName', createOnly: ['DashboardName'] },
  'AWS::DynamoDB::Table': {
    name: 'TableName',
    createOnly: ['TableName', 'KeySchema', 'LocalSecondaryIndexes', 'ImportSourceSpecification'],
    isStateful: true,
    isKnownByName: true,
  },
  'AWS::Events::EventBus': { name: 'Name', createOnly: ['Name', 'EventSourceName'] },
  'AWS::Events::EventBusPolicy': { createOnly: ['EventBusName', 'StatementId'] },
  'AWS::Events::Rule': { name: 'Name', within: 'EventBusName', createOnly: ['Name', 'EventBusName'] },
  'AWS::IAM::ManagedPolicy': {
    name: 'ManagedPolicyName',
    createOnly: ['ManagedPolicyName', 'Description', 'Path'],
  },
  'AWS::IAM::Policy': { createOnly: [] },
  'AWS::IAM::Role': { name: 'RoleName', createOnly: ['RoleName', 'Path'] },
  'AWS::KMS::Alias': { name: 'AliasName', createOnly: ['AliasName'], isStateful: true, isKnownByName: true },
  // The key of the alarms' topics encrypts nothing that is kept. The key of decisions is known by its alias.
  'AWS::KMS::Key': { createOnly: ['KeySpec', 'KeyUsage', 'MultiRegion', 'Origin'] },
  'AWS::Lambda::EventInvokeConfig': { createOnly: ['FunctionName', 'Qualifier'] },
  'AWS::Lambda::EventSourceMapping': {
    createOnly: ['AmazonManagedKafkaEventSourceConfig', 'EventSourceArn', 'SelfManagedEventSource', 'StartingPosition'],
  },
  'AWS::Lambda::Function': { name: 'FunctionName', createOnly: ['FunctionName', 'PackageType', 'TenancyConfig'] },
  'AWS::Lambda::Permission': { createOnly: ['FunctionName', 'Principal', 'Action', 'SourceArn', 'SourceAccount'] },
  'AWS::Lambda::Version': { createOnly: ['FunctionName', 'Description', 'ProvisionedConcurrencyConfig'] },
  'AWS::Lambda::Url': { createOnly: ['TargetFunctionArn', 'Qualifier'] },
  'AWS::Logs::LogGroup': { name: 'LogGroupName', createOnly: ['LogGroupName', 'LogGroupClass'] },
  'AWS::Logs::MetricFilter': { name: 'FilterName', createOnly: ['FilterName', 'LogGroupName'] },
  'AWS::SNS::Subscription': { createOnly: ['Endpoint', 'Protocol', 'TopicArn'] },
  'AWS::SNS::Topic': { name: 'TopicName', createOnly: ['TopicName', 'FifoTopic'] },
  'AWS::SNS::TopicPolicy': { createOnly: [] },
  'AWS::SQS::Queue': { name: 'QueueName', createOnly: ['QueueName', 'FifoQueue'], isStateful: true },
  'AWS::SQS::QueuePolicy': { createOnly: [] },
  'AWS::SSM::Parameter': { name: 'Name', createOnly: ['Name'] },
  'AWS::Scheduler::Schedule': { name: 'Name', createOnly: ['Name', 'GroupName'] },
  'AWS::Scheduler::ScheduleGroup': { name: 'Name', createOnly: ['Name'] },
  'AWS::SecretsManager::Secret': { name: 'Name', createOnly: ['Name'], isStateful: true },
  'AWS::StepFunctions::StateMachine': {
    name: 'StateMachineName',
    createOnly: ['StateMachineName', 'StateMachineType'],
  },
}

/** Throws for a type that this table lacks. */
export function kindOf(type: string): ResourceKind {
  const kind = KINDS[type]
  if (kind !== undefined) return kind
  throw new Error(`${type}: say in test/updates/resource-kinds.ts what replaces a resource of this type`)
}
