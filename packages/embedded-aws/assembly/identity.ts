// Computes the values of Ref and Fn::GetAtt for a resource: its physical name and its ARN, as CloudFormation would.
// Pure; the same template gives the same names at every start.
// Source: CloudFormation template reference, "Return values" of each type.
import { createHash } from 'node:crypto'

export interface Identity {
  readonly name: string
  readonly arn: string
  readonly ref: string
  readonly attributes: Readonly<Record<string, string>>
}

/** A resource's place in the app, and its name. */
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

/** Types that run here, the property that names them, and the maximum length of a name. */
const NAMED: Readonly<Record<string, { readonly property: string; readonly longest: number }>> = {
  'AWS::DynamoDB::Table': { property: 'TableName', longest: 255 },
  'AWS::SecretsManager::Secret': { property: 'Name', longest: 512 },
  'AWS::Lambda::Function': { property: 'FunctionName', longest: 64 },
  'AWS::StepFunctions::StateMachine': { property: 'StateMachineName', longest: 80 },
  'AWS::IAM::ManagedPolicy': { property: 'ManagedPolicyName', longest: 128 },
  'AWS::IAM::Role': { property: 'RoleName', longest: 64 },
  'AWS::Logs::LogGroup': { property: 'LogGroupName', longest: 512 },
  'AWS::SNS::Topic': { property: 'TopicName', longest: 256 },
  'AWS::SQS::Queue': { property: 'QueueName', longest: 80 },
  'AWS::S3::Bucket': { property: 'BucketName', longest: 63 },
  'AWS::Events::EventBus': { property: 'Name', longest: 256 },
  'AWS::Events::Rule': { property: 'Name', longest: 64 },
  'AWS::Scheduler::Schedule': { property: 'Name', longest: 64 },
  'AWS::Scheduler::ScheduleGroup': { property: 'Name', longest: 64 },
}

/** Types whose ARNs have another name before their own, such as that of a bus, and the property with it. */
const WITHIN: Readonly<Record<string, string>> = {
  'AWS::Events::Rule': 'EventBusName',
  // The name of a role is unique in the account, but its ARN has the path.
  'AWS::IAM::ManagedPolicy': 'Path',
  'AWS::IAM::Role': 'Path',
  'AWS::Lambda::Version': 'FunctionName',
  'AWS::Scheduler::Schedule': 'GroupName',
}
/** Functions have one version here: the code of the assembly. */
const ONLY_VERSION = '1'
/** The name of the bus and the schedule group that every account has. */
const DEFAULT = 'default'

/** Returns the property that names the containing resource, if the type has one. */
export function parentProperty(type: string): string | undefined {
  return WITHIN[type]
}

/** Returns the property that holds a resource's name, if its type has one. */
export function nameProperty(type: string): string | undefined {
  return NAMED[type]?.property
}

/**
 * Returns a name as CloudFormation derives it, from stack and logical id. A name that would be too long ends in a hash.
 */
export function derivedName(type: string, stack: string, logicalId: string): string {
  const longest = NAMED[type]?.longest ?? 255
  // The name of a bucket has no capitals.
  const name = type === 'AWS::S3::Bucket' ? `${stack}-${logicalId}`.toLowerCase() : `${stack}-${logicalId}`
  return name.length <= longest ? name : `${name.slice(0, longest - 9)}-${hash(name).slice(0, 8)}`
}

