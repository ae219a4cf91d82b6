// Defines the options and operations of the embedded AWS, as types that other code uses. embedded-aws.ts implements
// them.
import type { Placed } from './assembly/identity.ts'
import type { AwsClock } from './clock.ts'
import type { DeliveryHook } from './delivery/deliveries.ts'
import type { Denied, Granted } from './endpoint/access.ts'
import type { Credentials, EndpointAccess } from './endpoint/credentials.ts'
import type { EndpointHook } from './endpoint/wire.ts'
import type { EntryResult } from './events/event-buses.ts'
import type { FailedInvocation } from './lambda/async-invocations.ts'
import type { ClockSetBack } from './schedules/schedules.ts'
import type { Published } from './sns/topics.ts'
import type { QueueMessage } from './sqs/queue-store.ts'
import type { ExecutionDescription } from './states/execution-description.ts'
import type { HistoryEvent } from './states/history.ts'

export interface EmbeddedAwsOptions {
  /** A cdk.out folder, which is only read. */
  readonly assemblyDir: string
  /** The folder of all durable state, created if absent. One process at a time may use it. */
  readonly stateDir: string
  /**
   * Whether everything acknowledged is on disk first, so that a power cut takes nothing back. Default true. False is
   * for a temporary world: it survives the process, but not the machine.
   */
  readonly isDurable?: boolean
  /**
   * True creates the tables again in a directory with executions but without tables. Otherwise such a boot is refused.
   */
  readonly isJournalLost?: boolean
  /** Values of CloudFormation parameters by name. They override the defaults. */
  readonly parameters?: Readonly<Record<string, string>>
  /**
   * SecretString by secret name. At boot it becomes the current value, unless the previous boot got the same value.
   * Then values and labels put since that boot stay.
   */
  readonly secrets?: Readonly<Record<string, string>>
  /**
   * False: values of `secrets` are written to no disk, and those of earlier starts are removed from it. Default true.
   */
  readonly keepsSecrets?: boolean
  /** Private key in PEM (PKCS#8), by the ARN or `alias/NAME` of its KMS key. Never written to disk. */
  readonly kmsKeys?: Readonly<Record<string, string>>
  /**
   * The clock of Wait states, retry delays, execution time-outs, deliveries and schedules. Functions use the host's
   * clock.
   */
  readonly clock?: AwsClock
  /** Variables of this machine for every function, such as those of its proxy. Default: none. */
  readonly machineVariables?: Readonly<Record<string, string>>
  readonly onFunctionLog?: (functionName: string, line: string) => void
  readonly onEndpointCall?: EndpointHook
  /** Called for each attempt to deliver an event or a schedule. A test may refuse the attempt, or repeat it. */
  readonly onDelivery?: DeliveryHook
  /** Called when the clock was set back by more than a minute and schedules follow the new time. */
  readonly onClockSetBack?: (setBack: ClockSetBack) => void
  /**
   * Called for each failed attempt of an asynchronous invocation, when it fails. Retries and the dead letter come
   * later.
   */
  readonly onFailedInvocation?: (failed: FailedInvocation) => void
  /**
   * Whether the default bus gets the end of every execution. Default false: without a listener, each end would start a
   * function for nothing.
   */
  readonly executionEvents?: boolean
  /** Called for every history event when it happens, also in executions continued from an earlier process. */
  readonly onEvent?: (executionArn: string, event: HistoryEvent) => void
  /**
   * Whether unfinished executions and pending deliveries of an earlier process continue. Default true. False leaves
   * both for the next process.
   */
  readonly resume?: boolean
  /** Port of the AWS endpoints. Default: any free one. */
  readonly port?: number
  /** Port of functions with a URL that everybody may call. Default: any free one. */
  readonly functionUrlPort?: number
  /** The administrator's access key. Default: a new one for this boot. */
  readonly credentials?: Credentials
  /** The administrator's user name in the account. Default: administrator. */
  readonly userName?: string
  /**
   * The clock of functions, where it differs from this machine's. The dates of their signatures are checked against it.
   */
  readonly functionClock?: Pick<AwsClock, 'nowMs'>
  /** Concurrent invocations of one function; others wait. Default 1, because more is slower on few cores. */
  readonly workersPerFunction?: number
  /** Starts a worker for each function at boot, in the background. Default false. */
  readonly prewarm?: boolean
}

