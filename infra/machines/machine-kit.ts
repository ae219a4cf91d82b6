// Builds the parts of every state machine: steps with retries, Choices on outcomes, named ends, and a machine whose
// log omits execution data. Owns the longest times of runs. Knows nothing of conversions or withdrawals.
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup } from 'aws-cdk-lib/aws-logs'
import {
  Choice,
  Condition,
  DefinitionBody,
  Fail,
  type IChainable,
  type INextable,
  IntegrationPattern,
  type IStateMachine,
  JsonPath,
  LogLevel,
  Map as MapState,
  Pass,
  StateMachine,
  StateMachineType,
  TaskInput,
  Timeout,
  type Wait,
} from 'aws-cdk-lib/aws-stepfunctions'
import { LambdaInvoke, StepFunctionsStartExecution } from 'aws-cdk-lib/aws-stepfunctions-tasks'
import type { Construct } from 'constructs'
import { LEGS_AT_ONCE } from '../../core/contract/plan.ts'
import type { IntentKind } from '../../core/contract/records.ts'
import { type StateMachine as MachineName, Verb } from '../../core/contract/states.ts'
import { logRetentionOf } from '../constructs/account-settings.ts'
import { nameIn } from '../constructs/deployed-name.ts'
import { machineRole, type NamedMachine } from '../constructs/machine-role.ts'
import { underOwnKey } from '../constructs/own-keys.ts'
import type { VerbFunction } from '../constructs/verb-function.ts'
import { LEG_RETRY, RATE_LIMIT_RETRY } from '../retry-policies.ts'
import { stepOf } from '../steps.ts'

/** Facts that every execution knows of itself. An execution is named after its intent. */
export const RUN = {
  execution: JsonPath.executionName,
  startedAt: JsonPath.executionStartTime,
  request: JsonPath.objectAt('$$.Execution.Input'),
}

/**
 * Payload of a step that checks the journal's record against the execution's own input, and continues from the step
 * before.
 */
export const REQUEST_AND_ANSWER = { request: RUN.request, said: JsonPath.objectAt('$') }

/**
 * Longer than the timeout of any function that a state machine calls. This timeout ends only an invocation that Lambda
 * has lost.
 */
const TASK_TIMEOUT = Timeout.duration(Duration.minutes(5))

/** A step: its function, with the retries of its row in steps.ts. Its answer is the whole output. */
export function step(
  scope: Construct,
  name: string,
  { verb, version }: VerbFunction,
  payload: Record<string, unknown>,
): LambdaInvoke {
  return invocation(scope, name, { verb, lambdaFunction: version, payload })
}

interface Invoked {
  readonly verb: Verb
  readonly lambdaFunction: IFunction
  readonly payload: Record<string, unknown>
  readonly resultPath?: string
}

function invocation(scope: Construct, name: string, { verb, payload, ...invoked }: Invoked): LambdaInvoke {
  const { retry } = stepOf(verb)
  if (retry === undefined) throw new Error(`${verb}: its row in steps.ts has no retry`)
  const task = new LambdaInvoke(scope, name, {
    ...invoked,
    payloadResponseOnly: true,
    retryOnServiceExceptions: false,
    taskTimeout: TASK_TIMEOUT,
    payload: TaskInput.fromObject(payload),
  })
  task.addRetry(retry).addRetry(RATE_LIMIT_RETRY)
  return task
}

export interface Announcing {
  readonly state: string
  readonly kind: IntentKind
  readonly announce: IFunction
  /** The wait that follows, even if the announcement failed. */
  readonly wait: Wait
}

/**
 * Announces a movement that waits for people. The step before asks for the announcement once for each version of the
 * terms.
 */
export function announceWait(scope: Construct, { state, kind, announce, wait }: Announcing): LambdaInvoke {
  const awaits = {
    ...{ kind, execution: JsonPath.executionName, executionArn: JsonPath.executionId },
    ...{ enteredAt: JsonPath.stateEnteredTime, ...REQUEST_AND_ANSWER },
  }
  const call = { verb: Verb.Announce, lambdaFunction: announce, payload: { awaits }, resultPath: JsonPath.DISCARD }
  const task = invocation(scope, state, call)
  task.addCatch(wait, { resultPath: JsonPath.DISCARD })
  task.next(wait)
  return task
}

export interface LegStates {
  readonly legs: string
  readonly leg: string
  readonly legBroke: string
}

/**
 * Runs legs in parallel, each as an execution of `child` under the name of its intent, so that a Map that is entered
 * again starts no leg twice. The output is the input, because the journal records the result of each leg. The input of
 * a leg is its frozen request, on behalf of this very run. A step that was taken over cannot leave the run out.
 */
export function legs(
  scope: Construct,
  { legs: name, leg: legName, legBroke }: LegStates,
  child: IStateMachine,
  timeout: Duration,
): MapState {
  const leg = new StepFunctionsStartExecution(scope, legName, {
    stateMachine: child,
    integrationPattern: IntegrationPattern.RUN_JOB,
    associateWithParent: false,
    name: JsonPath.stringAt('$.name'),
    input: TaskInput.fromJsonPathAt('States.JsonMerge($.request, $.onBehalf, false)'),
    resultPath: JsonPath.DISCARD,
    taskTimeout: Timeout.duration(timeout),
  })
  leg.addRetry(LEG_RETRY)
  // A failed leg does not stop the others, and is settled like them.
  leg.addCatch(new Pass(scope, legBroke), { resultPath: JsonPath.DISCARD })
  const each = new MapState(scope, name, {
    itemsPath: JsonPath.stringAt('$.legs'),
    itemSelector: {
      name: JsonPath.stringAt('$$.Map.Item.Value.name'),
      request: JsonPath.objectAt('$$.Map.Item.Value.request'),
      // The run has the name of its first execution.
      onBehalf: { run: JsonPath.stringAt("States.ArrayGetItem(States.StringSplit($$.Execution.Name, '_'), 0)") },
    },
    maxConcurrency: LEGS_AT_ONCE,
    resultPath: JsonPath.DISCARD,
  })
  return each.itemProcessor(leg)
}

