// Owns the resources that start runs and announce their ends: schedules, the bus, the address and queue of webhooks, the queue
// of payout files, notices, and the dead-letter queue. Also owns the functions that people call, and their policies. None of
// its functions can move or sign for money: to move it they start executions by name.
import { CfnOutput } from 'aws-cdk-lib'
import { Table } from 'aws-cdk-lib/aws-dynamodb'
import { Code, FunctionUrlAuthType, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda'
import { StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import { Environment } from '../core/contract/environment.ts'
import { APPROVAL_AWAITED, ResultEvent, SwitchEvent } from '../core/contract/events.ts'
import { StateMachine as MachineName, Verb } from '../core/contract/states.ts'
import type { Treasury } from '../core/contract/treasury.ts'
import { placesOfFiles } from '../core/treasury/policy-files.ts'
import { deadLetterQueue, keepFailures } from './constructs/dead-letters.ts'
import { journalIn, nameIn } from './constructs/deployed-name.ts'
import { DepositQueue } from './constructs/deposit-queue.ts'
import { ABORTED_RULE, AbortedRuns, ENDS_RULE, ResultRule, ResumeRule } from './constructs/event-rules.ts'
import type { NamedMachine } from './constructs/machine-role.ts'
import { Notices } from './constructs/notices.ts'
import { FILES_RULE, PayoutFiles } from './constructs/payout-files.ts'
import { PeoplePolicies } from './constructs/people-policies.ts'
import { PolicySchedules } from './constructs/policy-schedules.ts'
import { mayPublish, REQUESTS_RULE, RequestBus } from './constructs/request-bus.ts'
import { asRuleTarget, RULES_OF_NOTICES, type RuleName } from './constructs/rule-queues.ts'
import type { Place } from './constructs/step-rights.ts'
import { functionNameOf, functionsOf } from './constructs/verb-function.ts'
import { SluiceStack, type SluiceStackProps } from './sluice-stack.ts'

/** The rules whose undeliverable events become dead letters. Rules for ends of executions are on the default bus. */
const rulesOf = ({ notices = [], policies }: Treasury): readonly RuleName[] => [
  { name: REQUESTS_RULE, isOnOurBus: true },
  { name: ENDS_RULE, isOnOurBus: false },
  { name: ABORTED_RULE, isOnOurBus: false },
  ...(notices.length === 0 ? [] : [RULES_OF_NOTICES]),
  ...(placesOfFiles(policies).length === 0 ? [] : [{ name: FILES_RULE, isOnOurBus: false }]),
]

export interface TriggerStackProps extends SluiceStackProps {
  /** Folder with the bundle of bundle.ts, and the treasury file beside it. */
  readonly bundleDir: string
}

export class TriggerStack extends SluiceStack {
  constructor(scope: Construct, props: TriggerStackProps) {
    super(scope, 'SluiceTriggers', { description: 'Sluice: what starts runs, and tells of their ends.', ...props })
    const { isDesk = false, treasury } = props
    const journal = Table.fromTableName(this, 'JournalByName', journalIn(this))
    const code = Code.fromAsset(props.bundleDir)
    const deadLetters = deadLetterQueue(this, rulesOf(treasury))

    const named: readonly NamedMachine[] = Object.values(MachineName).map((name) => ({
      name,
      machine: StateMachine.fromStateMachineName(this, name, nameIn(this, name)),
    }))
    const ofRuns = named.filter(({ name }) => name === MachineName.Rebalance || name === MachineName.Sweep)
    const place: Place = { treasury, code, journal, machines: named }
    const { startRun, announce } = functionsOf(this, 'triggers', place)
    for (const { lambda } of [startRun, announce]) keepFailures(lambda, deadLetters)

    const reach = { deadLetters: asRuleTarget(this, 'DeadLettersOfRules', deadLetters) }
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
    // At the end of a run Announce also reports that its policy halted itself.
    announce.lambda.addToRolePolicy(
      mayPublish(bus, [...Object.values(ResultEvent), SwitchEvent.Halted, APPROVAL_AWAITED]),
    )
    new ResultRule(this, 'Results', {
      announce: announce.lambda,
      machines: named.map(({ machine }) => machine),
      ...reach,
    })

    new ResumeRule(this, 'Resumed', {
      bus,
      lookAgain: LambdaFunction.fromFunctionName(this, 'LookAgainByName', functionNameOf(this, Verb.LookAgain)),
    })

    new AbortedRuns(this, 'AbortedRuns', {
      // SettleRun ends runs whose executions were stopped.
      settleRun: LambdaFunction.fromFunctionName(this, 'SettleRunByName', functionNameOf(this, Verb.SettleRun)),
      machines: ofRuns.map(({ machine }) => machine),
      ...reach,
    })

    const deposits = new DepositQueue(this, 'Deposits', reach)
    const people = functionsOf(new Construct(this, 'People'), 'people', { ...place, bus })
    const files = placesOfFiles(treasury.policies)
    const ofFiles =
      files.length === 0
        ? []
        : [new PayoutFiles(this, 'PayoutFiles', { ...place, ...reach, bus, isDesk, files }).startOnFile]
    const speakers = [announce, people.throwSwitch, people.resume, ...ofFiles]
    requests.restrictPublishers(speakers.map(({ lambda }) => lambda))
    new PeoplePolicies(this, 'Policies', { journal, machines: named, resumedBy: treasury.resumedBy })
    if (treasury.notices?.length) new Notices(this, 'Notices', { ...place, ...reach, bus, isDesk })
    if (treasury.webhooks === undefined) {
      deposits.filledBy(undefined)
      return
    }
    const { receiveWebhook, startOnDeposit } = functionsOf(this, 'webhooks', {
      ...place,
      variables: {
        [Environment.DepositQueue]: deposits.queue.queueUrl,
        [Environment.WebhookHeader]: treasury.webhooks.signatureHeader,
      },
    })
    deposits.filledBy(receiveWebhook)
    deposits.emptiedBy(startOnDeposit)
    // Anybody can reach it. The function checks a signature first, holds no key of the service, and can only fill a queue.
    const { url } = receiveWebhook.lambda.addFunctionUrl({ authType: FunctionUrlAuthType.NONE })
    new CfnOutput(new Construct(this, 'Webhooks'), 'Url', {
      description: 'Where the dashboard of the service is to send its webhooks.',
      value: url,
    })
  }
}
