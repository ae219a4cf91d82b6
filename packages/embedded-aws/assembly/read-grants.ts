// Reads permissions: roles and policies from their resolved properties, and the grants of services for functions and
// queues. Ignores managed policies that only allow writing logs and traces, knows the one that connects a function to a
// VPC, and refuses any other policy or kind of grant.
import { Refusal } from '../aws-error.ts'
import type { TablePolicy } from '../dynamodb/table-policies.ts'
import { parsePolicy, parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'
import { matching } from '../endpoint/policy-conditions.ts'
import { Fields, isObject } from '../fields.ts'
import type { FunctionUrl } from '../lambda/function-url.ts'

export interface Grant {
  /** The service, such as `events.amazonaws.com`. */
  readonly principal: string
  readonly action: string
  /** ARN of a function or a queue. */
  readonly resourceArn: string
  /** ARNs, or patterns of ARNs, of the resources on whose behalf the service may act; undefined for any. */
  readonly sourceArns: readonly string[] | undefined
}

export function allowsService(grants: readonly Grant[], wanted: Omit<Grant, 'sourceArns'>, sourceArn: string): boolean {
  return grants.some(
    ({ action, principal, resourceArn, sourceArns }) =>
      action.toLowerCase() === wanted.action.toLowerCase() &&
      principal === wanted.principal &&
      resourceArn === wanted.resourceArn &&
      (sourceArns === undefined || sourceArns.some((pattern) => matching(pattern, '')(sourceArn))),
  )
}

/** Reads an AWS::Lambda::Permission. */
export function readFunctionPermission(properties: Fields, arnOf: (nameOrArn: string) => string): Grant {
  // The last two narrow calls of function URLs. Permissions for other calls do not use them here.
  properties.ignore(['SourceAccount', 'FunctionUrlAuthType', 'InvokedViaFunctionUrl'])
  const sourceArn = properties.findText('SourceArn')
  return {
    principal: properties.text('Principal'),
    action: properties.text('Action'),
    resourceArn: arnOf(properties.text('FunctionName')),
    sourceArns: sourceArn === undefined ? undefined : [sourceArn],
  }
}

/** Reads an AWS::Lambda::Url. With NONE everybody may call it; with AWS_IAM, every signer who has the permission. */
export function readFunctionUrl(properties: Fields, arnOf: (nameOrArn: string) => string): FunctionUrl {
  // CORS concerns browsers, not services that call.
  properties.ignore(['Cors'])
  const authType = properties.text('AuthType')
  if (authType !== 'NONE' && authType !== 'AWS_IAM') throw properties.refuse('AuthType', `${authType} is not supported`)
  const mode = properties.findText('InvokeMode') ?? 'BUFFERED'
  if (mode !== 'BUFFERED') throw properties.refuse('InvokeMode', `${mode} is not supported`)
  return { functionArn: arnOf(properties.text('TargetFunctionArn')), isSigned: authType === 'AWS_IAM' }
}

/** Reads an AWS::SQS::QueuePolicy: who may send, and what it denies. */
export function readQueuePolicy(properties: Fields): {
  readonly grants: readonly Grant[]
  readonly denials: readonly Statement[]
} {
  properties.ignore(['Queues'])
  const document = properties.object('PolicyDocument').ignore(['Version', 'Id'])
  const statements = document.list('Statement')
  document.close()
  checkQueuePolicy(properties.raw('PolicyDocument'), statements, document.where)
  const isDenial = (statement: unknown) => isObject(statement) && statement.Effect === 'Deny'
  const grants = statements.flatMap((statement, index) =>
    isDenial(statement)
      ? []
      : readStatement(new Fields(statement, `${document.where}.Statement[${index}]`).ignore(['Sid'])),
  )
  // A denial of unencrypted calls is ignored, because no call leaves this machine.
  const denials = statements.filter(
    (statement) =>
      isObject(statement) && isDenial(statement) && !isSecureTransportOnly(conditionOf(statement, document)),
  )
  return { grants, denials: parseResourcePolicy({ Statement: denials }, document.where) }
}

function conditionOf({ Condition }: Readonly<Record<string, unknown>>, { where }: Fields): Fields | undefined {
  return Condition === undefined ? undefined : new Fields(Condition, `${where}.Condition`)
}

/**
 * The quotas of a queue's policy.
 * Source: Amazon SQS Developer Guide, "Amazon SQS policy quotas".
 */
const QUOTAS = { bytes: 8192, statements: 20, conditions: 10, principals: 50, 'actions of a statement': 7 } as const

/** Refuses the policy that SQS would refuse at deployment. */
function checkQueuePolicy(document: unknown, statements: readonly unknown[], where: string): void {
  const each = statements.filter(isObject)
  const counted: Readonly<Record<keyof typeof QUOTAS, number>> = {
    bytes: Buffer.byteLength(JSON.stringify(document)),
    statements: statements.length,
    conditions: sum(each.map(({ Condition }) => sum(valuesIn(Condition).map((keys) => valuesIn(keys).length)))),
    principals: sum(each.map(({ Principal }) => [Principal].flatMap((of) => valuesIn(of).flat()).length)),
    'actions of a statement': Math.max(0, ...each.map(({ Action }) => [Action].flat().length)),
  }
  for (const [name, most] of Object.entries(QUOTAS)) {
    const count = counted[name as keyof typeof QUOTAS]
    if (count > most) throw new Refusal(where, `has ${count} ${name}; SQS takes ${most} in the policy of a queue`)
  }
}

const valuesIn = (value: unknown): readonly unknown[] => (isObject(value) ? Object.values(value) : [])
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0)

