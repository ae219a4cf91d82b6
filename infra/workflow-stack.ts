// Owns the functions of the steps and the state machines over them. steps.ts holds the differences between functions,
// and state-stack.ts declares what they read and write.
import { Table } from 'aws-cdk-lib/aws-dynamodb'
import { Code, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { CfnScheduleGroup } from 'aws-cdk-lib/aws-scheduler'
import { Construct } from 'constructs'
import { CHECKS_GROUP } from '../core/contract/deployed-names.ts'
import { Environment } from '../core/contract/environment.ts'
import { StateMachine, Verb } from '../core/contract/states.ts'
import { AuditSchedule } from './constructs/audit-schedule.ts'
import { declareConfiguration } from './constructs/configuration.ts'
import { journalIn, nameIn } from './constructs/deployed-name.ts'
import { LookAgain } from './constructs/look-again.ts'
import type { Place } from './constructs/step-rights.ts'
import { functionNameOf, functionsOf } from './constructs/verb-function.ts'
import { ConvertMachine } from './machines/convert-machine.ts'
import { RebalanceMachine } from './machines/rebalance-machine.ts'
import { SweepMachine } from './machines/sweep-machine.ts'
import { WithdrawMachine } from './machines/withdraw-machine.ts'
import { SluiceStack, type SluiceStackProps } from './sluice-stack.ts'

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
