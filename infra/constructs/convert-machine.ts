// Owns the Convert state machine: one conversion, from a request to a named end. Read it top to bottom.
// It computes nothing about money and decides nothing: steps answer with an outcome, Choices branch on it.
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  type IChainable,
  JsonPath,
  LogLevel,
  Pass,
  type RetryProps,
  StateMachine,
  StateMachineType,
  Succeed,
  TaskInput,
  Timeout,
  Wait,
  WaitTime,
} from 'aws-cdk-lib/aws-stepfunctions'
import { LambdaInvoke } from 'aws-cdk-lib/aws-stepfunctions-tasks'
import { Construct } from 'constructs'
import { ConvertEnd, ConvertStep } from '../../functions/contract/outcomes.ts'
import { ConvertState, ENTRY_SEPARATOR, StateMachine as MachineName } from '../../functions/contract/states.ts'
import type { Timing } from '../../functions/contract/timing.ts'
import { CONCLUDE_RETRY, ORDER_RETRY, POLL_ORDER_RETRY, QUOTE_RETRY } from '../retry-policies.ts'
import { machineRole } from './machine-role.ts'

export interface ConvertMachineProps {
  readonly quote: IFunction
  readonly order: IFunction
  readonly pollOrder: IFunction
  readonly conclude: IFunction
  readonly timing: Timing
}

/** What every run knows of itself. The name of an execution is the id of its intent. */
const RUN = {
  intentId: JsonPath.arrayGetItem(JsonPath.stringSplit(JsonPath.executionName, ENTRY_SEPARATOR), 0),
  startedAt: JsonPath.executionStartTime,
  request: JsonPath.objectAt('$$.Execution.Input'),
}

/** Beyond any function's own time-out: it only ends an invocation of which Lambda has lost track. */
const TASK_TIMEOUT = Timeout.duration(Duration.minutes(5))

export class ConvertMachine extends Construct {
  readonly stateMachine: StateMachine

  constructor(scope: Construct, id: string, props: ConvertMachineProps) {
    super(scope, id)
    const ends = this.ends()

    // Order is entered whatever Quote answers, so that a run filled at placement takes five transitions, the
    // start included: Quote, Order, OrderOutcome, Filled. What Quote refused it has written to the journal,
    // and Order answers from the journal. The request is always the execution's own input, so that coming
    // back to Quote asks for the same conversion again.
    const quote = this.step(ConvertState.Quote, props.quote, QUOTE_RETRY, RUN)

    // Its input is Quote's answer, or its own UNCERTAIN one: then without a quote, from the journal.
    const order = this.step(ConvertState.Order, props.order, ORDER_RETRY)

    // Until then a copy of the signed order might still be accepted; after it, absence is proof.
    const waitForFence = new Wait(this, ConvertState.WaitForFence, { time: WaitTime.secondsPath('$.waitSeconds') })

    const pollOrder = this.step(ConvertState.PollOrder, props.pollOrder, POLL_ORDER_RETRY, {
      intentId: JsonPath.stringAt('$.intentId'),
      waits: JsonPath.numberAt('$.waits'),
    })

    const waitToPoll = new Wait(this, ConvertState.WaitToPoll, { time: WaitTime.secondsPath('$.waitSeconds') })

    // The process. PollOrder follows PROCESSING without a wait: it looks for some seconds inside the function,
    // which costs less than a turn of Wait, PollOrder and PollOutcome.
    quote.next(order)
    order.next(
      this.outcome(ConvertState.OrderOutcome, ends, {
        [ConvertStep.Processing]: pollOrder,
        [ConvertStep.QuoteExpired]: quote,
        [ConvertStep.Uncertain]: waitForFence.next(order),
      }),
    )
    pollOrder.next(
      this.outcome(ConvertState.PollOutcome, ends, {
        [ConvertStep.Processing]: waitToPoll.next(pollOrder),
      }),
    )

    // Whatever goes wrong beyond retries is concluded from the journal: it knows whether money may have moved.
    const conclude = this.step(ConvertState.Conclude, props.conclude, CONCLUDE_RETRY, {
      ...RUN,
      // Whole: a time-out comes without a Cause, and a path to nothing would end the run without a name.
      fault: JsonPath.objectAt('$'),
    })
    for (const step of [quote, order, pollOrder]) step.addCatch(conclude)
    conclude.addCatch(ends.unconcluded)
    conclude.next(this.outcome(ConvertState.ConcludeOutcome, ends, {}))

    this.stateMachine = this.deploy(DefinitionBody.fromChainable(quote), props)
  }

