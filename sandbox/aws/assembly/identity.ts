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

export function identify(type: string, name: string, place: Place): Identity {
  const arn = arnOf(type, name, place)
  switch (type) {
    case 'AWS::SecretsManager::Secret':
      return { name, arn, ref: arn, attributes: { Id: arn } }
    case 'AWS::StepFunctions::StateMachine':
      return { name, arn, ref: arn, attributes: { Arn: arn, Name: name } }
    default:
      return { name, arn, ref: name, attributes: { Arn: arn } }
  }
}

function arnOf(type: string, name: string, { partition, account, region }: Place): string {
  switch (type) {
    case 'AWS::DynamoDB::Table':
      return `arn:${partition}:dynamodb:${region}:${account}:table/${name}`
    case 'AWS::SecretsManager::Secret':
      // Secrets Manager ends an ARN in six random characters; here they follow from the name.
      return `arn:${partition}:secretsmanager:${region}:${account}:secret:${name}-${hash(name).slice(0, 6)}`
    case 'AWS::Lambda::Function':
      return `arn:${partition}:lambda:${region}:${account}:function:${name}`
    case 'AWS::StepFunctions::StateMachine':
      return `arn:${partition}:states:${region}:${account}:stateMachine:${name}`
    case 'AWS::IAM::Role':
      return `arn:${partition}:iam::${account}:role/${name}`
    case 'AWS::Logs::LogGroup':
      return `arn:${partition}:logs:${region}:${account}:log-group:${name}:*`
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
