// Reads roles and policies from their resolved properties. Managed policies that only allow a
// function to write logs and traces are nothing here; any other is refused.
import type { TablePolicy } from '../dynamodb/table-policies.ts'
import { parsePolicy, parseResourcePolicy, type Statement } from '../endpoint/access-policy.ts'
import { Fields } from '../fields.ts'

const HARMLESS_MANAGED_POLICY =
  /:iam::aws:policy\/(service-role\/AWSLambdaBasicExecutionRole|AWSXRayDaemonWriteAccess|AWSXrayWriteOnlyAccess)$/

/** Statements of a role's own inline policies. */
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

/** An AWS::IAM::Policy: its statements, and the names of the roles that it belongs to. */
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

/** A table's own policy: what it denies. */
export function readTablePolicy(properties: Fields): TablePolicy | undefined {
  if (!properties.has('ResourcePolicy')) return undefined
  const policy = properties.object('ResourcePolicy')
  const document = policy.raw('PolicyDocument')
  const statements = parseResourcePolicy(document, `${policy.where}.PolicyDocument`)
  policy.close()
  return { document: JSON.stringify(document), statements }
}
