// Defines inputs and outputs of the functions at the edges. StartRun starts runs, ReceiveWebhook and StartOnDeposit start them
// for a deposit, StartOnFile starts them for a file, and Announce publishes ends and waits for people. Also has the event of a
// stopped run, which SettleRun receives. Shapes only; the events are in events.ts.
import * as z from 'zod/mini'
import { RequestEvent } from './events.ts'
import { executionName, intentId, isoTime, opaqueId, policyName, termsHash } from './fields.ts'
import { MOST_POLICIES } from './policies.ts'
import { IntentKind } from './records.ts'
import { settleRunInput } from './runs.ts'
import { StateMachine } from './states.ts'

/** StartRun: input from EventBridge Scheduler, written in the schedule's own Input. */
export const scheduledStart = z.strictObject({
  source: z.literal('schedule'),
  policy: policyName,
  /** When the schedule was due, not when it was delivered. Two deliveries of one start have the same time. */
  scheduledTime: isoTime,
})
export type ScheduledStart = z.infer<typeof scheduledStart>

const accountId = z.string().check(z.regex(/^[0-9]{12}$/, 'an AWS account id of 12 digits'))

/** StartRun: input from an EventBridge rule. AWS writes the envelope, and the requester writes `detail`. */
export const requestedStart = z.object({
  'detail-type': z.enum(RequestEvent, `one of ${Object.values(RequestEvent).join(', ')}`),
  /** The account that put the event. EventBridge writes it, so the requester cannot forge it. */
  account: accountId,
  detail: z.unknown(),
})

/**
 * StartRun: input. The function chooses between the two shapes before it parses, so that errors are about one shape.
 */
export const startRunInput = z.unknown()

export const StartOutcome = {
  Started: 'STARTED',
  /** The same scheduled time, event or deposit has already started the run. */
  AlreadyStarted: 'ALREADY_STARTED',
  /** The schedule ticked outside its due times: before its start, after its end, or between two times of a rate. */
  NotDue: 'NOT_DUE',
  /** Due, but nobody has verified the keys of this deployment yet. It is not started later. */
  NotVerified: 'NOT_VERIFIED',
} as const
export type StartOutcome = (typeof StartOutcome)[keyof typeof StartOutcome]

/** StartRun: output. Only the log uses it. */
const startRunReport = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.enum([StartOutcome.Started, StartOutcome.AlreadyStarted]),
    stateMachine: z.enum(StateMachine),
    execution: executionName,
  }),
  z.object({
    outcome: z.enum([StartOutcome.NotDue, StartOutcome.NotVerified]),
    policy: policyName,
    scheduledTime: isoTime,
  }),
])
export type StartRunReport = z.infer<typeof startRunReport>

/** ReceiveWebhook: a request to its function URL (payload format 2.0). */
export const webhookRequest = z.object({
  /** Header names are in lower case. */
  headers: z._default(z.record(z.string(), z.string()), {}),
  body: z._default(z.string(), ''),
  isBase64Encoded: z._default(z.boolean(), false),
})

export const WebhookOutcome = {
  /** A deposit: the queue holds the start of the policies that wait for it. */
  Queued: 'QUEUED',
  /** Signed by the service, but no policy waits for it. */
  Ignored: 'IGNORED',
  Forged: 'FORGED',
  TooLarge: 'TOO_LARGE',
} as const
export type WebhookOutcome = (typeof WebhookOutcome)[keyof typeof WebhookOutcome]

/**
 * Message from ReceiveWebhook to StartOnDeposit through the queue. It names policies and nothing else that could affect
 * a run. The sender may be of an older release than the reader.
 */
export const depositStart = z.strictObject({
  source: z.literal('deposit'),
  /** SHA-256 of the delivery's bytes, as hex. */
  delivery: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'a SHA-256 in hex')),
  policies: z.array(policyName).check(z.minLength(1), z.maxLength(MOST_POLICIES)),
  receivedAt: isoTime,
})
export type DepositStart = z.infer<typeof depositStart>

/** StartOnDeposit: messages from the queue. Each body is parsed separately, so that a bad one fails alone. */
export const queuedMessages = z.object({
  Records: z.array(z.object({ messageId: opaqueId, body: z.string() })).check(z.maxLength(100)),
})

