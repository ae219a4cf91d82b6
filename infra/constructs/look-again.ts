// Owns LookAgain: its function, what it may do, and when it looks. It may read the journal and start the machines that
// entries are of. It writes nothing, and its key only reads.

import { Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam'
import type { Code } from 'aws-cdk-lib/aws-lambda'
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler'
import { Construct } from 'constructs'
import { Environment } from '../../core/contract/environment.ts'
import type { LookAgainInput } from '../../core/contract/look-again.ts'
import { StateMachine, Verb } from '../../core/contract/states.ts'
import { nameIn } from './deployed-name.ts'
import { journalAccess } from './journal-access.ts'
import { acknowledgeExecutions, executionsOf, type NamedMachine } from './machine-role.ts'
import { DEFAULT_GROUP, onBehalfOfSchedules } from './service-trust.ts'
import { VerbFunction } from './verb-function.ts'

export interface LookAgainProps {
  readonly code: Code
  readonly journal: ITable
  /** Those that it may enter. */
  readonly machines: readonly NamedMachine[]
  /** Of the service, the key that reads, and the journal. */
  readonly environment: Readonly<Record<string, string>>
  /** To read that key. */
  readonly keyReads: readonly PolicyStatement[]
}

const INPUT: LookAgainInput = {}

export class LookAgain extends Construct {
  readonly verb: VerbFunction

  constructor(scope: Construct, id: string, { code, journal, machines, environment, keyReads }: LookAgainProps) {
    super(scope, id)
    const arns = Object.fromEntries(machines.map(({ name, machine }) => [name, machine.stateMachineArn]))
    this.verb = new VerbFunction(this, 'LookAgain', {
      verb: Verb.LookAgain,
      code,
      description: 'Enters again what stopped in doubt, once the service answers.',
      memoryMb: 256,
      // Up to 5,000 records and 200 intents with a few executions each, eight at a time.
      timeoutSeconds: 240,
      environment: { ...environment, [Environment.StateMachines]: Stack.of(this).toJsonString(arns) },
      statements: [
        ...journalAccess(journal, Verb.LookAgain),
        new PolicyStatement({
          actions: ['states:StartExecution'],
          resources: machines.map(({ machine }) => machine.stateMachineArn),
        }),
        // Which of them were stopped: a payout to a bank has nobody then who looks at it.
        new PolicyStatement({
          actions: ['states:ListExecutions'],
          resources: machines
            .filter(({ name }) => name === StateMachine.Withdraw)
            .map(({ machine }) => machine.stateMachineArn),
        }),
        new PolicyStatement({
          actions: ['states:DescribeExecution'],
          resources: machines.map((each) => executionsOf(this, each)),
        }),
        ...keyReads,
      ],
    })
    const reason = 'It reads executions whose names follow from what was asked for, and are not known before.'
    for (const each of machines) acknowledgeExecutions(this.verb, each, reason)

    const role = new Role(this, 'Role', { assumedBy: onBehalfOfSchedules(this, DEFAULT_GROUP) })
    const { functionArn: arn } = this.verb.lambda
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [arn] }))
    new CfnSchedule(this, 'Schedule', {
      name: nameIn(this, 'sluice-look-again'),
      description: 'Looks again at what stopped in doubt.',
      // Not a rate: the service counts that anew from each change of the schedule.
      scheduleExpression: 'cron(0/5 * * * ? *)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn,
        roleArn: role.roleArn,
        input: JSON.stringify(INPUT),
        // The next look makes up for one that could not be handed over.
        retryPolicy: { maximumRetryAttempts: 0, maximumEventAgeInSeconds: 300 },
      },
    })
  }
}
