// Owns the functions by which people reach the journal on AWS: RequestRun, Decide, ThrowSwitch, Resume and Release, each behind
// a function URL that takes signed requests only. Those on doubts need a key of the service (doubt-doors.ts). They are the only roles that may write what people say. Who may call them is said by
// permissions of people (people-policies.ts), and by nothing here: a URL of AuthType AWS_IAM lets nobody in by itself.
import { Stack } from 'aws-cdk-lib'
import type { ITable } from 'aws-cdk-lib/aws-dynamodb'
import type { IEventBus } from 'aws-cdk-lib/aws-events'
import type { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { type Code, FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { Environment } from '../../core/contract/environment.ts'
import { EVENT_BUS, SwitchEvent } from '../../core/contract/events.ts'
import { Verb } from '../../core/contract/states.ts'
import { TREASURY_FILE } from '../../core/treasury/config.ts'
import { nameIn } from './deployed-name.ts'
import { journalAccess } from './journal-access.ts'
import { acknowledgeExecutions, type NamedMachine } from './machine-role.ts'
import { mayTell } from './request-bus.ts'
import { VerbFunction } from './verb-function.ts'

export interface PeopleDoorsProps {
  readonly code: Code
  readonly journal: ITable
  /** On which a halt is told. */
  readonly bus: IEventBus
  /** Those of runs: a run that people have decided on is entered. */
  readonly machines: readonly NamedMachine[]
  readonly starts: readonly PolicyStatement[]
  /** Kept for halting, so that a crowd elsewhere does not hold it up; undefined: it shares with all. */
  readonly switchesAtOnce: number | undefined
}

export class PeopleDoors extends Construct {
  readonly verbs: readonly VerbFunction[]
  /** Tells of halts on the bus. */
  readonly throwSwitch: VerbFunction
  /** Tells of their ends there. */
  readonly resume: VerbFunction

  constructor(
    scope: Construct,
    id: string,
    { bus, code, journal, machines, starts, switchesAtOnce }: PeopleDoorsProps,
  ) {
    super(scope, id)
    const arns = Object.fromEntries(machines.map(({ name, machine }) => [name, machine.stateMachineArn]))
    const ofJournal = { [Environment.JournalTable]: journal.tableName }
    const machineArns = { [Environment.StateMachines]: Stack.of(this).toJsonString(arns) }
    const requestRun = new VerbFunction(this, 'RequestRun', {
      verb: Verb.RequestRun,
      code,
      description: 'Records that a person asks for a run of a policy, and starts it.',
      memoryMb: 256,
      // The table, the run, who asked and the start, each tried three times for 3 s at most.
      timeoutSeconds: 60,
      environment: { ...ofJournal, ...machineArns, [Environment.TreasuryFile]: TREASURY_FILE },
      statements: [...starts, ...journalAccess(journal, Verb.RequestRun)],
    })
    const decide = new VerbFunction(this, 'Decide', {
      verb: Verb.Decide,
      code,
      description: 'Records what a person says of a plan or a movement, and lets the run go on.',
      memoryMb: 256,
      // The table, the run, its words and a few starts, each tried three times for 3 s at most.
      timeoutSeconds: 60,
      environment: { ...ofJournal, ...machineArns, [Environment.TreasuryFile]: TREASURY_FILE },
      statements: [...starts, ...journalAccess(journal, Verb.Decide)],
    })
    const reason = 'It reads executions whose names follow from those of runs, and are not known before.'
    for (const each of machines) {
      acknowledgeExecutions(requestRun, each, reason)
      acknowledgeExecutions(decide, each, reason)
    }
    this.throwSwitch = new VerbFunction(this, 'ThrowSwitch', {
      verb: Verb.ThrowSwitch,
      code,
      description: 'Records that a person halts sending.',
      memoryMb: 256,
      timeoutSeconds: 30,
      mostAtOnce: switchesAtOnce,
      environment: { ...ofJournal, [Environment.EventBus]: nameIn(this, EVENT_BUS) },
      statements: [...journalAccess(journal, Verb.ThrowSwitch), mayTell(bus, [SwitchEvent.Halted])],
    })
    this.resume = new VerbFunction(this, 'Resume', {
      verb: Verb.Resume,
      code,
      description: 'Records that a person lets sending go on.',
      memoryMb: 256,
      timeoutSeconds: 30,
      environment: {
        ...ofJournal,
        [Environment.EventBus]: nameIn(this, EVENT_BUS),
        [Environment.TreasuryFile]: TREASURY_FILE,
      },
      statements: [...journalAccess(journal, Verb.Resume), mayTell(bus, [SwitchEvent.Resumed])],
    })
    const release = new VerbFunction(this, 'Release', {
      verb: Verb.Release,
      code,
      description: "Records that a person declares what runs left on their way to be others' business.",
      memoryMb: 256,
      timeoutSeconds: 30,
      environment: ofJournal,
      statements: journalAccess(journal, Verb.Release),
    })
    this.verbs = [requestRun, decide, this.throwSwitch, this.resume, release]
    for (const { lambda } of this.verbs) lambda.addFunctionUrl({ authType: FunctionUrlAuthType.AWS_IAM })
  }
}
