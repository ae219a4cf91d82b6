// Owns what a state machine may do: invoke the functions of its steps, run the machines of its legs, and
// write its log and traces.
// CDK's own statements invoke every version of a function (`<arn>:*`); these name the functions exactly.
import { ArnFormat, Stack, Validations } from 'aws-cdk-lib'
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import type { StateMachine as MachineName } from '../../core/contract/states.ts'
import { nameIn } from './deployed-name.ts'

/** A machine that others start, and the name that its executions' ARNs hold. */
export interface NamedMachine {
  readonly name: MachineName
  readonly machine: IStateMachine
}

/** A role that may invoke exactly `functions`, and run exactly `children`. */
export function machineRole(
  scope: Construct,
  functions: readonly IFunction[],
  children: readonly NamedMachine[] = [],
): Role {
  const role = new Role(scope, 'Role', { assumedBy: new ServicePrincipal('states.amazonaws.com') })
  role.addToPolicy(
    new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: functions.map((invoked) => invoked.functionArn),
    }),
  )
  for (const statement of childStatements(scope, children)) role.addToPolicy(statement)
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
  for (const child of children) {
    acknowledgeExecutions(
      role,
      child,
      'A run waits for and stops the executions of its legs, whose names are known only once it is planned.',
    )
  }
  return role
}

/**
 * To start executions and wait for their end, which Step Functions does by a rule of its own.
 * https://docs.aws.amazon.com/step-functions/latest/dg/connect-stepfunctions.html
 */
function childStatements(scope: Construct, children: readonly NamedMachine[]): PolicyStatement[] {
  if (children.length === 0) return []
  return [
    new PolicyStatement({
      actions: ['states:StartExecution'],
      resources: children.map(({ machine }) => machine.stateMachineArn),
    }),
    new PolicyStatement({
      actions: ['states:DescribeExecution', 'states:StopExecution'],
      resources: children.map((child) => executionsOf(scope, child)),
    }),
    new PolicyStatement({
      actions: ['events:PutTargets', 'events:PutRule', 'events:DescribeRule'],
      resources: [
        Stack.of(scope).formatArn({
          service: 'events',
          resource: 'rule',
          resourceName: 'StepFunctionsGetEventsForStepFunctionsExecutionRule',
        }),
      ],
    }),
  ]
}

/** ARN of every execution of a machine. */
export function executionsOf(scope: Construct, { name }: NamedMachine): string {
  return Stack.of(scope).formatArn({
    service: 'states',
    resource: 'execution',
    resourceName: `${nameIn(scope, name)}:*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
}

/** Says to cdk-nag why a role names all executions of a machine. */
export function acknowledgeExecutions(role: Construct, { name }: NamedMachine, reason: string): void {
  Validations.of(role).acknowledge({
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${nameIn(role, name)}:*]`,
    reason,
  })
}
