// Lets what people have approved continue right after they resume sending: a rule passes the news on the bus to LookAgain.
// The event only saves time, because LookAgain's own schedule finds the same runs.
import { type IEventBus, Rule, RuleTargetInput } from 'aws-cdk-lib/aws-events'
import { LambdaFunction } from 'aws-cdk-lib/aws-events-targets'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { EVENT_SOURCE, SwitchEvent } from '../../core/contract/events.ts'
import type { LookAgainInput } from '../../core/contract/look-again.ts'
import { idOnBus, nameIn } from './deployed-name.ts'
import { HAND_OVER } from './request-bus.ts'

export const RESUME_RULE = 'sluice-resumed'

const INPUT: LookAgainInput = { resumed: true }

export interface ResumeRuleProps {
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
