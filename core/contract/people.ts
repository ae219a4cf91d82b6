// Defines requests and answers of the functions that people call directly: RequestRun (runs and movements), Decide (approvals),
// ThrowSwitch (halts), Resume, Resolve (doubts), DeclareForeign and Release (stranded balances). Shapes only. A request does
// not say who asks: AWS reports that from the request's signature.
import * as z from 'zod/mini'
import { amountText, executionName, intentId, isoTime, opaqueId, ownId, policyName } from './fields.ts'
import { payoutRowsOfFile } from './payouts.ts'
import { IntentKind, IntentState } from './records.ts'
import { countedApproval, runRequest } from './runs.ts'

const reason = z.string().check(z.minLength(1), z.maxLength(1_000))
const scope = z.union([policyName, z.literal('*')])

const decided = { decision: z.enum(['approved', 'rejected']), because: reason } as const
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'a SHA-256 as hex'))

const decideOnRun = z.strictObject({
  ...decided,
  run: executionName,
  /** Hash of the plan that the person saw. */
  planHash: sha256,
})
export type DecideOnRun = z.infer<typeof decideOnRun>

const decideOnMovement = z.strictObject({
  ...decided,
  kind: z.enum(IntentKind),
  intent: intentId,
  /** Hash of the terms that the person saw. */
  termsHash: sha256,
})
export type DecideOnMovement = z.infer<typeof decideOnMovement>

export const decideRequest = z.union([decideOnRun, decideOnMovement])
export type DecideRequest = z.infer<typeof decideRequest>

/** Ids of runs that people ask for: a stem, a dash, and hex digits. Schedules, events and deposits use other names. */
export const PEOPLES_RUNS = { stems: ['rb', 'sw'], digits: 32 } as const
const peoplesRun = new RegExp(`^(?:${PEOPLES_RUNS.stems.join('|')})-[0-9a-f]{${PEOPLES_RUNS.digits}}$`)

export const requestRunRequest = z.strictObject({
  /** Has the form that `sluice run` makes from an --id. */
  run: z.string().check(z.regex(peoplesRun, 'rb- or sw-, and 32 hex digits')),
  /** Names a policy of treasury.json. A policy in the request itself would bring its own rules on who approves. */
  request: z.extend(runRequest, {
    policy: policyName,
    /** Reports state what started a run. Here it is always a person. */
    trigger: z.optional(z.strictObject({ by: z.literal('person') })),
  }),
  /** The id of which `run` was made. Lists show it. */
  ownId: z.optional(ownId),
  /** The rows of the request's pages, which the function writes. */
  rows: z.optional(payoutRowsOfFile),
})
export type RequestRunRequest = z.infer<typeof requestRunRequest>

/** Ids of conversions and withdrawals that people ask for: a stem, a dash, and hex digits. */
export const PEOPLES_MOVEMENTS = { stems: { convert: 'cv', withdraw: 'wd' }, digits: 32 } as const
const peoplesMovement = new RegExp(
  `^(?:${Object.values(PEOPLES_MOVEMENTS.stems).join('|')})-[0-9a-f]{${PEOPLES_MOVEMENTS.digits}}$`,
)

/**
 * Records who asks for a conversion or a withdrawal. It starts nothing: that needs the permission to start executions.
 */
export const askMovementRequest = z.strictObject({
  kind: z.enum(IntentKind),
  /** Has the form that `sluice run` makes from an --id. */
  intent: z.string().check(z.regex(peoplesMovement, 'cv- or wd-, and 32 hex digits')),
  /** Hash of the request, by which the log knows that it is the request of the intent. */
  requestHash: sha256,
  ownId: z.optional(ownId),
})
export type AskMovementRequest = z.infer<typeof askMovementRequest>

/** Everything that RequestRun takes. */
export const askRequest = z.union([requestRunRequest, askMovementRequest])

/** A halt as the person saw it. */
const shownHalt = z.strictObject({
  scope,
  by: z.string(),
  because: z.string(),
  at: isoTime,
  trip: z.optional(z.int().check(z.gte(1))),
})

export const haltRequest = z.strictObject({ action: z.literal('halt'), scope, because: reason })
export type HaltRequest = z.infer<typeof haltRequest>

/** Lifts exactly these halts. */
export const resumeRequest = z.strictObject({
  action: z.literal('resume'),
  scope,
  because: reason,
  halts: z.array(shownHalt).check(z.minLength(1), z.maxLength(2)),
})
export type ResumeRequest = z.infer<typeof resumeRequest>

/**
 * Hash of the question to which the person said yes (core/journal/persons-question.ts). Absent: the function examines
 * the facts and asks. If the facts have changed since, it asks again.
 */
const agreed = z.optional(sha256)

export const resolveRequest = z.strictObject({
  action: z.literal('resolve'),
  kind: z.enum(IntentKind),
  intent: intentId,
  /** Null: nothing moved. */
  movement: z.nullable(opaqueId),
  /** The person states that the key in use and the key that signed belong to one account. */
  sameAccount: z.boolean(),
  because: reason,
  agreed,
})
export type ResolveRequest = z.infer<typeof resolveRequest>

export const declareForeignRequest = z.strictObject({
  action: z.literal('foreign'),
  movement: opaqueId,
  /** Absent: the order or the withdrawal, whichever has the id. */
  kind: z.optional(z.enum(IntentKind)),
  /** The intents in doubt that did not make the movement. */
  notOf: z.array(intentId).check(z.maxLength(100)),
  because: reason,
  agreed,
})
export type DeclareForeignRequest = z.infer<typeof declareForeignRequest>

