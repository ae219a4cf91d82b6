// Owns the permissions of a state machine: to invoke the functions of its steps, run the machines of its legs, and
// write its log and traces.
import { ArnFormat, Stack } from 'aws-cdk-lib'
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam'
import type { CfnFunction, IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import type { StateMachine as MachineName } from '../../core/contract/states.ts'
import { nameIn } from './deployed-name.ts'
import { onBehalfOf } from './service-trust.ts'
import { setAside } from './set-aside.ts'

/** A machine that others start, and the name in the ARNs of its executions. */
export interface NamedMachine {
  readonly name: MachineName
  readonly machine: IStateMachine
}

export interface MachineRights {
  readonly name: MachineName
  readonly functions: readonly { readonly lambda: LambdaFunction }[]
  /** Called in its deployed form, without a version. */
  readonly announce?: IFunction
  readonly children?: readonly NamedMachine[]
}

/**
 * Creates the role of the machine `name`. It may invoke exactly these functions, `functions` in any version, and run
 * exactly `children`.
 */
export function machineRole(scope: Construct, { name, functions, announce, children = [] }: MachineRights): Role {
  const machineArn = Stack.of(scope).formatArn({
    ...{ service: 'states', resource: 'stateMachine', resourceName: nameIn(scope, name) },
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
  const role = new Role(scope, 'Role', { assumedBy: onBehalfOf(scope, 'states.amazonaws.com', machineArn) })
  role.addToPolicy(
    new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      // Executions of earlier definitions call earlier versions.
      resources: [
        ...functions.map(({ lambda }) => `${lambda.functionArn}:*`),
        ...(announce === undefined ? [] : [announce.functionArn]),
      ],
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
  setAside(role, {
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'Log delivery and X-Ray actions know no resources: AWS documents them with "*" only.',
  })
  for (const { lambda } of functions) {
    const id = Stack.of(scope).getLogicalId(lambda.node.defaultChild as CfnFunction)
    setAside(role, {
      id: `AwsSolutions-IAM5[Resource::<${id}.Arn>:*]`,
      reason: 'An execution goes on with the version that its definition names, whichever is deployed meanwhile.',
    })
  }
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
 * Statements to start executions and wait for their end, which Step Functions does with a rule of its own.
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

export function executionsOf(scope: Construct, { name }: NamedMachine): string {
  return Stack.of(scope).formatArn({
    service: 'states',
    resource: 'execution',
    resourceName: `${nameIn(scope, name)}:*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
}

/** Tells cdk-nag the reason why a role names all executions of a machine. */
export function acknowledgeExecutions(role: Construct, { name }: NamedMachine, reason: string): void {
  setAside(role, {
    id: `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:states:<AWS::Region>:<AWS::AccountId>:execution:${nameIn(role, name)}:*]`,
    reason,
  })
}
