// Inputs and outputs of the functions at the edges: StartRun, which starts runs, ReceiveWebhook and StartOnDeposit, which do so
// for a deposit, and Announce, which publishes their ends and what waits for people. Shapes only. The events themselves are in events.ts.
import * as z from 'zod/mini'
import { RequestEvent } from './events.ts'
import { executionName, intentId, isoTime, opaqueId, policyName, termsHash } from './fields.ts'
import { MOST_POLICIES } from './policies.ts'
import { IntentKind } from './records.ts'
import { settleRunInput } from './runs.ts'
import { StateMachine } from './states.ts'

/** StartRun: what EventBridge Scheduler hands over, from the schedule's own Input. */
export const scheduledStart = z.strictObject({
  source: z.literal('schedule'),
  policy: policyName,
  /** When the schedule was due, whenever it is handed over: two deliveries of one start have one time. */
  scheduledTime: isoTime,
})
export type ScheduledStart = z.infer<typeof scheduledStart>

const accountId = z.string().check(z.regex(/^[0-9]{12}$/, 'an AWS account id of 12 digits'))

/** StartRun: what an EventBridge rule hands over. The envelope is AWS's, `detail` the requester's. */
export const requestedStart = z.object({
  'detail-type': z.enum(RequestEvent, `one of ${Object.values(RequestEvent).join(', ')}`),
  /** Of whoever put it: EventBridge says so, the requester cannot. */
  account: accountId,
  detail: z.unknown(),
})

/** StartRun: input. The decision tells the two apart before it parses, so that complaints are about one of them. */
export const startRunInput = z.unknown()

export const StartOutcome = {
  Started: 'STARTED',
  /** The same schedule's time, event or deposit has started it before. */
  AlreadyStarted: 'ALREADY_STARTED',
  /** A tick of a schedule that is none of its due times: before its start, after its end, or between two of a rate. */
  NotDue: 'NOT_DUE',
  /** Due, and nobody has verified the keys of this deployment yet. It is not started later. */
  NotVerified: 'NOT_VERIFIED',
} as const
export type StartOutcome = (typeof StartOutcome)[keyof typeof StartOutcome]

/** StartRun: output, for the log: nobody waits for it. */
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
  /** Names in lower case. */
  headers: z._default(z.record(z.string(), z.string()), {}),
  body: z._default(z.string(), ''),
  isBase64Encoded: z._default(z.boolean(), false),
})

export const WebhookOutcome = {
  /** A deposit: that the policies are to start which wait for it is in the queue. */
  Queued: 'QUEUED',
  /** Signed by the service, and nothing that a policy waits for. */
  Ignored: 'IGNORED',
  /** Not signed by the service. */
  Forged: 'FORGED',
  TooLarge: 'TOO_LARGE',
} as const
export type WebhookOutcome = (typeof WebhookOutcome)[keyof typeof WebhookOutcome]

/**
 * What ReceiveWebhook puts into the queue, and StartOnDeposit takes out of it: policies by their names, and nothing else that
 * a run could go by. One release may put what the next takes.
 */
export const depositStart = z.strictObject({
  source: z.literal('deposit'),
  /** SHA-256 of the delivery's bytes, as hex. */
  delivery: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'a SHA-256 in hex')),
  policies: z.array(policyName).check(z.minLength(1), z.maxLength(MOST_POLICIES)),
  receivedAt: isoTime,
})
export type DepositStart = z.infer<typeof depositStart>

/** StartOnDeposit: a batch of messages of the queue. Each body is parsed by itself, so that one does not fail another. */
export const queuedMessages = z.object({
  Records: z.array(z.object({ messageId: opaqueId, body: z.string() })).check(z.maxLength(100)),
})

export const DepositOutcome = {
  /** Each policy that waits for it is started, or was. */
  Started: 'STARTED',
  /** The very bytes that were acted on before. */
  Duplicate: 'DUPLICATE',
  /** None of its policies waits for deposits any longer. */
  NotAwaited: 'NOT_AWAITED',
  /** Nobody has verified the keys of this deployment yet: it stays in the queue. */
  NotVerified: 'NOT_VERIFIED',
} as const
export type DepositOutcome = (typeof DepositOutcome)[keyof typeof DepositOutcome]

/** StartOnDeposit: of one message, for the log. */
export interface DepositReport {
  readonly outcome: DepositOutcome
  readonly executions: readonly string[]
}

const epochMs = z.int().check(z.gte(0), z.lte(8_640_000_000_000_000))
const dataText = z.optional(z.nullable(z.string()))

/** Announce: "Step Functions Execution Status Change" of one of the machines, at its end. */
export const executionEnded = z.object({
  detail: z.object({
    executionArn: opaqueId,
    stateMachineArn: opaqueId,
    /** Executions that people start may have names that are no intent's. */
    name: z.string(),
    status: z.enum(['SUCCEEDED', 'FAILED', 'TIMED_OUT', 'ABORTED']),
    stopDate: epochMs,
    /** Left out by EventBridge where it is too large. */
    input: dataText,
    output: dataText,
    error: dataText,
    cause: dataText,
  }),
})
export type ExecutionEnded = z.infer<typeof executionEnded>

/** Announce: of a movement that waits for people, from the state of its machine. */
export const approvalAwaited = z.object({
  awaits: z.object({
    kind: z.enum(IntentKind),
    execution: executionName,
    executionArn: opaqueId,
    enteredAt: isoTime,
    /** The execution's own input. */
    request: z.unknown(),
    /** The AWAITING_APPROVAL answer of the step before. */
    said: z.object({ intentId, awaited: termsHash, until: isoTime, why: z.string() }),
  }),
})
export type ApprovalAwaited = z.infer<typeof approvalAwaited>
export const announceEvent = z.union([executionEnded, approvalAwaited])

/** Who asked for an execution, by its own input: read loosely, as anyone may start one. */
export const askedForMovement = z.object({ requestId: intentId })
export const askedForRun = z.object({ trigger: z.object({ by: z.literal('event'), id: intentId }) })
export const runOfPolicy = z.object({ policy: policyName })
export const legOfRun = z.object({ run: intentId })

/** `detail-type` of what Step Functions tells of executions. */
export const EXECUTION_CHANGED = 'Step Functions Execution Status Change'
/** Ends that no state of the machine came to. */
export const STOPPED = ['ABORTED', 'TIMED_OUT'] as const

/** SettleRun: the same, where an execution of a run was stopped. Its name may be no run's: then there is none of it. */
const runAborted = z.object({
  detail: z.object({ name: z.string(), status: z.enum(STOPPED), stopDate: epochMs }),
})
export type RunAborted = z.infer<typeof runAborted>
/** SettleRun: what reaches it, from its state or from the rule. */
export const settleRunEvent = z.union([settleRunInput, runAborted])

export const AnnounceOutcome = { Told: 'TOLD' } as const
