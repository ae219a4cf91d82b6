// Announces ends: Step Functions reports the end of an execution on the account's default bus, and a rule passes those
// of our machines to Announce.
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { executionRule } from './execution-rule.ts'

export const ENDS_RULE = 'sluice-ends'

export interface ResultRuleProps {
  readonly announce: IFunction
  readonly deadLetters: IQueue
  readonly machines: readonly IStateMachine[]
}

export class ResultRule extends Construct {
  constructor(scope: Construct, id: string, { announce, deadLetters, machines }: ResultRuleProps) {
    super(scope, id)
    executionRule(this, 'Ends', {
      ...{ name: ENDS_RULE, description: 'Tells how executions ended.' },
      ...{ statuses: ['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED'], machines, target: announce, deadLetters },
    })
  }
}
