// Owns what a state machine may do: invoke the functions of its steps, and write its log and traces.
// CDK's own statements invoke every version of a function (`<arn>:*`); these name the functions exactly.
import { Validations } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'

/** A role that may invoke exactly `functions`. */
export function machineRole(scope: Construct, functions: readonly IFunction[]): Role {
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') })
  role.addToPolicy(
    new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: functions.map((invoked) => invoked.functionArn),
    }),
  )
  // https://docs.aws.amazon.com/step-functions/latest/dg/cw-logs.html
  role.addToPolicy(
    new PolicyStatement({
      actions: [
        'logs:CreateLogDelivery',
        'logs:GetLogDelivery',
        'logs:UpdateLogDelivery',
        'logs:DeleteLogDelivery',
        'logs:ListLogDeliveries',
        'logs:PutResourcePolicy',
        'logs:DescribeResourcePolicies',
        'logs:DescribeLogGroups',
      ],
      resources: ['*'],
    }),
  )
  // https://docs.aws.amazon.com/step-functions/latest/dg/xray-iam.html
  role.addToPolicy(
    new PolicyStatement({
      actions: [
        'xray:PutTraceSegments',
        'xray:PutTelemetryRecords',
        'xray:GetSamplingRules',
        'xray:GetSamplingTargets',
      ],
      resources: ['*'],
    }),
  )
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'Log delivery and X-Ray actions know no resources: AWS documents them with "*" only.',
  })
  return role
}
