// Applies what a company asks of every resource of a deployment: tags, and for roles a path and a permissions boundary.
// Also gives log groups the days for which they keep their lines. Each stack does it once, for everything in it.
import { ArnFormat, Aspects, CfnResource, type Stack, Tags } from 'aws-cdk-lib'
import { CfnRole } from 'aws-cdk-lib/aws-iam'
import type { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { Construct, IConstruct } from 'constructs'
import { LOG_RETENTION_DAYS } from '../../core/contract/account-settings.ts'
import type { Treasury } from '../../core/contract/treasury.ts'

const RETENTION = 'sluice:log-retention'

/** CloudFormation refuses tags of these types in some regions, us-east-1 among them. The stack's tags reach them elsewhere. */
const WITHOUT_TAGS_SOMEWHERE = ['AWS::CloudWatch::Dashboard']

/** Call this function before anything is created in the stack. */
export function applyAccountSettings(stack: Stack, settings: Treasury['aws']): void {
  const { logRetentionDays, permissionsBoundary, rolePath, tags = {} } = settings ?? {}
  stack.node.setContext(RETENTION, logRetentionDays)
  for (const [key, value] of Object.entries(tags))
    Tags.of(stack).add(key, value, { excludeResourceTypes: WITHOUT_TAGS_SOMEWHERE })
  const ofRoles = {
    ...(permissionsBoundary !== undefined && { PermissionsBoundary: policyArn(stack, permissionsBoundary) }),
    ...(rolePath !== undefined && { Path: rolePath }),
  }
  if (Object.keys(ofRoles).length > 0) Aspects.of(stack).add({ visit: (node) => overrideRole(node, ofRoles) })
}

/** The days are among those that CloudWatch Logs takes, which are the values of RetentionDays. */
export function logRetentionOf(scope: Construct): RetentionDays {
  return scope.node.tryGetContext(RETENTION) ?? LOG_RETENTION_DAYS
}

/** Also reaches roles that the CDK itself makes, which no construct of ours passes properties to. */
function overrideRole(node: IConstruct, properties: Readonly<Record<string, unknown>>): void {
  if (!CfnResource.isCfnResource(node) || node.cfnResourceType !== CfnRole.CFN_RESOURCE_TYPE_NAME) return
  for (const [name, value] of Object.entries(properties)) node.addPropertyOverride(name, value)
}

/** The ARN of a policy of this account, where `policy` is its name. */
function policyArn(stack: Stack, policy: string): string {
  if (policy.startsWith('arn:')) return policy
  return stack.formatArn({
    ...{ service: 'iam', region: '', resource: 'policy', resourceName: policy },
    arnFormat: ArnFormat.SLASH_RESOURCE_NAME,
  })
}
