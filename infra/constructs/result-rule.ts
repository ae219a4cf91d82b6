// Owns how ends become known: Step Functions tells the account's default bus when an execution ends, and a rule
// hands that of each of our machines to Announce.
import { Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { EXECUTION_CHANGED } from '../../core/contract/triggers.ts'
import { nameIn } from './deployed-name.ts'
import { HAND_OVER } from './request-bus.ts'

export const ENDS_RULE = 'sluice-ends'

export interface ResultRuleProps {
  readonly announce: IFunction
  readonly deadLetters: IQueue
  readonly machines: readonly IStateMachine[]
}

export class ResultRule extends Construct {
  constructor(scope: Construct, id: string, { announce, deadLetters, machines }: ResultRuleProps) {
    super(scope, id)
    const rule = new Rule(this, 'Ends', {
      ruleName: nameIn(this, ENDS_RULE),
      description: 'Tells how executions ended.',
      // https://docs.aws.amazon.com/step-functions/latest/dg/eventbridge-integration.html
      eventPattern: {
        source: ['aws.states'],
        detailType: [EXECUTION_CHANGED],
        detail: {
          status: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'],
          stateMachineArn: machines.map(({ stateMachineArn }) => stateMachineArn),
        },
      },
    })
    rule.addTarget(new LambdaFunction(announce, { deadLetterQueue: deadLetters, ...HAND_OVER }))
  }
}
