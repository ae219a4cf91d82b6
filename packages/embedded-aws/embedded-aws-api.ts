// What the embedded AWS takes and offers: the types that other rooms use. What it does is in embedded-aws.ts.
import type { Placed } from './assembly/identity.ts'
import type { AwsClock } from './clock.ts'
import type { DeliveryHook } from './delivery/delivery.ts'
import type { Denied } from './endpoint/access.ts'
import type { Credentials, EndpointAccess } from './endpoint/credentials.ts'
import type { EndpointHook } from './endpoint/endpoint-hook.ts'
import type { Granted } from './endpoint/granted.ts'
import type { EntryResult } from './events/event-buses.ts'
import type { FailedInvocation } from './lambda/async-invocations.ts'
import type { ClockSetBack } from './schedules/schedules.ts'
import type { Published } from './sns/topics.ts'
import type { QueueMessage } from './sqs/queue-store.ts'
import type { ExecutionDescription } from './states/execution-description.ts'
import type { HistoryEvent } from './states/history.ts'

export interface EmbeddedAwsOptions {
  /** A cdk.out. Only read. */
  readonly assemblyDir: string
  /** Everything durable lives here; made if absent. One process at a time. */
  readonly stateDir: string
  /**
   * Whether what is acknowledged is on disk by then, so that a power cut takes nothing back. Default true. False for
   * a world that is thrown away: it survives the process, and not the machine.
   */
  readonly isDurable?: boolean
  /** True to make the tables of a directory anew whose executions are there and whose tables are gone. Without it such a boot is refused. */
  readonly isJournalLost?: boolean
  /** Values of CloudFormation parameters by name, over their defaults. */
  readonly parameters?: Readonly<Record<string, string>>
  /**
   * SecretString by the secret's name. Made the current value at boot, unless the boot before was given the
   * same: what was put or relabelled since then stays.
   */
  readonly secrets?: Readonly<Record<string, string>>
  /** False: values of `secrets` are written to no disk, and those of earlier starts are taken off it. Default true. */
  readonly keepsSecrets?: boolean
  /** Private key in PEM (PKCS#8) by the ARN or the `alias/NAME` of the KMS key that it plays. On no disk. */
  readonly kmsKeys?: Readonly<Record<string, string>>
  /** For Wait states, retry delays, time-outs of executions, deliveries and schedules. Functions live in the host's own time. */
  readonly clock?: AwsClock
  readonly onFunctionLog?: (functionName: string, line: string) => void
  readonly onEndpointCall?: EndpointHook
  /** Each attempt to deliver an event or a schedule: a test may refuse it, or have it done twice. */
  readonly onDelivery?: DeliveryHook
  /** The clock was set back by more than a minute, and schedules go by the new time. */
  readonly onClockSetBack?: (setBack: ClockSetBack) => void
  /** Each attempt of a function's own queue that fails, as it fails: its retries and its dead letter come later. */
  readonly onFailedInvocation?: (failed: FailedInvocation) => void
  /**
   * Whether the default bus hears of the end of every execution. Default false: where nobody stays to listen,
   * each end would start a function for nothing.
   */
  readonly executionEvents?: boolean
  /** Every event of every history as it happens, also of executions that go on from a former process. */
  readonly onEvent?: (executionArn: string, event: HistoryEvent) => void
  /**
   * Whether executions that a former process left unfinished go on, and what it owed is delivered. Default true.
   * False leaves both as they are, for the next process.
   */
  readonly resume?: boolean
  /** Of the AWS endpoints. Default: any free one. */
  readonly port?: number
  /** Of the functions with a URL that anybody may call. Default: any free one. */
  readonly functionUrlPort?: number
  /** The administrator's access key. Default: one that is made for this boot. */
  readonly credentials?: Credentials
  /** What the administrator is called as a user of the account. Default: administrator. */
  readonly userName?: string
  /** What functions take for the time, where it is not this machine's: the dates of their signatures are held against it. */
  readonly functionClock?: Pick<AwsClock, 'nowMs'>
  /** Invocations of one function that run at once; the others wait. Default 1: more is slower on few cores. */
  readonly workersPerFunction?: number
  /** Starts a worker for each function at boot, without waiting for it. Default false. */
  readonly prewarm?: boolean
}

/** Its own access is the administrator's. */
export interface EmbeddedAws extends EndpointAccess {
  /** `stateMachine` is a name or an ARN, `input` JSON text. Throws ExecutionAlreadyExists and the like as AWS does. */
  startExecution(request: {
    readonly stateMachine: string
    readonly name: string
    readonly input: string
  }): Promise<{ readonly executionArn: string; readonly startDate: Date; readonly existed: boolean }>
  /** Payloads are JSON text. An error that leaves the function rejects, with its type as name. */
  invokeFunction(functionName: string, payload: string): Promise<string>
  /** Throws ExecutionDoesNotExist. */
  describeExecution(executionArn: string): ExecutionDescription
  /** Goes on in the state that did not succeed, with its input. Throws ExecutionNotRedrivable. */
  redriveExecution(executionArn: string): Promise<void>
  /** Throws DamagedLog where its file cannot be read. */
  findExecution(stateMachine: string, name: string): ExecutionDescription | undefined
  /** What is wrong with files of unfinished executions: those do not go on, and their names stay taken. */
  damagedExecutions(): readonly string[]
  /** Latest first, those that can be read. `isRunning`: of those that run alone, whatever has ended before. */
  listExecutions(stateMachine: string, isRunning?: boolean): readonly ExecutionDescription[]
  history(executionArn: string): readonly HistoryEvent[]
  /** Rejects when the embedded AWS stops first. */
  untilFinished(executionArn: string): Promise<ExecutionDescription>
  resources(): Resources
  permissions(): PermissionUse
  /** As EventBridge's PutEvents: what is accepted is written down when this resolves. */
  putEvents(entries: readonly Readonly<Record<string, unknown>>[]): Promise<readonly EntryResult[]>
  /** Resolves once every event and schedule is delivered, its function has answered, or it was given up. */
  untilDelivered(): Promise<void>
  /** What a queue holds, oldest first, without receiving it. Throws QueueDoesNotExist. */
  queueMessages(queueName: string): readonly QueueMessage[]
  /** The latest hundred messages of a topic since the boot, oldest first. Throws NotFound. */
  publishedTo(topicName: string): readonly Published[]
  readonly schedules: ScheduleControl
  /**
   * Where the functions with a URL of their own answer HTTP. Those that anybody may call have a port of their own, behind
   * which there is nothing else, and those that take signed requests have another one.
   */
  functionUrls(): readonly { readonly functionName: string; readonly url: string }[]
  /** A new access key of a user, who may do what the administrator may and signs by another name. */
  addUser(name: string): Credentials
  /** Every running execution stays where it is, from this very event on where a listener calls it; then stop it. */
  halt(): void
  /** Workers, sockets and the database closed; unfinished executions stay RUNNING on disk. */
  stop(): Promise<void>
}

/** What came of the roles' permissions since the boot. */
export interface PermissionUse {
  /** What roles may do and have not done: one action on one resource under one value of each condition. */
  readonly unused: readonly Granted[]
  /** What roles asked for, and may not do. */
  readonly denied: readonly Denied[]
}

export interface ScheduleControl {
  list(): readonly ScheduleDescription[]
  /** Nothing fires before this. What was missed fires too, if it is not older than its maximum age. */
  start(): void
  /** By name or ARN, for a time that need not be due: once, or more often, as EventBridge Scheduler may. */
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
}
