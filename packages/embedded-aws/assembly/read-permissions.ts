// Reads roles and policies from their resolved properties. Ignores managed policies that only allow writing logs and
// traces, knows the one that lets Lambda connect a function to a VPC, and refuses any other.
import type { TablePolicy } from '../dynamodb/table-policies.ts'
import { parsePolicy, parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'
import { Fields } from '../fields.ts'

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
  const managed = (properties.has('ManagedPolicyArns') ? properties.list('ManagedPolicyArns') : []).map(String)
  const unknown = managed.find((arn) => !HARMLESS_MANAGED_POLICY.test(arn) && !CONNECTING_POLICY.test(arn))
  if (unknown !== undefined)
    throw properties.refuse('ManagedPolicyArns', `the managed policy ${unknown} is not supported`)
  const connects = managed.some((arn) => CONNECTING_POLICY.test(arn)) ? parsePolicy(CONNECTS, properties.where) : []
  const policies = properties.has('Policies') ? properties.list('Policies') : []
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
  if (!properties.has('ResourcePolicy')) return undefined
  const policy = properties.object('ResourcePolicy')
  const document = policy.raw('PolicyDocument')
  const statements = parseResourcePolicy(document, `${policy.where}.PolicyDocument`)
  policy.close()
  return { document: JSON.stringify(document), statements }
}
