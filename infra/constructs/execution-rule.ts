// Makes a rule for ends of executions: Step Functions reports an end on the account's default bus, and the rule passes
// it to a function. AWS delivers the event at best effort. Events that the function cannot take go to the dead letters.
import { Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import { EXECUTION_CHANGED } from '../../core/contract/triggers.ts'
import { nameIn } from './deployed-name.ts'
import { HAND_OVER } from './request-bus.ts'

export interface ExecutionRuleProps {
  readonly name: string
  readonly description: string
  /** Statuses of ended executions, such as ABORTED. */
  readonly statuses: readonly string[]
  readonly machines: readonly IStateMachine[]
  readonly target: IFunction
  readonly deadLetters: IQueue
}

export function executionRule(
  scope: Construct,
  id: string,
  { name, description, statuses, machines, target, deadLetters }: ExecutionRuleProps,
): void {
  const rule = new Rule(scope, id, {
    ruleName: nameIn(scope, name),
    description,
    // https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
    eventPattern: {
      source: ['aws.states'],
      detailType: [EXECUTION_CHANGED],
      detail: { status: [...statuses], stateMachineArn: machines.map(({ stateMachineArn }) => stateMachineArn) },
    },
  })
  rule.addTarget(new LambdaFunction(target, { deadLetterQueue: deadLetters, ...HAND_OVER }))
}
