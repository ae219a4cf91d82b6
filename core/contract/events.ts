// Events on the bus: requests of other services and accounts, and the ends that are announced to them. They have a
// version. A field is added and never changed: another meaning is another version. Schemas are published in
// docs/events/.
import * as z from 'zod/mini'
import { convertReport, convertRequest } from './convert.ts'
import { intentId, isoTime, policyName, termsHash } from './fields.ts'
import { runSummary } from './runs.ts'
import { withdrawReport, withdrawRequest } from './withdraw.ts'

export const EVENT_BUS = 'sluice'
/** The queue that keeps what could not be handed over, and what is refused, each with its reason. */
export const DEAD_LETTER_QUEUE = 'sluice-dead-letters'
/** The queue of the starts that deposits ask for: between the function that faces the internet and the one that may start. */
export const DEPOSIT_QUEUE = 'sluice-deposits'
/** `source` of what Sluice says itself. Others say theirs; requests are known by their detail-type. */
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

/** `detail-type` of what is told. */
export const ResultEvent = {
  Conversion: 'Conversion Ended',
  Withdrawal: 'Withdrawal Ended',
  Run: 'Policy Run Ended',
} as const
export type ResultEvent = (typeof ResultEvent)[keyof typeof ResultEvent]

/** `detail-type` of what is told of the switch by which sending stops. */
export const SwitchEvent = {
  Halted: 'Sending Halted',
  Resumed: 'Sending Resumed',
} as const
export type SwitchEvent = (typeof SwitchEvent)[keyof typeof SwitchEvent]

/** `detail-type` of what is told of a conversion or a withdrawal that waits until people approve it. */
export const APPROVAL_AWAITED = 'Approval Awaited'

const request = {
  version: z.literal(EVENT_VERSION),
  /** The requester's own: the same id is the same request, however often it is put or delivered. */
  id: intentId,
}

const conversionRequested = z.strictObject({ ...request, request: convertRequest })
const withdrawalRequested = z.strictObject({ ...request, request: withdrawRequest })
/** Of a policy of treasury.json, by its name. */
const runRequested = z.strictObject({ ...request, policy: policyName })

/** Fields of a conversion's or a withdrawal's request that Sluice sets itself: an event may not. */
export const SET_BY_SLUICE = ['run', 'requestId'] as const

/** `detail` of each request. */
export const requestDetail = {
  [RequestEvent.Conversion]: conversionRequested,
  [RequestEvent.Withdrawal]: withdrawalRequested,
  [RequestEvent.Sweep]: runRequested,
  [RequestEvent.Rebalance]: runRequested,
} as const

const result = {
  version: z.literal(EVENT_VERSION),
  /** The requester's own, where an event made it. */
  id: z.optional(intentId),
  /** Of the execution: the same end may be told more than once, with the same name. */
  execution: z.string(),
  endedAt: isoTime,
}

/** A run that could not even be planned may know neither its policy nor of what kind that is. */
const runResult = z.partial(runSummary, { policy: true, kind: true })

/** `detail` of each result. */
export const resultDetail = {
  [ResultEvent.Conversion]: z.object({ ...result, result: convertReport }),
  [ResultEvent.Withdrawal]: z.object({ ...result, result: withdrawReport }),
  [ResultEvent.Run]: z.object({ ...result, result: runResult }),
} as const

const thrown = {
  version: z.literal(EVENT_VERSION),
  /** A policy, or `*` for everything. */
  scope: z.union([policyName, z.literal('*')]),
  because: z.string(),
  /** Of the switch: the same halt may be told more than once, with the same time. */
  at: isoTime,
}

/** `detail` of each change of the switch. */
export const switchDetail = {
  [SwitchEvent.Halted]: z.object({
    ...thrown,
    /** Who: a person's identity on AWS, or that the policy halted itself. */
    by: z.string(),
    isBreaker: z.boolean(),
    /** Of a breaker's: the run with which it tripped. */
    runId: z.optional(intentId),
  }),
  [SwitchEvent.Resumed]: z.object({ ...thrown, by: z.string() }),
} as const

/** `detail` of a movement that waits for people: told once of its terms by each execution, and anew where they are settled anew. */
export const awaitedDetail = z.object({
  version: z.literal(EVENT_VERSION),
  /** The requester's own, where an event made it. */
  id: z.optional(intentId),
  execution: z.string(),
  kind: z.enum(['conversion', 'withdrawal']),
  /** What `sluice approve` takes. */
  intentId,
  /** On whose behalf; absent: on nobody's. */
  policy: z.optional(policyName),
  /** The run whose leg it is. */
  run: z.optional(intentId),
  /** Hash of the terms that people are to approve: the same wait may be told more than once, with the same terms. */
  terms: termsHash,
  at: isoTime,
  /** Nothing is sent from then on, whatever people say. */
  until: isoTime,
  /** One sentence: which rule of treasury.json asks, and how many people are missing. */
  why: z.string(),
})

export interface SwitchTold {
  readonly detailType: SwitchEvent
  readonly detail: object
  /** Milliseconds since the epoch. */
  readonly timeMs: number
}

/** Tells on the bus of a change that is recorded. Resolves also where the bus did not take it. */
export type TellSwitch = (event: SwitchTold) => Promise<void>
