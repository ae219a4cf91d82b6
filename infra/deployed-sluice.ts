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
  /** `environment` of its treasury.json. Default: the deployment without one. */
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

  /** The bus by its name, where requests come in and ends are announced. */
  get bus(): IEventBus {
    this.#bus ??= EventBus.fromEventBusName(this.names, 'Bus', busIn(this.names))
    return this.#bus
  }

  /** `convert`, `withdraw`, `rebalance` and `sweep` by name, for `StepFunctionsStartExecution`, rules and variables. */
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

  /**
   * Lets the grantee start conversions, and read the input and end of each, also of others' conversions, which IAM cannot
   * tell apart. An execution's name is the intent's id, so it moves money at most once. Every guard applies.
   */
  grantConvert(grantee: IGrantable): Grant {
    return this.grantExecutions(grantee, 'convert')
  }

  /** The same for withdrawals to the allowed contacts. */
  grantWithdraw(grantee: IGrantable): Grant {
    return this.grantExecutions(grantee, 'withdraw')
  }

  /**
   * The same for runs of a policy that converts, with `{"policy": NAME}` as the input. IAM does not see an input: the
   * grantee may start every policy of the machine, and its own within the guards of treasury.json.
   * @throws ConfigError for an unknown policy
   */
  grantRebalance(grantee: IGrantable, policy: string): Grant {
    return this.grantRuns(grantee, 'rebalance', policy)
  }

  /** As `grantRebalance`, for a policy that withdraws. */
  grantSweep(grantee: IGrantable, policy: string): Grant {
    return this.grantRuns(grantee, 'sweep', policy)
  }

  /**
   * Lets the grantee put requests of this kind, such as `RequestEvent.Conversion`, on the bus in its own name. A request
   * of a run names a deployed policy, and cannot bring its own.
   */
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

  /** Makes a rule on the bus with your target, as CDK's own `on…` methods do. */
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
   * A metric of docs/runbook.md by its name, such as `OwnFaults`, for alarms of yours. `options.dimensionsMap` names one of its series.
   */
  metric(metricName: MetricName, options: MetricOptions = {}): Metric {
    const { statistic } = METRICS[metricName]
    return new Metric({ namespace: nameIn(this.names, METRIC_NAMESPACE), metricName, statistic, ...options }).attachTo(
      this,
    )
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
