// Defines the events on the bus: requests from other services and accounts, and announcements of ends, halts, waits and refused
// files. Names the bus and its queues. Each event has a version. Fields are added and never changed: a changed meaning needs
// another version. The schemas are published in docs/events/.
import * as z from 'zod/mini'
import { convertReport, convertRequest } from './convert.ts'
import { intentId, isoTime, policyName, termsHash } from './fields.ts'
import { runSummary } from './runs.ts'
import { withdrawReport, withdrawRequest } from './withdraw.ts'

export const EVENT_BUS = 'sluice'
/** Name of the queue for events that could not be delivered or were refused, each with its reason. */
export const DEAD_LETTER_QUEUE = 'sluice-dead-letters'
/**
 * Name of the queue for starts that deposits ask for. It separates the function that faces the internet from the one
 * that may start runs.
 */
export const DEPOSIT_QUEUE = 'sluice-deposits'
/** Name of the queue for files of payouts that S3 announces. */
export const FILE_QUEUE = 'sluice-payout-files'
/** `source` of the events that Sluice sends. A requester sets its own; requests are known by their detail-type. */
export const EVENT_SOURCE = 'sluice'
export const EVENT_VERSION = 1

/** `detail-type` of requests. */
export const RequestEvent = {
  Conversion: 'Conversion Requested',
  Withdrawal: 'Withdrawal Requested',
  Sweep: 'Sweep Requested',
  Rebalance: 'Rebalance Requested',
} as const
export type RequestEvent = (typeof RequestEvent)[keyof typeof RequestEvent]

/** `detail-type` of announced ends. */
export const ResultEvent = {
  Conversion: 'Conversion Ended',
  Withdrawal: 'Withdrawal Ended',
  Run: 'Policy Run Ended',
} as const
export type ResultEvent = (typeof ResultEvent)[keyof typeof ResultEvent]

/** `detail-type` of announced halts and of their ends. */
export const SwitchEvent = {
  Halted: 'Sending Halted',
  Resumed: 'Sending Resumed',
} as const
export type SwitchEvent = (typeof SwitchEvent)[keyof typeof SwitchEvent]

/** `detail-type` of the announcement that a conversion or a withdrawal waits for people to approve it. */
export const APPROVAL_AWAITED = 'Approval Awaited'
/** `detail-type` of the announcement that a payout file in S3 was refused, and nothing of it was paid. */
export const FILE_REFUSED = 'Payout File Refused'

const request = {
  version: z.literal(EVENT_VERSION),
  /** The requester's id. The same id is the same request, however often it is put or delivered. */
  id: intentId,
}

const conversionRequested = z.strictObject({ ...request, request: convertRequest })
const withdrawalRequested = z.strictObject({ ...request, request: withdrawRequest })
/** Names a policy of treasury.json. */
const runRequested = z.strictObject({ ...request, policy: policyName })

/** Fields of a conversion's or a withdrawal's request that only Sluice sets. An event may not contain them. */
export const SET_BY_SLUICE = ['run', 'requestId'] as const

export const requestDetail = {
  [RequestEvent.Conversion]: conversionRequested,
  [RequestEvent.Withdrawal]: withdrawalRequested,
  [RequestEvent.Sweep]: runRequested,
  [RequestEvent.Rebalance]: runRequested,
} as const

const result = {
  version: z.literal(EVENT_VERSION),
  /** The requester's id, where an event asked for it. */
  id: z.optional(intentId),
  /** Name of the execution. An end that is announced again has the same name. */
  execution: z.string(),
  endedAt: isoTime,
}

/** A run that could not be planned may not know its policy or the policy's kind. */
const runResult = z.partial(runSummary, { policy: true, kind: true })

export const resultDetail = {
  [ResultEvent.Conversion]: z.object({ ...result, result: convertReport }),
  [ResultEvent.Withdrawal]: z.object({ ...result, result: withdrawReport }),
  [ResultEvent.Run]: z.object({ ...result, result: runResult }),
} as const

const switchFields = {
  version: z.literal(EVENT_VERSION),
  /** A policy's name, or `*` for everything. */
  scope: z.union([policyName, z.literal('*')]),
  because: z.string(),
  /** When sending was halted or resumed. An event that is sent again has the same time. */
  at: isoTime,
}

/** `detail` of each halt and resume. */
export const switchDetail = {
  [SwitchEvent.Halted]: z.object({
    ...switchFields,
    /** A person's identity on AWS, or `the breaker` where the policy halted itself. */
    by: z.string(),
    isBreaker: z.boolean(),
    /** Only with `isBreaker`: the run that tripped it. */
    runId: z.optional(intentId),
  }),
  [SwitchEvent.Resumed]: z.object({ ...switchFields, by: z.string() }),
} as const

/**
 * `detail` of a movement that waits for people. Each execution announces its terms once, and again after they change.
 */
export const awaitedDetail = z.object({
  version: z.literal(EVENT_VERSION),
  /** The requester's id, where an event asked for it. */
  id: z.optional(intentId),
  execution: z.string(),
  kind: z.enum(['conversion', 'withdrawal']),
  /** The id for `sluice approve`. */
  intentId,
  /** The policy that asked for the movement. Absent: no policy did. */
  policy: z.optional(policyName),
  /** The run to which the movement belongs as a leg. */
  run: z.optional(intentId),
  /** Hash of the terms that people are to approve. A wait that is announced again has the same terms. */
  terms: termsHash,
  at: isoTime,
  /** After this time nothing is sent, even if people approve. */
  until: isoTime,
  /** One sentence: the rule of treasury.json that asks, and how many people are missing. */
  why: z.string(),
})

/** Maximum findings in the event, which holds 256 KB. */
export const MOST_FINDINGS_OF_FILE = 100

/** `detail` of a refused file. An event that is sent again has the same object. */
export const fileRefusedDetail = z.object({
  version: z.literal(EVENT_VERSION),
  policy: policyName,
  bucket: z.string(),
  key: z.string(),
  /** Absent: the bucket keeps no versions. */
  versionId: z.optional(z.string()),
  /** The first findings in the order of the file. Without a line a finding is about the whole file. */
  findings: z
    .array(z.object({ line: z.optional(z.int()), says: z.string() }))
    .check(z.minLength(1), z.maxLength(MOST_FINDINGS_OF_FILE)),
  findingsInAll: z.int(),
  at: isoTime,
})
export type FileRefused = z.infer<typeof fileRefusedDetail>

export interface SwitchReport {
  readonly detailType: SwitchEvent
  readonly detail: object
  /** Milliseconds since the epoch. */
  readonly timeMs: number
}

/** Publishes a recorded halt or resume on the bus. Resolves even if the bus did not accept the event. */
export type ReportSwitch = (event: SwitchReport) => Promise<void>