function readStatement(statement: Fields): readonly Grant[] {
  statement.ignore(['Effect'])
  const condition = statement.has('Condition') ? statement.object('Condition') : undefined
  const sourceArns = condition === undefined ? undefined : readSources(condition)
  const principals = statement.object('Principal')
  const services = textsOf(principals, 'Service')
  principals.close()
  const resources = textsOf(statement, 'Resource')
  return textsOf(statement, 'Action').flatMap((action) =>
    services.flatMap((principal) => resources.map((resourceArn) => ({ principal, action, resourceArn, sourceArns }))),
  )
}

/** Whether a condition names unencrypted calls, and nothing else. */
export function isSecureTransportOnly(condition: Fields | undefined): boolean {
  const test = condition?.raw('Bool')
  return (
    condition?.names().length === 1 &&
    isObject(test) &&
    Object.keys(test).length === 1 &&
    String(test['aws:SecureTransport']) === 'false'
  )
}

function readSources(condition: Fields): readonly string[] | undefined {
  const [operator = '', ...others] = condition.names()
  if (others.length > 0 || !['ArnEquals', 'ArnLike', 'StringEquals'].includes(operator)) {
    throw new Refusal(condition.where, 'only one of ArnEquals, ArnLike and StringEquals is supported')
  }
  const keys = condition.object(operator).ignore(['aws:SourceAccount', 'AWS:SourceAccount'])
  const name = keys.names().find((key) => key.toLowerCase() === 'aws:sourcearn')
  const sources = name === undefined ? undefined : textsOf(keys, name)
  keys.close()
  if (operator === 'StringEquals' && sources?.some((source) => /[*?]/.test(source)) === true) {
    throw new Refusal(condition.where, 'StringEquals takes wildcards literally, so no resource has this ARN')
  }
  return sources
}

function textsOf(fields: Fields, name: string): readonly string[] {
  return Array.isArray(fields.raw(name)) ? fields.list(name).map(String) : [fields.text(name)]
}

const HARMLESS_MANAGED_POLICY =
  /:iam::aws:policy\/(service-role\/AWSLambdaBasicExecutionRole|AWSXRayDaemonWriteAccess|AWSXrayWriteOnlyAccess)$/

const CONNECTING_POLICY = /:iam::aws:policy\/service-role\/AWSLambdaVPCAccessExecutionRole$/
/** Source: AWS Managed Policy Reference, AWSLambdaVPCAccessExecutionRole, without the actions for logs. */
const CONNECTS = {
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Action: [
        ...['ec2:CreateNetworkInterface', 'ec2:DescribeNetworkInterfaces', 'ec2:DescribeSubnets'],
        ...['ec2:DeleteNetworkInterface', 'ec2:AssignPrivateIpAddresses', 'ec2:UnassignPrivateIpAddresses'],
      ],
      Resource: '*',
    },
  ],
}

/** Returns the statements of a role's inline policies, and of the managed policies that have an effect here. */
export function readRole(properties: Fields): readonly Statement[] {
  properties.ignore(['RoleName', 'Description', 'MaxSessionDuration', 'Path', 'Tags'])
  const managed = properties.findList('ManagedPolicyArns').map(String)
  const unknown = managed.find((arn) => !HARMLESS_MANAGED_POLICY.test(arn) && !CONNECTING_POLICY.test(arn))
  if (unknown !== undefined)
    throw properties.refuse('ManagedPolicyArns', `the managed policy ${unknown} is not supported`)
  const connects = managed.some((arn) => CONNECTING_POLICY.test(arn)) ? parsePolicy(CONNECTS, properties.where) : []
  const policies = properties.findList('Policies')
  const inline = policies.flatMap((policy, index) => {
    const fields = new Fields(policy, `${properties.where}.Policies[${index}]`).ignore(['PolicyName'])
    const statements = parsePolicy(fields.raw('PolicyDocument'), `${fields.where}.PolicyDocument`)
    fields.close()
    return statements
  })
  return [...connects, ...inline]
}

/** Reads an AWS::IAM::ManagedPolicy, which may be the permissions boundary of roles. */
export function readManagedPolicy(properties: Fields): readonly Statement[] {
  properties.ignore(['Description', 'Groups', 'ManagedPolicyName', 'Path', 'Roles', 'Tags', 'Users'])
  return parsePolicy(properties.raw('PolicyDocument'), `${properties.where}.PolicyDocument`)
}

/** Reads an AWS::IAM::Policy: its statements, and the names of its roles. */
export function readPolicy(properties: Fields): {
  readonly roles: readonly string[]
  readonly statements: readonly Statement[]
} {
  properties.ignore(['PolicyName'])
  return {
    roles: properties.list('Roles').map(String),
    statements: parsePolicy(properties.raw('PolicyDocument'), `${properties.where}.PolicyDocument`),
  }
}

/** Reads a table's own policy. Its statements only deny. */
export function readTablePolicy(properties: Fields): TablePolicy | undefined {
  return properties.findWithin('ResourcePolicy', (policy) => {
    const document = policy.raw('PolicyDocument')
    const statements = parseResourcePolicy(document, `${policy.where}.PolicyDocument`)
    return { document: JSON.stringify(document), statements }
  })
}
