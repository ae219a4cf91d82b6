// What Ref and Fn::GetAtt answer for a resource: its physical name and its ARN, as CloudFormation
// would give them. Pure; the same template gives the same names at every start.
// Source: CloudFormation template reference, "Return values" of each type.
import { createHash } from 'node:crypto'

export interface Identity {
  /** Physical name. */
  readonly name: string
  readonly arn: string
  readonly ref: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Where a resource stands in the app, and what it is called. */
export interface Placed {
  /** `aws:cdk:path`. */
  readonly path: string
  readonly name: string
  readonly arn: string
}

export interface Place {
  readonly partition: string
  readonly account: string
  readonly region: string
}

/** Types that run here, the property that names them, and the most characters of a name. */
const NAMED: Readonly<Record<string, { readonly property: string; readonly longest: number }>> = {
  'AWS::DynamoDB::Table': { property: 'TableName', longest: 255 },
  'AWS::SecretsManager::Secret': { property: 'Name', longest: 512 },
  'AWS::Lambda::Function': { property: 'FunctionName', longest: 64 },
  'AWS::StepFunctions::StateMachine': { property: 'StateMachineName', longest: 80 },
  'AWS::IAM::Role': { property: 'RoleName', longest: 64 },
  'AWS::Logs::LogGroup': { property: 'LogGroupName', longest: 512 },
  'AWS::SNS::Topic': { property: 'TopicName', longest: 256 },
  'AWS::SQS::Queue': { property: 'QueueName', longest: 80 },
  'AWS::Events::EventBus': { property: 'Name', longest: 256 },
  'AWS::Events::Rule': { property: 'Name', longest: 64 },
  'AWS::Scheduler::Schedule': { property: 'Name', longest: 64 },
  'AWS::Scheduler::ScheduleGroup': { property: 'Name', longest: 64 },
}

/** Types whose names are unique within another resource only, which this property names. */
const WITHIN: Readonly<Record<string, string>> = {
  'AWS::Events::Rule': 'EventBusName',
  'AWS::Lambda::Version': 'FunctionName',
  'AWS::Scheduler::Schedule': 'GroupName',
}
/** There is one version of a function's code here: that of the assembly. */
const ONLY_VERSION = '1'
/** The bus and the group that every account has. */
const DEFAULT = 'default'

/** The property that names what a resource is in, if its type is in something. */
export function parentProperty(type: string): string | undefined {
  return WITHIN[type]
}

/** The property that holds a resource's name, if its type has one. */
export function nameProperty(type: string): string | undefined {
  return NAMED[type]?.property
}

/** Stack and logical id, as CloudFormation makes names, with a hash where they would be too long. */
export function derivedName(type: string, stack: string, logicalId: string): string {
  const longest = NAMED[type]?.longest ?? 255
  const name = `${stack}-${logicalId}`
  return name.length <= longest ? name : `${name.slice(0, longest - 9)}-${hash(name).slice(0, 8)}`
}

/** `parent` is a name or an ARN. */
export function identify(type: string, name: string, place: Place, parent?: string): Identity {
  const within = parent?.split('/').at(-1) ?? DEFAULT
  const arn = arnOf(type, name, place, within)
  switch (type) {
    case 'AWS::SQS::Queue': {
      const url = `https://sqs.${place.region}.amazonaws.com/${place.account}/${name}`
      return { name, arn, ref: url, attributes: { Arn: arn, QueueName: name, QueueUrl: url } }
    }
    case 'AWS::Lambda::Url':
      // Names nothing here: where it answers, only the embedded run knows (see function-url.ts).
      return {
        name,
        arn,
        ref: arn,
        attributes: { FunctionUrl: `https://${hash(arn).slice(0, 32)}.lambda-url.invalid/` },
      }
    case 'AWS::Events::EventBus':
      return { name, arn, ref: name, attributes: { Arn: arn, Name: name } }
    case 'AWS::Events::Rule':
      return { name, arn, ref: within === DEFAULT ? name : `${within}|${name}`, attributes: { Arn: arn } }
    case 'AWS::SecretsManager::Secret':
      return { name, arn, ref: arn, attributes: { Id: arn } }
    case 'AWS::SNS::Topic':
      return { name, arn, ref: arn, attributes: { TopicArn: arn, TopicName: name } }
    case 'AWS::Lambda::Version':
      return { name, arn, ref: arn, attributes: { FunctionArn: arn, Version: ONLY_VERSION } }
    case 'AWS::StepFunctions::StateMachine':
      return { name, arn, ref: arn, attributes: { Arn: arn, Name: name } }
    default:
      return { name, arn, ref: name, attributes: { Arn: arn } }
  }
}

function arnOf(type: string, name: string, { partition, account, region }: Place, within: string): string {
  switch (type) {
    case 'AWS::DynamoDB::Table':
      return `arn:${partition}:dynamodb:${region}:${account}:table/${name}`
    case 'AWS::SecretsManager::Secret':
      // Secrets Manager ends an ARN in six random characters; here they follow from the name.
      return `arn:${partition}:secretsmanager:${region}:${account}:secret:${name}-${hash(name).slice(0, 6)}`
    case 'AWS::Lambda::Function':
      return `arn:${partition}:lambda:${region}:${account}:function:${name}`
    case 'AWS::Lambda::Version':
      return `arn:${partition}:lambda:${region}:${account}:function:${within}:${ONLY_VERSION}`
    case 'AWS::StepFunctions::StateMachine':
      return `arn:${partition}:states:${region}:${account}:stateMachine:${name}`
    case 'AWS::IAM::Role':
      return `arn:${partition}:iam::${account}:role/${name}`
    case 'AWS::Logs::LogGroup':
      return `arn:${partition}:logs:${region}:${account}:log-group:${name}:*`
    case 'AWS::SQS::Queue':
      return `arn:${partition}:sqs:${region}:${account}:${name}`
    case 'AWS::Events::EventBus':
      return `arn:${partition}:events:${region}:${account}:event-bus/${name}`
    case 'AWS::Events::Rule':
      return `arn:${partition}:events:${region}:${account}:rule/${within === DEFAULT ? '' : `${within}/`}${name}`
    case 'AWS::Scheduler::Schedule':
      return `arn:${partition}:scheduler:${region}:${account}:schedule/${within}/${name}`
    case 'AWS::Scheduler::ScheduleGroup':
      return `arn:${partition}:scheduler:${region}:${account}:schedule-group/${name}`
    default:
      return `arn:${partition}:${serviceOf(type)}:${region}:${account}:${name}`
  }
}

/** `AWS::CloudWatch::Alarm` → `cloudwatch`. */
function serviceOf(type: string): string {
  return type.split('::')[1]?.toLowerCase() ?? 'unknown'
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
