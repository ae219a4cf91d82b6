// Owns what starts runs and announces their ends: schedules, the bus, the webhooks' address and queue, the functions
// behind them, and the dead-letter queue. None of these functions can move money or
// sign for it: they start executions by name.
import { Stack, type StackProps } from 'aws-cdk-lib'
import { Table } from 'aws-cdk-lib/aws-dynamodb'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import { Code, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import type { Construct } from 'constructs'
import { Environment } from '../core/contract/environment.ts'
import { APPROVAL_AWAITED, EVENT_BUS, ResultEvent, SwitchEvent } from '../core/contract/events.ts'
import { JOURNAL_TABLE } from '../core/contract/records.ts'
import { StateMachine as MachineName, Verb } from '../core/contract/states.ts'
import { reservesOf, type Treasury } from '../core/contract/treasury.ts'
import { TREASURY_FILE } from '../core/treasury/config.ts'
import { AbortedRuns } from './constructs/aborted-runs.ts'
import { deadLetterQueue, keepFailures } from './constructs/dead-letters.ts'
import { nameIn } from './constructs/deployed-name.ts'
import { DepositQueue, TAKES_SECONDS } from './constructs/deposit-queue.ts'
import { journalAccess } from './constructs/journal-access.ts'
import { acknowledgeExecutions, executionsOf, type NamedMachine } from './constructs/machine-role.ts'
import { Notices, type NoticesProps } from './constructs/notices.ts'
import { PeopleDoors } from './constructs/people-doors.ts'
import { PeoplePolicies } from './constructs/people-policies.ts'
import { PolicySchedules } from './constructs/policy-schedules.ts'
import { mayTell, RequestBus } from './constructs/request-bus.ts'
import { ResultRule } from './constructs/result-rule.ts'
import { serviceUrlParameter } from './constructs/service-url.ts'
import { functionNameOf, VerbFunction } from './constructs/verb-function.ts'
import { WebhookAddress } from './constructs/webhook-address.ts'

export interface TriggerStackProps extends StackProps {
  readonly treasury: Treasury
  /** Folder with the bundle of bundle.ts, and the treasury file beside it. */
  readonly bundleDir: string
  /** For a state directory. Default false. */
  readonly isDesk?: boolean
}

const EXECUTIONS_REASON = 'It reads executions whose names follow from what asked for them, and are not known before.'

export class TriggerStack extends Stack {
  readonly functions: readonly VerbFunction[]

  constructor(scope: Construct, id: string, props: TriggerStackProps) {
    super(scope, id, props)
    const { treasury } = props
    const journal = Table.fromTableName(this, 'JournalByName', nameIn(this, JOURNAL_TABLE))
    const code = Code.fromAsset(props.bundleDir)
    const deadLetters = deadLetterQueue(this)

    const named: readonly NamedMachine[] = Object.values(MachineName).map((name) => ({
      name,
      machine: StateMachine.fromStateMachineName(this, name, nameIn(this, name)),
    }))
    const ofRuns = named.filter(({ name }) => name === MachineName.Rebalance || name === MachineName.Sweep)
    const arnsOf = (known: readonly NamedMachine[]) => ({
      [Environment.StateMachines]: this.toJsonString(
        Object.fromEntries(known.map(({ name, machine }) => [name, machine.stateMachineArn])),
      ),
    })
    /** To start them, and to see whether a name that is taken is that of the same request. */
    const starts = (known: readonly NamedMachine[]) => [
      new PolicyStatement({
        actions: ['states:StartExecution'],
        resources: known.map(({ machine }) => machine.stateMachineArn),
      }),
      describes(known),
    ]
    const describes = (known: readonly NamedMachine[]) =>
      new PolicyStatement({
        actions: ['states:DescribeExecution'],
        resources: known.map((each) => executionsOf(this, each)),
      })
    const ofTreasury = { [Environment.TreasuryFile]: TREASURY_FILE }

    const startRun = new VerbFunction(this, 'StartRun', {
      verb: Verb.StartRun,
      code,
      description: 'Starts what a schedule or an event asks for, once.',
      memoryMb: 256,
      // The table, who asked, and two calls of Step Functions, each of which may be tried three times for 3 s.
      timeoutSeconds: 60,
      environment: { ...ofTreasury, ...arnsOf(named), [Environment.JournalTable]: journal.tableName },
      statements: [...starts(named), ...journalAccess(journal, Verb.StartRun)],
    })
    const announce = new VerbFunction(this, 'Announce', {
      verb: Verb.Announce,
      code,
      description: 'Tells on the bus how an execution ended, and what waits for people.',
      memoryMb: 256,
      timeoutSeconds: 30,
      environment: { ...arnsOf(named), [Environment.EventBus]: nameIn(this, EVENT_BUS) },
      statements: [describes(named)],
    })
    for (const verb of [startRun, announce]) {
      keepFailures(verb.lambda, deadLetters)
      for (const each of named) acknowledgeExecutions(verb, each, EXECUTIONS_REASON)
    }

    const reach = { deadLetters }
    new PolicySchedules(this, 'Schedules', {
      policies: treasury.policies,
      startRun: startRun.lambda,
      ...reach,
    })
    const requests = new RequestBus(this, 'Requests', {
      startRun: startRun.lambda,
      requesters: treasury.requesters,
      ...reach,
    })
    const { bus } = requests
    // A policy that halted itself says so at the end of its run.
    announce.lambda.addToRolePolicy(mayTell(bus, [...Object.values(ResultEvent), SwitchEvent.Halted, APPROVAL_AWAITED]))
    new ResultRule(this, 'Results', {
      announce: announce.lambda,
      machines: named.map(({ machine }) => machine),
      ...reach,
    })

    new AbortedRuns(this, 'AbortedRuns', {
      // Ends runs whose executions were stopped.
      settleRun: LambdaFunction.fromFunctionName(this, 'SettleRunByName', functionNameOf(this, Verb.SettleRun)),
      machines: ofRuns.map(({ machine }) => machine),
      ...reach,
    })

    const deposits = new DepositQueue(this, 'Deposits', reach)
    const reserves = reservesOf(treasury)
    const people = new PeopleDoors(this, 'People', {
      ...{ bus, code, journal, machines: ofRuns, starts: starts(ofRuns) },
      switchesAtOnce: reserves.get(Verb.ThrowSwitch),
    })
    requests.spokenOnBy([announce, people.throwSwitch, people.resume].map(({ lambda }) => lambda))
    new PeoplePolicies(this, 'Policies', { journal, machines: named, resumedBy: treasury.resumedBy })
    const told = this.declareNotices(props, { code, bus, deadLetters })
    this.functions = [startRun, announce, ...people.verbs, ...told]
    if (treasury.webhooks === undefined) return
    const rebalance = named.filter(({ name }) => name === MachineName.Rebalance)
    const receiveWebhook = new VerbFunction(this, 'ReceiveWebhook', {
      verb: Verb.ReceiveWebhook,
      code,
      description: 'Queues the policies that wait for a deposit, when the service says that one came.',
      memoryMb: 256,
      // The service's keys within 2 s, and a message that may be sent three times for 3 s.
      timeoutSeconds: 20,
      mostAtOnce: reserves.get(Verb.ReceiveWebhook),
      environment: {
        ...ofTreasury,
        [Environment.DepositQueue]: deposits.queue.queueUrl,
        [Environment.ServiceUrl]: serviceUrlParameter(this, treasury),
        [Environment.WebhookHeader]: treasury.webhooks.signatureHeader,
      },
      statements: [],
    })
    const startOnDeposit = new VerbFunction(this, 'StartOnDeposit', {
      verb: Verb.StartOnDeposit,
      code,
      description: 'Starts the policies that a deposit was queued for, once.',
      memoryMb: 256,
      timeoutSeconds: TAKES_SECONDS,
      environment: { ...ofTreasury, ...arnsOf(rebalance), [Environment.JournalTable]: journal.tableName },
      statements: [...starts(rebalance), ...journalAccess(journal, Verb.StartOnDeposit)],
    })
    for (const each of rebalance) acknowledgeExecutions(startOnDeposit, each, EXECUTIONS_REASON)
    deposits.filledBy(receiveWebhook)
    deposits.emptiedBy(startOnDeposit)
    new WebhookAddress(this, 'Webhooks', receiveWebhook.lambda)
    this.functions = [...this.functions, receiveWebhook, startOnDeposit]
  }

  private declareNotices(
    { isDesk = false, treasury: { notices = [] } }: TriggerStackProps,
    reach: Pick<NoticesProps, 'bus' | 'code' | 'deadLetters'>,
  ): readonly VerbFunction[] {
    return notices.length === 0 ? [] : [new Notices(this, 'Notices', { notices, isDesk, ...reach }).verb]
  }
}
