// Owns the functions of the steps and the state machines over them. Schedules the audit and LookAgain. steps.ts holds the
// differences between functions. state-stack.ts declares what they read and write.
import { Table } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam'
import { Code, type IFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnSchedule, CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { Construct } from 'constructs'
import { CHECKS_GROUP } from '../core/contract/deployed-names.ts'
import { Environment } from '../core/contract/environment.ts'
import type { LookAgainInput } from '../core/contract/look-again.ts'
import type { ReconcileInput } from '../core/contract/reconcile.ts'
import { StateMachine, Verb } from '../core/contract/states.ts'
import { declareConfiguration } from './constructs/configuration.ts'
import { journalIn, nameIn } from './constructs/deployed-name.ts'
import { onBehalfOfSchedules } from './constructs/service-trust.ts'
import type { Place } from './constructs/step-rights.ts'
import { functionNameOf, functionsOf } from './constructs/verb-function.ts'
import { ConvertMachine } from './machines/convert-machine.ts'
import { RebalanceMachine } from './machines/rebalance-machine.ts'
import { SweepMachine } from './machines/sweep-machine.ts'
import { WithdrawMachine } from './machines/withdraw-machine.ts'
import { SluiceStack, type SluiceStackProps } from './sluice-stack.ts'

const INPUT: LookAgainInput = {}

class LookAgain extends Construct {
  /** `place`: with the machines that it may enter. */
  constructor(scope: Construct, id: string, group: CfnScheduleGroup, place: Place) {
    super(scope, id)
    const { lookAgain } = functionsOf(this, 'lookAgain', place)
    const role = new Role(this, 'Role', { assumedBy: onBehalfOfSchedules(this, nameIn(this, CHECKS_GROUP)) })
    const { functionArn: arn } = lookAgain.lambda
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [arn] }))
    const schedule = new CfnSchedule(this, 'Schedule', {
      groupName: nameIn(this, CHECKS_GROUP),
      name: nameIn(this, 'sluice-look-again'),
      description: 'Looks again at what stopped in doubt.',
      // A cron, because EventBridge counts a rate anew from each change of the schedule.
      scheduleExpression: 'cron(0/5 * * * ? *)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn,
        roleArn: role.roleArn,
        input: JSON.stringify(INPUT),
        // Until the next call, which makes up for a missed one. A delivery that is given up rings.
        retryPolicy: { maximumRetryAttempts: 2, maximumEventAgeInSeconds: 300 },
      },
    })
    schedule.addResourceDependency(group)
    // The service tests the role's permissions when the schedule is created.
    schedule.node.addDependency(role)
  }
}

interface AuditScheduleProps {
  readonly group: CfnScheduleGroup
  readonly reconcile: IFunction
}

/** Begins where the last audit ended, which the journal remembers. A missed run only delays. */
const BEGIN: ReconcileInput = {}

/** Does nothing where the last call left nothing. One call works for ten minutes, and ends before the next begins. */
const CONTINUE: ReconcileInput = { continues: true }

class AuditSchedule extends Construct {
  constructor(scope: Construct, id: string, { group, reconcile }: AuditScheduleProps) {
    super(scope, id)
    const role = new Role(this, 'Role', { assumedBy: onBehalfOfSchedules(this, nameIn(this, CHECKS_GROUP)) })
    role.addToPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [reconcile.functionArn] }))
    for (const [name, minutes, input, description] of [
      ['', '0', BEGIN, 'Holds what moved against the journal.'],
      ['-continued', '15,30,45', CONTINUE, 'Continues an audit that one call did not end.'],
    ] as const) {
      const schedule = new CfnSchedule(this, `Schedule${name}`, {
        groupName: nameIn(this, CHECKS_GROUP),
        name: nameIn(this, `sluice-audit${name}`),
        description,
        // A cron, because EventBridge counts a rate anew from each change of the schedule.
        scheduleExpression: `cron(${minutes} * * * ? *)`,
        flexibleTimeWindow: { mode: 'OFF' },
        target: {
          arn: reconcile.functionArn,
          roleArn: role.roleArn,
          input: JSON.stringify(input),
          // Retries of the delivery. The next run continues where a failed audit stopped.
          retryPolicy: { maximumRetryAttempts: 3, maximumEventAgeInSeconds: 1800 },
        },
      })
      schedule.addResourceDependency(group)
      // The service tests the role's permissions when the schedule is created.
      schedule.node.addDependency(role)
    }
  }
}

export interface WorkflowStackProps extends SluiceStackProps {
  /** Folder with the bundle of bundle.ts, and the treasury file beside it. */
  readonly bundleDir: string
  readonly deployer?: Deployer | undefined
}

/** Who deploys which source, as the deployer claims. The log of people shows it as not verified. */
export interface Deployer {
  /** The ARN of a person, or a name. */
  readonly by?: string
  /** Hash of the commit in Git, with `-dirty` where files had changed since. */
  readonly commit?: string
}

export class WorkflowStack extends SluiceStack {
  constructor(scope: Construct, props: WorkflowStackProps) {
    super(scope, 'SluiceWorkflow', { description: 'Sluice: functions and state machines.', ...props })
    const { treasury } = props
    const { timing } = treasury
    declareConfiguration(this, treasury)

    const place: Place = {
      treasury,
      code: Code.fromAsset(props.bundleDir),
      journal: Table.fromTableName(this, 'JournalByName', journalIn(this)),
      variables: {
        [Environment.DeployedBy]: props.deployer?.by,
        [Environment.DeployedCommit]: props.deployer?.commit,
      },
    }
    const functions = functionsOf(this, 'workflow', place)
    const group = new CfnScheduleGroup(this, 'Checks', { name: nameIn(this, CHECKS_GROUP) })
    new AuditSchedule(this, 'AuditSchedule', { group, reconcile: functions.reconcile.lambda })

    // Announce is in a later stack. Until that is deployed, nobody hears of a movement that waits for people.
    const announce = LambdaFunction.fromFunctionName(this, 'AnnounceByName', functionNameOf(this, Verb.Announce))
    const movements = { functions, announce, timing }
    const convert = new ConvertMachine(this, 'Convert', movements).stateMachine
    const withdraw = new WithdrawMachine(this, 'WithdrawMachine', movements).stateMachine
    const rebalance = new RebalanceMachine(this, 'RebalanceMachine', { functions, convert, timing }).stateMachine
    const sweep = new SweepMachine(this, 'SweepMachine', { functions, convert, withdraw, timing }).stateMachine

    const machines = [
      { name: StateMachine.Convert, machine: convert },
      { name: StateMachine.Withdraw, machine: withdraw },
      { name: StateMachine.Rebalance, machine: rebalance },
      { name: StateMachine.Sweep, machine: sweep },
    ]
    new LookAgain(this, 'LookAgain', group, { ...place, machines })
    functionsOf(new Construct(this, 'Doubts'), 'doubts', place)
  }
}