/** The named ends of a machine, by outcome. */
export interface Ends<End extends string> {
  readonly byOutcome: Readonly<Record<End, IChainable>>
  /** Gives a result to the end that calls a person, for a run without a step's result. */
  readonly unconcluded: IChainable & INextable
}

/** Branches on `outcome`: first the ends, then the states that follow. An unknown outcome calls a person. */
export function outcomeChoice<End extends string, Step extends string>(
  scope: Construct,
  name: string,
  ends: Ends<End>,
  following: Partial<Record<Step, IChainable>>,
): Choice {
  const choice = new Choice(scope, name)
  const branches: Record<string, IChainable> = { ...ends.byOutcome, ...following }
  for (const [outcome, next] of Object.entries(branches)) {
    choice.when(Condition.stringEquals('$.outcome', outcome), next)
  }
  return choice.otherwise(ends.unconcluded)
}

/** An end that raises an alarm. A Fail state has no output, so its cause carries the result as JSON. */
export function failure(scope: Construct, name: string, outcome: string): Fail {
  return new Fail(scope, name, { error: outcome, causePath: JsonPath.jsonToString(JsonPath.objectAt('$')) })
}

/** The result of a run that even Conclude could not end. Leads to the end that calls a person. */
export function unconcluded(scope: Construct, name: string, outcome: string): Pass {
  return new Pass(scope, name, {
    parameters: {
      outcome,
      intentId: RUN.execution,
      why: 'The run could not be concluded from its journal; what was said last is in the evidence.',
      evidence: JsonPath.objectAt('$'),
    },
  })
}

export interface MachineSettings {
  readonly name: MachineName
  readonly comment: string
  readonly start: IChainable
  readonly functions: readonly VerbFunction[]
  /** Function of another stack, referred to by name. */
  readonly announce?: IFunction
  /** Machines whose executions this machine starts and waits for. */
  readonly children?: readonly NamedMachine[]
  /**
   * Last bound. An execution that reaches it ends TIMED_OUT and raises an alarm; its intent stays as the journal has
   * it.
   */
  readonly timeout: Duration
}

export function deployMachine(scope: Construct, settings: MachineSettings): StateMachine {
  const logGroup = new LogGroup(scope, 'Log', {
    // The prefix keeps the account's log resource policy from growing past its limit:
    // https://docs.aws.amazon.com/step-functions/latest/dg/bp-cwl.html
    logGroupName: `/aws/vendedlogs/states/${nameIn(scope, settings.name)}`,
    retention: logRetentionOf(scope),
    removalPolicy: RemovalPolicy.DESTROY,
    ...underOwnKey(scope, 'logs'),
  })
  const role = machineRole(scope, settings)
  const stateMachine = new StateMachine(scope, 'Machine', {
    stateMachineName: nameIn(scope, settings.name),
    stateMachineType: StateMachineType.STANDARD,
    comment: settings.comment,
    definitionBody: DefinitionBody.fromChainable(settings.start),
    timeout: settings.timeout,
    role: role.withoutPolicyUpdates(),
    // Omits execution data: amounts and ids are in the history, behind its own permissions.
    logs: { destination: logGroup, level: LogLevel.ALL, includeExecutionData: false },
    tracingEnabled: true,
  })
  // CDK does not order an immutable role before the machine, which needs its statements at creation.
  stateMachine.node.addDependency(role)
  return stateMachine
}

/** Added to a leg's own timeout, so that the leg itself ends and reports why. */
const HOUR_SECONDS = 3_600
/**
 * Longest `runLifeSeconds`: no leg sends later. A later leg ends at once, so after this time only the last leg's own
 * bound remains, however many legs there are.
 */
const LONGEST_RUN_LIFE_SECONDS = 24 * HOUR_SECONDS
/** Longest wait of a run for its policy before it has a plan: that time and some minutes. */
const LONGEST_WAIT_SECONDS = LONGEST_RUN_LIFE_SECONDS + HOUR_SECONDS
/** Time for plans, starts and settling. */
const REST_SECONDS = 24 * HOUR_SECONDS

interface RunTimeouts {
  readonly leg: (child: Duration) => Duration
  readonly run: Duration
}

/** `children`: the timeouts of its legs' machines. */
export function runTimeouts(...children: readonly Duration[]): RunTimeouts {
  const leg = (child: Duration) => child.plus(Duration.seconds(HOUR_SECONDS))
  const longestSeconds = Math.max(...children.map((child) => leg(child).toSeconds()))
  const withoutLegsSeconds = LONGEST_WAIT_SECONDS + LONGEST_RUN_LIFE_SECONDS + REST_SECONDS
  return { leg, run: Duration.seconds(withoutLegsSeconds + longestSeconds) }
}
