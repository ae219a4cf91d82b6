// Makes rules that pass events to functions. Step Functions reports ends of executions on the account's default bus.
// Ends of our machines go to Announce, and runs that were aborted or timed out to SettleRun. AWS delivers these events
// at best effort. Events that the function cannot take go to the dead letters. The news that people resumed sending
// goes to LookAgain: it only saves time, because LookAgain's own schedule finds the same runs.
import { type IEventBus, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import type { IQueue } from 'aws-cdk-lib/aws-sqs'
import type { IStateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { EVENT_SOURCE, SwitchEvent } from '../../core/contract/events.ts'
import type { LookAgainInput } from '../../core/contract/look-again.ts'
import { EXECUTION_CHANGED, STOPPED } from '../../core/contract/triggers.ts'
import { idOnBus, nameIn } from './deployed-name.ts'
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

export const ABORTED_RULE = 'sluice-aborted-runs'

interface AbortedRunsProps {
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

export const ENDS_RULE = 'sluice-ends'

interface ResultRuleProps {
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

const RESUME_RULE = 'sluice-resumed'

const INPUT: LookAgainInput = { resumed: true }

interface ResumeRuleProps {
  readonly bus: IEventBus
  readonly lookAgain: IFunction
}

export class ResumeRule extends Construct {
  constructor(scope: Construct, id: string, { bus, lookAgain }: ResumeRuleProps) {
    super(scope, id)
    const rule = new Rule(this, idOnBus(this, 'Resumed'), {
      ruleName: nameIn(this, RESUME_RULE),
      description: 'Carries out what was approved while sending was halted.',
      eventBus: bus,
      eventPattern: { source: [EVENT_SOURCE], detailType: [SwitchEvent.Resumed] },
    })
    // No dead letter and no alarm, because the next call by the schedule makes up for a missed one.
    rule.addTarget(new LambdaFunction(lookAgain, { event: RuleTargetInput.fromObject(INPUT), ...HAND_OVER }))
  }
}
