// What every state machine is made of: steps with named retries, Choices on outcomes, named ends, a
// machine whose log leaves execution data out. Knows nothing of conversions or withdrawals.
import { Duration, RemovalPolicy } from 'aws-cdk-lib'
import type { IFunction } from 'aws-cdk-lib/aws-lambda'
import { LogGroup, RetentionDays } from 'aws-cdk-lib/aws-logs'
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
import type { IntentKind } from '../../core/contract/records.ts'
import { type StateMachine as MachineName, Verb } from '../../core/contract/states.ts'
import { LEG_RETRY, RATE_LIMIT_RETRY } from '../retry-policies.ts'
import { stepOf } from '../steps.ts'
import { nameIn } from './deployed-name.ts'
import { machineRole, type NamedMachine } from './machine-role.ts'
import { underOwnKey } from './own-keys.ts'
import type { VerbFunction } from './verb-function.ts'

/** What every run knows of itself. An execution is named after its intent. */
export const RUN = {
  execution: JsonPath.executionName,
  startedAt: JsonPath.executionStartTime,
  request: JsonPath.objectAt('$$.Execution.Input'),
}

/** For a step that holds the journal's record against the execution's own input, and goes on from the step before. */
export const REQUEST_AND_SAID = { request: RUN.request, said: JsonPath.objectAt('$') }

/** Beyond any function's own time-out: it only ends an invocation of which Lambda has lost track. */
const TASK_TIMEOUT = Timeout.duration(Duration.minutes(5))

/** A step: its function, tried again as its row in steps.ts says, its answer the whole output. */
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
  /** The wait that follows, whether or not it could be told. */
  readonly wait: Wait
}

/** Tells of a movement that waits for people: the step before says so once of its terms. */
export function announceWait(scope: Construct, { state, kind, announce, wait }: Announcing): LambdaInvoke {
  const awaits = {
    ...{ kind, execution: JsonPath.executionName, executionArn: JsonPath.executionId },
    ...{ enteredAt: JsonPath.stateEnteredTime, ...REQUEST_AND_SAID },
  }
  const told = { verb: Verb.Announce, lambdaFunction: announce, payload: { awaits }, resultPath: JsonPath.DISCARD }
  const task = invocation(scope, state, told)
  task.addCatch(wait, { resultPath: JsonPath.DISCARD })
  task.next(wait)
  return task
}

/** Legs of a phase that are under way at once: each holds a connection, and their reads share one rate limit. */
const LEGS_AT_ONCE = 5

export interface LegStates {
  readonly legs: string
  readonly leg: string
  readonly legBroke: string
}

/**
 * Legs side by side, each an execution of `child` under the name of its intent, so that a Map that is entered
 * again starts none twice. The state's output is its input: what became of a leg, the journal says. Its input is
 * the leg's request as it is frozen, to the letter, so the parent is not named in it.
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
    input: TaskInput.fromJsonPathAt('$.request'),
    resultPath: JsonPath.DISCARD,
    taskTimeout: Timeout.duration(timeout),
  })
  leg.addRetry(LEG_RETRY)
  // A leg that broke does not stop the others, and is settled like them.
  leg.addCatch(new Pass(scope, legBroke), { resultPath: JsonPath.DISCARD })
  const each = new MapState(scope, name, {
    itemsPath: JsonPath.stringAt('$.legs'),
    maxConcurrency: LEGS_AT_ONCE,
    resultPath: JsonPath.DISCARD,
  })
  return each.itemProcessor(leg)
}

/** The named ends of a machine, by outcome. */
export interface Ends<End extends string> {
  readonly byOutcome: Readonly<Record<End, IChainable>>
  /** Gives the end that calls a person a result to carry where no step did. */
  readonly unconcluded: IChainable & INextable
}

/** Branches on `outcome`: the ends, then the ways on. An outcome that nobody wrote down calls a person. */
export function outcomeChoice<End extends string, Step extends string>(
  scope: Construct,
  name: string,
  ends: Ends<End>,
  waysOn: Partial<Record<Step, IChainable>>,
): Choice {
  const choice = new Choice(scope, name)
  const branches: Record<string, IChainable> = { ...ends.byOutcome, ...waysOn }
  for (const [outcome, next] of Object.entries(branches)) {
    choice.when(Condition.stringEquals('$.outcome', outcome), next)
  }
  return choice.otherwise(ends.unconcluded)
}

/** An end that alarms. A Fail state has no output, so its cause carries the result as JSON. */
export function failure(scope: Construct, name: string, outcome: string): Fail {
  return new Fail(scope, name, { error: outcome, causePath: JsonPath.jsonToString(JsonPath.objectAt('$')) })
}

/** Where not even Conclude could say how a run ended. Leads to the end that calls a person. */
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
  /** Of another stack, known by its name. */
  readonly announce?: IFunction
  /** Machines whose executions it starts and waits for. */
  readonly children?: readonly NamedMachine[]
  /** A last bound. A run that meets it ends TIMED_OUT, which alarms; its intent stays as the journal has it. */
  readonly timeout: Duration
}

export function deployMachine(scope: Construct, settings: MachineSettings): StateMachine {
  const logGroup = new LogGroup(scope, 'Log', {
    // The prefix keeps the account's log resource policy from growing past its limit:
    // https://docs.aws.amazon.com/step-functions/latest/dg/bp-cwl.html
    logGroupName: `/aws/vendedlogs/states/${nameIn(scope, settings.name)}`,
    retention: RetentionDays.SIX_MONTHS,
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
    // Amounts and ids are in the history of the execution, behind its own permissions, and not in the log.
    logs: { destination: logGroup, level: LogLevel.ALL, includeExecutionData: false },
    tracingEnabled: true,
  })
  // An immutable role does not order itself before the machine that needs its statements at creation.
  stateMachine.node.addDependency(role)
  return stateMachine
}