/** A running embedded AWS. Its access is the administrator's. */
export interface EmbeddedAws extends EndpointAccess {
  /**
   * `stateMachine`: a name or an ARN. `input`: JSON text. Throws ExecutionAlreadyExists and other errors as AWS does.
   */
  startExecution(request: {
    readonly stateMachine: string
    readonly name: string
    readonly input: string
  }): Promise<{ readonly executionArn: string; readonly startDate: Date; readonly existed: boolean }>
  /** Payloads are JSON text. Rejects with the function's error, whose name is the error type. */
  invokeFunction(functionName: string, payload: string): Promise<string>
  /** Throws ExecutionDoesNotExist. */
  describeExecution(executionArn: string): ExecutionDescription
  /** Continues in the state that did not succeed, with its input. Throws ExecutionNotRedrivable. */
  redriveExecution(executionArn: string): Promise<void>
  /** Throws DamagedLog when the execution's file cannot be read. */
  findExecution(stateMachine: string, name: string): ExecutionDescription | undefined
  /**
   * Describes the damage in files of unfinished executions. Those executions do not continue, and their names stay
   * taken.
   */
  damagedExecutions(): readonly string[]
  /** Returns the readable executions, latest first. `isRunning`: only running ones. */
  listExecutions(stateMachine: string, isRunning?: boolean): readonly ExecutionDescription[]
  history(executionArn: string): readonly HistoryEvent[]
  /** Rejects when the embedded AWS stops first. */
  untilFinished(executionArn: string): Promise<ExecutionDescription>
  resources(): Resources
  permissions(): PermissionUse
  /** Works like EventBridge's PutEvents. Accepted events are on disk when this resolves. */
  putEvents(entries: readonly Readonly<Record<string, unknown>>[]): Promise<readonly EntryResult[]>
  /**
   * Resolves when no delivery of an event or schedule is pending: its function has answered, or the retries have ended.
   */
  untilDelivered(): Promise<void>
  /** Returns a queue's messages, oldest first, without receiving them. Throws QueueDoesNotExist. */
  queueMessages(queueName: string): readonly QueueMessage[]
  /** Returns the latest hundred messages of a topic since the boot, oldest first. Throws NotFound. */
  publishedTo(topicName: string): readonly Published[]
  readonly schedules: ScheduleControl
  /**
   * Returns the functions with a URL, and their addresses. Functions that everybody may call have their own port with
   * nothing else behind it; functions with signed requests have another.
   */
  functionUrls(): readonly { readonly functionName: string; readonly url: string }[]
  /** Returns the HTTP APIs of API Gateway, and their addresses on a port of their own. Each takes signed requests. */
  httpApis(): readonly { readonly apiName: string; readonly url: string }[]
  /** Creates an access key for a user, who may do what the administrator may, and signs under another name. */
  addUser(name: string): Credentials
  /**
   * Rejects with the error of the first write to the state directory that fails. Every later write is refused. What to do
   * is to stop, and to start again once the disk is sound.
   */
  readonly failed: Promise<never>
  /** Stops executions and deliveries where they are, from this event on if a listener calls it. Then call `stop`. */
  halt(): void
  /** Closes workers, sockets and the database. Unfinished executions stay RUNNING on disk. */
  stop(): Promise<void>
}

/** The use of the roles' permissions since the boot. */
export interface PermissionUse {
  /** Permissions of roles that no call has used: one action on one resource, with one value for each condition. */
  readonly unused: readonly Granted[]
  /** Permissions that roles asked for without having them. */
  readonly denied: readonly Denied[]
}

export interface ScheduleControl {
  list(): readonly ScheduleDescription[]
  /** Starts firing. Missed times fire too, up to their maximum age. */
  start(): void
  /** Fires a schedule, by name or ARN, for any time; `times` repeats it, as EventBridge Scheduler may. */
  fire(name: string, scheduledTime: Date, times?: number): void
}

export interface ScheduleDescription {
  readonly name: string
  readonly arn: string
  readonly expression: string
  readonly zone: string
  readonly isEnabled: boolean
}

export interface Resources {
  readonly tables: readonly Placed[]
  readonly secrets: readonly Placed[]
  readonly functions: readonly Placed[]
  readonly stateMachines: readonly Placed[]
  readonly queues: readonly Placed[]
  readonly eventBuses: readonly Placed[]
  readonly buckets: readonly Placed[]
}
