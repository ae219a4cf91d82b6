// Owns what runs: the functions of each verb, what each may do, and the state machines over them.
// What it may read and write is declared in state-stack.ts.
import { Stack, type StackProps } from 'aws-cdk-lib'
import { Table } from 'aws-cdk-lib/aws-dynamodb'
import { Code, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { Environment } from '../core/contract/environment.ts'
import { JOURNAL_TABLE } from '../core/contract/records.ts'
import { StateMachine, Verb } from '../core/contract/states.ts'
import { KeyRole, roleKeyOf, type Treasury } from '../core/contract/treasury.ts'
import { TREASURY_FILE } from '../core/treasury/config.ts'
import { AuditSchedule } from './constructs/audit-schedule.ts'
import { declareConfiguration, RELEASE } from './constructs/configuration.ts'
import { ConvertMachine } from './constructs/convert-machine.ts'
import { nameIn } from './constructs/deployed-name.ts'
import { DoubtDoors } from './constructs/doubt-doors.ts'
import { journalAccess } from './constructs/journal-access.ts'
import { acknowledgeAlias, type KeyAccess, keyAccess } from './constructs/key-access.ts'
import { LookAgain } from './constructs/look-again.ts'
import { RebalanceMachine } from './constructs/rebalance-machine.ts'
import { serviceUrlParameter } from './constructs/service-url.ts'
import { SweepMachine } from './constructs/sweep-machine.ts'
import { functionNameOf, VerbFunction } from './constructs/verb-function.ts'
import { WithdrawMachine } from './constructs/withdraw-machine.ts'

export interface WorkflowStackProps extends StackProps {
  readonly treasury: Treasury
  /** Folder with the bundle of bundle.ts, and the treasury file beside it. */
  readonly bundleDir: string
}

export class WorkflowStack extends Stack {
  readonly functions: readonly VerbFunction[]

  constructor(scope: Construct, id: string, props: WorkflowStackProps) {
    super(scope, id, props)
    const { treasury } = props
    const journal = Table.fromTableName(this, 'JournalByName', nameIn(this, JOURNAL_TABLE))
    const code = Code.fromAsset(props.bundleDir)

    const serviceUrl = serviceUrlParameter(this, treasury)

    const ofJournal = {
      [Environment.JournalTable]: journal.tableName,
      [Environment.Timing]: JSON.stringify(treasury.timing),
    }
    /** For those that read guards and policies: the file that was deployed with their code. */
    const ofTreasury = { [Environment.TreasuryFile]: TREASURY_FILE }
    const readKey = this.keyOf(KeyRole.Read, props)
    const tradeKey = this.keyOf(KeyRole.Trade, props)
    const transferKey = this.keyOf(KeyRole.Transfer, props)
    const ofService = (key: KeyAccess) => ({
      ...ofJournal,
      ...key.environment,
      [Environment.ServiceUrl]: serviceUrl,
      [Environment.Stage]: treasury.service.stage,
    })

    const quote = new VerbFunction(this, 'Quote', {
      verb: Verb.Quote,
      code,
      description: 'Opens the intent, and asks for a quote inside its price guard.',
      // Processor time comes with memory, and a quote lives for five seconds: at 512 MB signing and TLS
      // take little of them.
      memoryMb: 512,
      // Time, the account, two assets, a price and a quote, each within the client's 15 s; guards in values ask
      // for some prices more. What that makes too long is tried again, with nothing sent.
      timeoutSeconds: 90,
      environment: { ...ofService(tradeKey), ...ofTreasury },
      statements: [...journalAccess(journal, Verb.Quote), ...tradeKey.reads],
    })
    const order = new VerbFunction(this, 'Order', {
      verb: Verb.Order,
      code,
      description: 'Arms the intent, sends its order once, and certifies what became of it.',
      memoryMb: 512,
      // Time, the account, the send, a look and its fills: 75 s if each takes the client's whole 15 s. What was
      // heard of a send must still reach the journal then. At most 20 s of looking inside come after that.
      timeoutSeconds: 120,
      environment: { ...ofService(tradeKey), ...ofTreasury },
      statements: [...journalAccess(journal, Verb.Order), ...tradeKey.signs],
    })
    if (tradeKey.environment[Environment.KmsKey]?.startsWith('alias/')) acknowledgeAlias(order)
    const pollOrder = new VerbFunction(this, 'PollOrder', {
      verb: Verb.PollOrder,
      code,
      description: 'Looks for some seconds whether the order has come to its end.',
      // Mostly waiting, in no hurry: the least that starts quickly.
      memoryMb: 256,
      // At most 20 s of looking inside, and then the account, the order, its fills and the time, each within 15 s.
      timeoutSeconds: 90,
      environment: ofService(readKey),
      statements: [...journalAccess(journal, Verb.PollOrder), ...readKey.reads],
    })
    const conclude = new VerbFunction(this, 'Conclude', {
      verb: Verb.Conclude,
      code,
      description: 'Gives a run that broke down its named end, from the journal alone.',
      memoryMb: 256,
      // Four moves of the journal, of which each may be tried three times for 3 s.
      timeoutSeconds: 60,
      environment: ofJournal,
      statements: [...journalAccess(journal, Verb.Conclude)],
    })
    const checkWithdrawal = new VerbFunction(this, 'CheckWithdrawal', {
      verb: Verb.CheckWithdrawal,
      code,
      description: 'Settles what a withdrawal will be, and refuses what cannot be right.',
      memoryMb: 512,
      // Asset, contact, account and balance: 60 s if each takes the client's whole 15 s.
      timeoutSeconds: 90,
      environment: { ...ofService(readKey), ...ofTreasury },
      statements: [...journalAccess(journal, Verb.CheckWithdrawal), ...readKey.reads],
    })
    const withdraw = new VerbFunction(this, 'Withdraw', {
      verb: Verb.Withdraw,
      code,
      description: 'Arms the intent, sends its withdrawal once, and certifies what became of it.',
      memoryMb: 512,
      // Two walks through the asset's withdrawals and the send. What was heard of a send must still reach
      // the journal. At most 20 s of looking inside come after that.
      timeoutSeconds: 240,
      environment: {
        ...ofService(transferKey),
        ...ofTreasury,
        [Environment.Shared]: String(treasury.service.shared ?? 'unknown'),
      },
      statements: [...journalAccess(journal, Verb.Withdraw), ...transferKey.signs],
    })
    if (transferKey.environment[Environment.KmsKey]?.startsWith('alias/')) acknowledgeAlias(withdraw)
    const pollWithdrawal = new VerbFunction(this, 'PollWithdrawal', {
      verb: Verb.PollWithdrawal,
      code,
      description: 'Looks for some seconds whether the withdrawal has come to its end.',
      memoryMb: 256,
      // At most 20 s of looking inside, and then the row, its ledger entries and the time, each within 15 s.
      timeoutSeconds: 90,
      environment: ofService(readKey),
      statements: [...journalAccess(journal, Verb.PollWithdrawal), ...readKey.reads],
    })
    const reconcile = new VerbFunction(this, 'Reconcile', {
      verb: Verb.Reconcile,
      code,
      description: 'Audits what moved against the journal, and tells what does not tie out.',
      memoryMb: 512,
      // Bounded by its counts of movements and intents, at some milliseconds each; the most that Lambda gives.
      timeoutSeconds: 900,
      environment: {
        ...ofService(readKey),
        ...ofTreasury,
        [Environment.Shared]: String(treasury.service.shared ?? 'unknown'),
      },
      statements: [...journalAccess(journal, Verb.Reconcile), ...readKey.reads],
    })
    const describe = new VerbFunction(this, 'Describe', {
      verb: Verb.Describe,
      code,
      description: 'Says what this deployment runs with.',
      memoryMb: 256,
      timeoutSeconds: 10,
      environment: { ...ofTreasury, [Environment.Release]: RELEASE, [Environment.ServiceUrl]: serviceUrl },
      statements: [],
    })
    declareConfiguration(this, treasury)
    new AuditSchedule(this, 'AuditSchedule', { reconcile: reconcile.lambda })

    const ofRun = (verb: Verb) => ({
      verb,
      environment: { ...ofService(readKey), ...ofTreasury },
      // No key that moves money: what a plan asks for, its legs do by the functions above.
      statements: [...journalAccess(journal, verb), ...readKey.reads],
    })
    const planRebalance = new VerbFunction(this, 'PlanRebalance', {
      code,
      description: 'Plans a run of a policy that converts, and freezes its legs.',
      // Ten thousand assets are planned in a tenth of a second only with a processor of one's own.
      memoryMb: 1024,
      // Reads of balances, markets and prices, in a few rounds. Figures older than a plan may be are refused.
      timeoutSeconds: 240,
      ...ofRun(Verb.PlanRebalance),
    })
    const planSweep = new VerbFunction(this, 'PlanSweep', {
      code,
      description: 'Plans a phase of a run that withdraws, and freezes its legs.',
      memoryMb: 1024,
      timeoutSeconds: 240,
      ...ofRun(Verb.PlanSweep),
    })
    const settleRun = new VerbFunction(this, 'SettleRun', {
      code,
      description: 'Tells what became of every leg of a run, from the journal and the service.',
      memoryMb: 512,
      // Up to 200 legs, each with its intent and its movement.
      timeoutSeconds: 240,
      ...ofRun(Verb.SettleRun),
    })
    // Of a later stack: a movement that waits before that is there is told by nobody.
    const announce = LambdaFunction.fromFunctionName(this, 'AnnounceByName', functionNameOf(this, Verb.Announce))
    const convert = new ConvertMachine(this, 'Convert', {
      quote: quote.version,
      order: order.version,
      pollOrder: pollOrder.version,
      conclude: conclude.version,
      announce,
      timing: treasury.timing,
    }).stateMachine
    const withdrawals = new WithdrawMachine(this, 'WithdrawMachine', {
      checkWithdrawal: checkWithdrawal.version,
      withdraw: withdraw.version,
      pollWithdrawal: pollWithdrawal.version,
      conclude: conclude.version,
      announce,
      timing: treasury.timing,
    }).stateMachine
    const rebalance = new RebalanceMachine(this, 'RebalanceMachine', {
      planRebalance: planRebalance.version,
      settleRun: settleRun.version,
      convert,
      timing: treasury.timing,
    }).stateMachine
    const sweep = new SweepMachine(this, 'SweepMachine', {
      planSweep: planSweep.version,
      settleRun: settleRun.version,
      convert,
      withdraw: withdrawals,
      timing: treasury.timing,
    }).stateMachine
    const { verb: lookAgain } = new LookAgain(this, 'LookAgain', {
      code,
      journal,
      machines: [
        { name: StateMachine.Convert, machine: convert },
        { name: StateMachine.Withdraw, machine: withdrawals },
        { name: StateMachine.Rebalance, machine: rebalance },
        { name: StateMachine.Sweep, machine: sweep },
      ],
      environment: ofService(readKey),
      keyReads: readKey.reads,
    })
    const doubts = new DoubtDoors(this, 'Doubts', {
      ...{ code, journal },
      environment: ofService(readKey),
      keyReads: readKey.reads,
    })
    this.functions = [
      ...[quote, order, pollOrder, checkWithdrawal, withdraw, pollWithdrawal, conclude, reconcile],
      ...[planRebalance, planSweep, settleRun, describe, lookAgain],
      ...doubts.verbs,
    ]
  }

  private keyOf(role: KeyRole, { treasury }: WorkflowStackProps): KeyAccess {
    const { secret, kmsKey } = roleKeyOf(treasury.service, role)
    return keyAccess(this, { role, secret, kmsKey })
  }
}