  /** The named ends: those where the books are closed succeed, those that need a person fail, and alarm. */
  private ends(): Ends {
    const needsAttention = this.failure(ConvertState.NeedsAttention, ConvertEnd.NeedsAttention)
    return {
      byOutcome: {
        [ConvertEnd.Filled]: new Succeed(this, ConvertState.Filled),
        [ConvertEnd.PriceRefused]: new Succeed(this, ConvertState.PriceRefused),
        [ConvertEnd.ExpiredOut]: new Succeed(this, ConvertState.ExpiredOut),
        [ConvertEnd.Rejected]: new Succeed(this, ConvertState.Rejected),
        [ConvertEnd.Failed]: new Succeed(this, ConvertState.Failed),
        [ConvertEnd.Stuck]: this.failure(ConvertState.Stuck, ConvertEnd.Stuck),
        [ConvertEnd.NeedsAttention]: needsAttention,
      },
      unconcluded: new Pass(this, ConvertState.Unconcluded, {
        parameters: {
          outcome: ConvertEnd.NeedsAttention,
          intentId: RUN.intentId,
          why: 'The run could not be concluded from its journal; what was said last is in the evidence.',
          evidence: JsonPath.objectAt('$'),
        },
      }).next(needsAttention),
    }
  }

  /** A Fail state has no output, so its cause carries the result as JSON. */
  private failure(name: string, outcome: ConvertEnd): Fail {
    return new Fail(this, name, { error: outcome, causePath: JsonPath.jsonToString(JsonPath.objectAt('$')) })
  }

  /** A step: its function, tried again by its policy, its answer the whole output. */
  private step(
    name: string,
    lambdaFunction: IFunction,
    retry: RetryProps,
    payload?: Record<string, unknown>,
  ): LambdaInvoke {
    const task = new LambdaInvoke(this, name, {
      lambdaFunction,
      payloadResponseOnly: true,
      retryOnServiceExceptions: false,
      taskTimeout: TASK_TIMEOUT,
      ...(payload === undefined ? {} : { payload: TaskInput.fromObject(payload) }),
    })
    task.addRetry(retry)
    return task
  }

  /** Branches on `outcome`: the ends, then the ways on. An outcome that nobody wrote down calls a person. */
  private outcome(name: string, ends: Ends, waysOn: Partial<Record<ConvertStep, IChainable>>): Choice {
    const choice = new Choice(this, name)
    for (const [outcome, next] of Object.entries({ ...ends.byOutcome, ...waysOn })) {
      choice.when(Condition.stringEquals('$.outcome', outcome), next)
    }
    return choice.otherwise(ends.unconcluded)
  }

  private deploy(definitionBody: DefinitionBody, props: ConvertMachineProps): StateMachine {
    const logGroup = new LogGroup(this, 'Log', {
      // The prefix keeps the account's log resource policy from growing past its limit:
      // https://docs.aws.amazon.com/step-functions/latest/dg/bp-cwl.html
      logGroupName: `/aws/vendedlogs/states/${MachineName.Convert}`,
      retention: RetentionDays.SIX_MONTHS,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    const role = machineRole(this, [props.quote, props.order, props.pollOrder, props.conclude])
    const stateMachine = new StateMachine(this, 'Machine', {
      stateMachineName: MachineName.Convert,
      stateMachineType: StateMachineType.STANDARD,
      comment: 'One conversion: a quote, one order, a named end.',
      definitionBody,
      timeout: machineTimeout(props.timing),
      role: role.withoutPolicyUpdates(),
      // Amounts and ids are in the history of the execution, behind its own permissions, and not in the log.
      logs: { destination: logGroup, level: LogLevel.ALL, includeExecutionData: false },
      tracingEnabled: true,
    })
    // An immutable role does not order itself before the machine that needs its statements at creation.
    stateMachine.node.addDependency(role)
    return stateMachine
  }
}

interface Ends {
  readonly byOutcome: Readonly<Record<ConvertEnd, IChainable>>
  /** Gives NeedsAttention a result to carry where no step did. */
  readonly unconcluded: IChainable
}

/**
 * A last bound, twice what every wait that treasury.json allows adds up to, and never under two days. A run
 * that meets it ends TIMED_OUT, which alarms; its intent stays as the journal has it, and a redrive goes on
 * from the step that was under way.
 */
function machineTimeout(timing: Timing): Duration {
  const fenceSeconds = timing.tokenLifeSeconds + timing.leewaySeconds + timing.orderVisibilitySeconds
  const attemptsSeconds = timing.intentLifeSeconds + timing.attempts * fenceSeconds
  const pollsSeconds = timing.pollWaits * (timing.pollLongestWaitSeconds + timing.pollInsideSeconds)
  return Duration.seconds(Math.max(2 * 24 * 3600, 2 * (attemptsSeconds + pollsSeconds)))
}
