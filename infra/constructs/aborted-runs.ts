// Ends runs whose executions were aborted or timed out: Step Functions reports this on the account's default bus, and a
// rule passes it to SettleRun. AWS delivers the event at best effort. Without it, the next run of the policy ends the
// run.
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { STOPPED } from '../../core/contract/triggers.ts'
import { executionRule } from './execution-rule.ts'

export const ABORTED_RULE = 'sluice-aborted-runs'

export interface AbortedRunsProps {
  readonly settleRun: IFunction
  readonly deadLetters: IQueue
  /** State machines of runs only. */
  readonly machines: readonly IStateMachine[]
}

export class AbortedRuns extends Construct {
  constructor(scope: Construct, id: string, { settleRun, deadLetters, machines }: AbortedRunsProps) {
    super(scope, id)
    executionRule(this, 'Aborted', {
      ...{ name: ABORTED_RULE, description: 'Ends runs that nobody carries on.', statuses: STOPPED },
      ...{ machines, target: settleRun, deadLetters },
    })
  }
}
