// Reads roles and policies from their resolved properties. Ignores managed policies that only allow writing logs and
// traces, and refuses any other.
import type { TablePolicy } from '../dynamodb/table-policies.ts'
import { parsePolicy, parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'
import { Fields } from '../fields.ts'

const HARMLESS_MANAGED_POLICY =
  /:iam::aws:policy\/(service-role\/AWSLambdaBasicExecutionRole|AWSXRayDaemonWriteAccess|AWSXrayWriteOnlyAccess)$/

/** Returns the statements of a role's inline policies. */
export function readRole(properties: Fields): readonly Statement[] {
  properties.ignore(['RoleName', 'Description', 'MaxSessionDuration', 'Path', 'Tags'])
  for (const managed of properties.has('ManagedPolicyArns') ? properties.list('ManagedPolicyArns') : []) {
    if (!HARMLESS_MANAGED_POLICY.test(String(managed))) {
      throw properties.refuse('ManagedPolicyArns', `the managed policy ${String(managed)} is not supported`)
    }
  }
  const policies = properties.has('Policies') ? properties.list('Policies') : []
  return policies.flatMap((policy, index) => {
    const fields = new Fields(policy, `${properties.where}.Policies[${index}]`).ignore(['PolicyName'])
    const statements = parsePolicy(fields.raw('PolicyDocument'), `${fields.where}.PolicyDocument`)
    fields.close()
    return statements
  })
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