/** `parent` is a name, an ARN, or the path of a role. */
export function identify(type: string, name: string, place: Place, parent?: string): Identity {
  const within = type.startsWith('AWS::IAM::') ? (parent ?? '/') : (parent?.split('/').at(-1) ?? DEFAULT)
  const arn = arnOf(type, name, place, within)
  switch (type) {
    case 'AWS::SQS::Queue': {
      const url = `https://sqs.${place.region}.amazonaws.com/${place.account}/${name}`
      return { name, arn, ref: url, attributes: { Arn: arn, QueueName: name, QueueUrl: url } }
    }
    case 'AWS::Lambda::Url':
      // A placeholder: only the embedded run knows where the URL answers (see function-url.ts).
      return {
        name,
        arn,
        ref: arn,
        attributes: { FunctionUrl: `https://${hash(arn).slice(0, 32)}.lambda-url.invalid/` },
      }
    case 'AWS::ApiGatewayV2::Api': {
      const id = arn.split(':').at(-1) ?? ''
      // A placeholder: only the embedded run knows where the API answers (see http-apis.ts).
      return { name, arn, ref: id, attributes: { ApiId: id, ApiEndpoint: `https://${id}.execute-api.invalid` } }
    }
    case 'AWS::EC2::VPC': {
      const id = networkId('vpc', name)
      return { name: id, arn, ref: id, attributes: { VpcId: id, DefaultSecurityGroup: networkId('sg', name) } }
    }
    case 'AWS::EC2::Subnet': {
      const id = networkId('subnet', name)
      return { name: id, arn, ref: id, attributes: { SubnetId: id } }
    }
    case 'AWS::EC2::SecurityGroup': {
      const id = networkId('sg', name)
      return { name: id, arn, ref: id, attributes: { GroupId: id } }
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
    case 'AWS::IAM::ManagedPolicy':
      return { name, arn, ref: arn, attributes: { PolicyArn: arn } }
    default:
      return { name, arn, ref: name, attributes: { Arn: arn } }
  }
}

/** EC2 gives a part of a network an id, which is its only name. Here the id follows from the template. */
function networkId(prefix: string, name: string): string {
  return `${prefix}-${hash(name).slice(0, 17)}`
}

/** Attributes that return the property of the same name. */
const REPEATED: Readonly<Record<string, readonly string[]>> = {
  'AWS::EC2::VPC': ['CidrBlock'],
  'AWS::EC2::Subnet': ['AvailabilityZone', 'CidrBlock', 'VpcId'],
  'AWS::EC2::SecurityGroup': ['VpcId'],
}

/** Returns whether the attribute of this type is its property of the same name. */
export function isRepeated(type: string, attribute: string): boolean {
  return REPEATED[type]?.includes(attribute) === true
}

function arnOf(type: string, name: string, { partition, account, region }: Place, within: string): string {
  switch (type) {
    case 'AWS::DynamoDB::Table':
      return `arn:${partition}:dynamodb:${region}:${account}:table/${name}`
    case 'AWS::SecretsManager::Secret':
      // Secrets Manager ends an ARN in six random characters. Here they follow from the name.
      return `arn:${partition}:secretsmanager:${region}:${account}:secret:${name}-${hash(name).slice(0, 6)}`
    case 'AWS::ApiGatewayV2::Api':
      return `arn:${partition}:execute-api:${region}:${account}:${hash(name).slice(0, 10)}`
    case 'AWS::Lambda::Function':
      return `arn:${partition}:lambda:${region}:${account}:function:${name}`
    case 'AWS::Lambda::Version':
      return `arn:${partition}:lambda:${region}:${account}:function:${within}:${ONLY_VERSION}`
    case 'AWS::StepFunctions::StateMachine':
      return `arn:${partition}:states:${region}:${account}:stateMachine:${name}`
    case 'AWS::IAM::Role':
      return `arn:${partition}:iam::${account}:role${within}${name}`
    case 'AWS::IAM::ManagedPolicy':
      return `arn:${partition}:iam::${account}:policy${within}${name}`
    case 'AWS::Logs::LogGroup':
      return `arn:${partition}:logs:${region}:${account}:log-group:${name}:*`
    case 'AWS::SQS::Queue':
      return `arn:${partition}:sqs:${region}:${account}:${name}`
    case 'AWS::S3::Bucket':
      return `arn:${partition}:s3:::${name}`
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
