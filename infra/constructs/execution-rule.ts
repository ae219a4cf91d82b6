// Owns a rule for ends of executions: Step Functions tells the account's default bus when an execution ends, and the rule hands
// that to a function. AWS delivers such an event at best effort; what the function could not take goes to the dead letters.
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
  /** Ends of executions, such as ABORTED. */
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