export const releaseRequest = z.strictObject({
  action: z.literal('release'),
  policy: policyName,
  because: reason,
  agreed,
})
export type ReleaseRequest = z.infer<typeof releaseRequest>

/** Characters of a request. The rows of the longest file have about a million. */
const LONGEST_REQUEST = 2_000_000
/** Characters of a body, which has each quote of its request with a backslash. AWS passes a function 6 MB. */
const LONGEST_BODY = 4_000_000

/** The request as JSON text. The signature covers its exact bytes. */
const requestText = z.string().check(z.minLength(2), z.maxLength(LONGEST_REQUEST))

/** A person's signed request: its text, and the STS request that proves the signer (core/people/signed-request.ts). */
export const signedRequest = z.strictObject({
  said: requestText,
  /** Unique for each signed request, also when the text is the same. */
  nonce: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'a UUID')),
  /** Headers of the STS request. */
  authorization: z.string().check(z.maxLength(1_000)),
  date: z.string().check(z.regex(/^\d{8}T\d{6}Z$/, 'a time as YYYYMMDDTHHMMSSZ')),
  /**
   * Token of temporary credentials. It is useless without their secret key, and is still kept out of logs and records.
   */
  securityToken: z.optional(z.string().check(z.maxLength(16_000), z.regex(/^[\x21-\x7e]+$/, 'printable ASCII'))),
})
export type SignedRequest = z.infer<typeof signedRequest>

/**
 * A request to a function URL (payload format 2.0), with the fields that we read. A caller who may invoke the function
 * directly can write all of them.
 */
export const peoplesRequest = z.object({
  body: z._default(z.string().check(z.maxLength(LONGEST_BODY)), ''),
  isBase64Encoded: z._default(z.boolean(), false),
  /** Lambda writes the caller here when the request came through the URL. */
  requestContext: z.optional(
    z.object({ authorizer: z.optional(z.object({ iam: z.optional(z.object({ userArn: z.string() })) })) }),
  ),
})

/** Body of an error response. */
export const refusal = z.object({ error: z.string(), message: z.string() })

const standingDecision = z.object({ by: z.string(), at: isoTime })
export type StandingDecision = z.infer<typeof standingDecision>

export const decideAnswer = z.object({
  outcome: z.enum(['APPROVED', 'REJECTED', 'WAITS']),
  by: z.string(),
  /** The run of the plan, or the intent of the movement. */
  run: z.optional(executionName),
  intent: z.optional(intentId),
  needed: z.optional(z.int()),
  /** Only for a movement: how many more people must approve. */
  missing: z.optional(z.int()),
  approvals: z.optional(z.array(countedApproval)),
  /** Nothing was recorded, because this decision stands already: this person's own, or another's. */
  before: z.optional(standingDecision),
  /** The execution in which the run continues or ends. Absent: it waits for another person. */
  execution: z.optional(executionName),
})
export type DecideAnswer = z.infer<typeof decideAnswer>

export const requestRunAnswer = z.object({
  /** ALREADY_STARTED: an earlier call started the run; it may have ended since. */
  outcome: z.enum(['STARTED', 'ALREADY_STARTED']),
  by: z.string(),
  run: executionName,
  /** Present where the run was entered again; otherwise its execution has the run's name. */
  execution: z.optional(executionName),
})
export type RequestRunAnswer = z.infer<typeof requestRunAnswer>

export const askMovementAnswer = z.object({
  /** BEGUN: the intent had begun without a record of who asked, so nothing was recorded. */
  outcome: z.enum(['RECORDED', 'BEGUN']),
  /** The person who asked first. */
  by: z.optional(z.string()),
})
export type AskMovementAnswer = z.infer<typeof askMovementAnswer>

export const haltAnswer = z.object({ outcome: z.literal('HALTED'), by: z.string(), at: isoTime })
export type HaltAnswer = z.infer<typeof haltAnswer>

/** `WAITS`: another person must ask for the same. */
export const resumeAnswer = z.object({ outcome: z.enum(['RESUMED', 'WAITS']), by: z.string(), at: isoTime })
export type ResumeAnswer = z.infer<typeof resumeAnswer>

/** Nothing was recorded. The person is asked to agree to this question, and sends its hash back as `agreed`. */
export const asksAnswer = z.object({ outcome: z.literal('ASKS'), question: z.string() })
export type AsksAnswer = z.infer<typeof asksAnswer>

const statement = { by: z.string(), because: z.string(), at: isoTime } as const

export const resolveAnswer = z.object({
  outcome: z.literal('RESOLVED'),
  state: z.enum(IntentState),
  resolution: z.object({ ...statement, movementId: z.optional(z.string()), sameAccount: z.optional(z.string()) }),
})
export type ResolveAnswer = z.infer<typeof resolveAnswer>

export const declareForeignAnswer = z.object({
  outcome: z.literal('DECLARED'),
  foreign: z.object(statement),
  /** Intents that wait for a person and that the movement might have belonged to. */
  waiting: z.array(z.string()),
})
export type DeclareForeignAnswer = z.infer<typeof declareForeignAnswer>

export const releaseAnswer = z.object({
  outcome: z.literal('RELEASED'),
  released: z.object({ ...statement, residues: z.record(z.string(), amountText) }),
})
export type ReleaseAnswer = z.infer<typeof releaseAnswer>