export const DepositOutcome = {
  /** Each policy that waits for the deposit is started now, or was started before. */
  Started: 'STARTED',
  /** The same bytes were handled before. */
  Duplicate: 'DUPLICATE',
  /** No policy of the message waits for deposits any longer. */
  NotAwaited: 'NOT_AWAITED',
  /** Nobody has verified the keys of this deployment yet. The message stays in the queue. */
  NotVerified: 'NOT_VERIFIED',
} as const
export type DepositOutcome = (typeof DepositOutcome)[keyof typeof DepositOutcome]

/** StartOnDeposit: report on one message, for the log. */
export interface DepositReport {
  readonly outcome: DepositOutcome
  readonly executions: readonly string[]
}

/**
 * StartOnFile: the event of S3 for a new object, as EventBridge puts it into the queue. A bucket without versions has no
 * `version-id`.
 */
export const objectCreated = z.object({
  source: z.literal('aws.s3'),
  'detail-type': z.literal('Object Created'),
  detail: z.object({
    bucket: z.object({ name: z.string().check(z.maxLength(63)) }),
    object: z.object({
      key: z.string().check(z.maxLength(1_024)),
      size: z.int().check(z.gte(0)),
      'version-id': z.optional(z.string().check(z.maxLength(1_024))),
    }),
  }),
})
export type ObjectCreated = z.infer<typeof objectCreated>

export const FileOutcome = {
  /** The run of the file is started, or waits for its turn. The message stays in the queue until the run has its policy. */
  Started: 'STARTED',
  /** The run of the file has its policy, waits for approval, or has ended. */
  Done: 'DONE',
  /** Nothing of the file is paid. An event and a dead letter have the findings. */
  Refused: 'REFUSED',
  /** No policy takes files from this place. */
  NotAwaited: 'NOT_AWAITED',
  /** Nobody has verified the keys of this deployment yet. The message stays in the queue. */
  NotVerified: 'NOT_VERIFIED',
} as const
export type FileOutcome = (typeof FileOutcome)[keyof typeof FileOutcome]

/** StartOnFile: report on one message, for the log. It has nothing of the file. */
export interface FileReport {
  readonly outcome: FileOutcome
  readonly policy?: string
  readonly execution?: string
}

const epochMs = z.int().check(z.gte(0), z.lte(8_640_000_000_000_000))
const dataText = z.optional(z.nullable(z.string()))

/** Announce: the event "Step Functions Execution Status Change" when an execution of a state machine has ended. */
export const executionEnded = z.object({
  detail: z.object({
    executionArn: opaqueId,
    stateMachineArn: opaqueId,
    /** People may start executions under names that name no intent. */
    name: z.string(),
    status: z.enum(['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']),
    stopDate: epochMs,
    /** EventBridge leaves these out where they are too large. */
    input: dataText,
    output: dataText,
    error: dataText,
    cause: dataText,
  }),
})
export type ExecutionEnded = z.infer<typeof executionEnded>

/** Announce: a movement that waits for people, from the state of its machine. */
export const approvalAwaited = z.object({
  awaits: z.object({
    kind: z.enum(IntentKind),
    execution: executionName,
    executionArn: opaqueId,
    enteredAt: isoTime,
    request: z.unknown(),
    /** The AWAITING_APPROVAL answer of the previous step. */
    said: z.object({ intentId, awaited: termsHash, until: isoTime, why: z.string() }),
  }),
})
export type ApprovalAwaited = z.infer<typeof approvalAwaited>
export const announceEvent = z.union([executionEnded, approvalAwaited])

/** Fields of an execution's input that say who asked for it. Parsed loosely, because anyone may start an execution. */
export const movementRequester = z.object({ requestId: intentId })
export const runRequester = z.object({ trigger: z.object({ by: z.literal('event'), id: intentId }) })
export const runOfPolicy = z.object({ policy: policyName })
export const legOfRun = z.object({ run: intentId })

/** `detail-type` of the events that Step Functions sends about executions. */
export const EXECUTION_CHANGED = 'Step Functions Execution Status Change'
/** Ends that no state of the machine caused. */
export const STOPPED = ['ABORTED', 'TIMED_OUT'] as const

/** SettleRun: the event for a stopped execution. If its name names no run, there is no run to settle. */
const runAborted = z.object({
  detail: z.object({ name: z.string(), status: z.enum(STOPPED), stopDate: epochMs }),
})
export type RunAborted = z.infer<typeof runAborted>
/** SettleRun: its input, from its state or from the rule. */
export const settleRunEvent = z.union([settleRunInput, runAborted])

export const AnnounceOutcome = { Told: 'TOLD' } as const
