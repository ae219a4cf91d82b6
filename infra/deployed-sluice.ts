// Owns what other stacks may do with a deployment of Sluice that they know by its names alone: start executions, put
// requests, hear of ends and read metrics. It declares no resource of the deployment.
import { Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch'
import { EventBus, type IEventBus, type OnEventOptions, Rule } from 'aws-cdk-lib/aws-events'
import { Grant, type IGrantable } from 'aws-cdk-lib/aws-iam'
import { type IStateMachine, StateMachine } from 'aws-cdk-lib/aws-stepfunctions'
import { Construct } from 'constructs'
import {
  APPROVAL_AWAITED,
  EVENT_SOURCE,
  FILE_REFUSED,
  type RequestEvent,
  ResultEvent,
  SwitchEvent,
} from '../core/contract/events.ts'
import { METRIC_NAMESPACE, METRICS, type MetricName } from '../core/contract/metrics.ts'
import { StateMachine as MachineName } from '../core/contract/states.ts'
import { busIn, nameIn, setEnvironment } from './constructs/deployed-name.ts'
import { executionsOf } from './constructs/machine-role.ts'

export const MACHINES = {
  convert: MachineName.Convert,
  withdraw: MachineName.Withdraw,
  rebalance: MachineName.Rebalance,
  sweep: MachineName.Sweep,
} as const

export type MachineKey = keyof typeof MACHINES

export interface DeployedSluiceProps {
  /** `environment` of the deployment's treasury.json. Default: the deployment without one. */
  readonly environment?: string
  /** `aws.eventBus` of its treasury.json. Default: the deployment has a bus of its own. */
  readonly eventBus?: string
}

/** Gives a deployment of this app or of another to other stacks. */
export abstract class SluiceBase extends Construct {
  /** Its context has the names of the deployment. */
  protected abstract readonly names: Construct
  #bus: IEventBus | undefined
  #stateMachines: Readonly<Record<MachineKey, IStateMachine>> | undefined

  /** The bus, where requests come in and ends are announced. */
  get bus(): IEventBus {
    this.#bus ??= EventBus.fromEventBusName(this.names, 'Bus', busIn(this.names))
    return this.#bus
  }

  /** Machines for `StepFunctionsStartExecution` and for the ARNs in variables of functions. */
  get stateMachines(): Readonly<Record<MachineKey, IStateMachine>> {
    const machine = (key: MachineKey) =>
      StateMachine.fromStateMachineName(this.names, key, nameIn(this.names, MACHINES[key]))
    this.#stateMachines ??= {
      convert: machine('convert'),
      withdraw: machine('withdraw'),
      rebalance: machine('rebalance'),
      sweep: machine('sweep'),
    }
    return this.#stateMachines
  }

  /** Lets the grantee start conversions, and read how they ended. Every guard of treasury.json applies to them. */
  grantConvert(grantee: IGrantable): Grant {
    return this.grantExecutions(grantee, 'convert')
  }

  /** Lets the grantee start withdrawals to the allowed contacts, and read how they ended. */
  grantWithdraw(grantee: IGrantable): Grant {
    return this.grantExecutions(grantee, 'withdraw')
  }

  /**
   * Lets the grantee start runs of a policy that converts, and read how they ended. IAM does not see the input of an
   * execution, so the grantee may start every policy of the same state machine. It may also bring a policy of its own,
   * within the guards of treasury.json. `grantRequest` allows the deployed policies only.
   * @throws ConfigError for an unknown policy
   */
  grantRebalance(grantee: IGrantable, policy: string): Grant {
    return this.grantRuns(grantee, 'rebalance', policy)
  }

  /** The same as `grantRebalance`, for a policy that withdraws. */
  grantSweep(grantee: IGrantable, policy: string): Grant {
    return this.grantRuns(grantee, 'sweep', policy)
  }

  /** Lets the grantee put requests of this kind on the bus, in its own name. */
  grantRequest(grantee: IGrantable, request: RequestEvent): Grant {
    return Grant.addToPrincipal({
      grantee,
      actions: ['events:PutEvents'],
      resourceArns: [this.bus.eventBusArn],
      conditions: {
        StringEquals: { 'events:detail-type': request },
        StringNotEquals: { 'events:source': EVENT_SOURCE },
      },
    })
  }

  onConversionEnded(id: string, options?: OnEventOptions): Rule {
    return this.addRule(id, ResultEvent.Conversion, options)
  }

  onWithdrawalEnded(id: string, options?: OnEventOptions): Rule {
    return this.addRule(id, ResultEvent.Withdrawal, options)
  }

  onRunEnded(id: string, options?: OnEventOptions): Rule {
    return this.addRule(id, ResultEvent.Run, options)
  }

  onApprovalAwaited(id: string, options?: OnEventOptions): Rule {
    return this.addRule(id, APPROVAL_AWAITED, options)
  }

  onPayoutFileRefused(id: string, options?: OnEventOptions): Rule {
    return this.addRule(id, FILE_REFUSED, options)
  }

  onSendingHalted(id: string, options?: OnEventOptions): Rule {
    return this.addRule(id, SwitchEvent.Halted, options)
  }

  onSendingResumed(id: string, options?: OnEventOptions): Rule {
    return this.addRule(id, SwitchEvent.Resumed, options)
  }

  /**
   * A metric that the functions write, by its name in the runbook. `options.dimensionsMap` names one of its series, such
   * as `{ Kind: 'convert' }`.
   */
  metric(metricName: MetricName, options: MetricOptions = {}): Metric {
    const { statistic } = METRICS[metricName]
    return new Metric({ namespace: nameIn(this.names, METRIC_NAMESPACE), metricName, statistic, ...options }).attachTo(
      this,
    )
  }

  metricEnds(options?: MetricOptions): Metric {
    return this.metric('Ends', options)
  }

  metricMovements(options?: MetricOptions): Metric {
    return this.metric('Movements', options)
  }

  metricValue(options?: MetricOptions): Metric {
    return this.metric('Value', options)
  }

  metricSlippage(options?: MetricOptions): Metric {
    return this.metric('Slippage', options)
  }

  metricSettleTime(options?: MetricOptions): Metric {
    return this.metric('SettleTime', options)
  }

  metricDoubtTime(options?: MetricOptions): Metric {
    return this.metric('DoubtTime', options)
  }

  metricFenceWaits(options?: MetricOptions): Metric {
    return this.metric('FenceWaits', options)
  }

  metricBudgetsSpent(options?: MetricOptions): Metric {
    return this.metric('BudgetsSpent', options)
  }

  metricTrackingError(options?: MetricOptions): Metric {
    return this.metric('TrackingError', options)
  }

  metricRunsInNeed(options?: MetricOptions): Metric {
    return this.metric('RunsInNeed', options)
  }

  metricBreakersOpened(options?: MetricOptions): Metric {
    return this.metric('BreakersOpened', options)
  }

  metricEntriesRefused(options?: MetricOptions): Metric {
    return this.metric('EntriesRefused', options)
  }

  metricUnverifiedStarts(options?: MetricOptions): Metric {
    return this.metric('UnverifiedStarts', options)
  }

  metricLateStarts(options?: MetricOptions): Metric {
    return this.metric('LateStarts', options)
  }

  metricAudits(options?: MetricOptions): Metric {
    return this.metric('Audits', options)
  }

  metricAuditLag(options?: MetricOptions): Metric {
    return this.metric('AuditLag', options)
  }

  metricAuditFindings(options?: MetricOptions): Metric {
    return this.metric('AuditFindings', options)
  }

  metricDefects(options?: MetricOptions): Metric {
    return this.metric('Defects', options)
  }

  metricKeyFaults(options?: MetricOptions): Metric {
    return this.metric('KeyFaults', options)
  }

  metricOwnFaults(options?: MetricOptions): Metric {
    return this.metric('OwnFaults', options)
  }

  metricClockOffset(options?: MetricOptions): Metric {
    return this.metric('ClockOffset', options)
  }

  metricRateLimitLeft(options?: MetricOptions): Metric {
    return this.metric('RateLimitLeft', options)
  }

  protected addRule(
    id: string,
    detailType: string,
    { crossStackScope, target, ...options }: OnEventOptions = {},
  ): Rule {
    const rule = new Rule(crossStackScope ?? this, id, { ...options, eventBus: this.bus })
    rule.addEventPattern({ source: [EVENT_SOURCE], detailType: [detailType] })
    if (target !== undefined) rule.addTarget(target)
    return rule
  }

  /** The file of another app is not known here, so neither is whether it has the policy. */
  protected grantRuns(grantee: IGrantable, key: 'rebalance' | 'sweep', _policy: string): Grant {
    return this.grantExecutions(grantee, key)
  }

  protected grantExecutions(grantee: IGrantable, key: MachineKey): Grant {
    const machine = this.stateMachines[key]
    const executions = executionsOf(this.names, { name: MACHINES[key], machine })
    const starts = Grant.addToPrincipal({
      grantee,
      actions: ['states:StartExecution'],
      resourceArns: [machine.stateMachineArn],
    })
    return starts.combine(
      Grant.addToPrincipal({ grantee, actions: ['states:DescribeExecution'], resourceArns: [executions] }),
    )
  }
}

/** A deployment of another app, in the account and region of the stack around it. */
export class DeployedSluice extends SluiceBase {
  protected readonly names: Construct

  constructor(scope: Construct, id: string, { environment, eventBus }: DeployedSluiceProps) {
    super(scope, id)
    this.names = new Construct(this, 'Names')
    setEnvironment(this.names, environment, { ...(eventBus !== undefined && { bus: eventBus }) })
  }
}
