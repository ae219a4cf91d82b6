// Owns how a run is ended whose execution was aborted or timed out: Step Functions tells the account's default bus,
// and a rule hands that to SettleRun. AWS delivers such an event at best effort. Where none comes, the next run of
// the policy ends that run.
import { Rule } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { EXECUTION_CHANGED, STOPPED } from '../../core/contract/triggers.ts'
import { nameIn } from './deployed-name.ts'
import { HAND_OVER } from './request-bus.ts'

export const ABORTED_RULE = 'sluice-aborted-runs'

export interface AbortedRunsProps {
  readonly settleRun: IFunction
  readonly deadLetters: IQueue
  /** Those of runs. */
  readonly machines: readonly IStateMachine[]
}

export class AbortedRuns extends Construct {
  constructor(scope: Construct, id: string, { settleRun, deadLetters, machines }: AbortedRunsProps) {
    super(scope, id)
    const rule = new Rule(this, 'Aborted', {
      ruleName: nameIn(this, ABORTED_RULE),
      description: 'Ends runs that nobody carries on.',
      eventPattern: {
        source: ['aws.states'],
        detailType: [EXECUTION_CHANGED],
        detail: { status: [...STOPPED], stateMachineArn: machines.map(({ stateMachineArn }) => stateMachineArn) },
      },
    })
    rule.addTarget(new LambdaFunction(settleRun, { deadLetterQueue: deadLetters, ...HAND_OVER }))
  }
}
