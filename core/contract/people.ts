// What people ask of the functions that only people reach: RequestRun, for runs, Decide, for plans that wait, ThrowSwitch,
// for halts, Resume, for their end, Resolve, for doubts, DeclareForeign, for movements of others, and Release, for what runs
// left on their way. Shapes only. Who asks is no part of what is asked: AWS says it, of the signature of the word.
import * as z from 'zod/mini'
import { amountText, executionName, intentId, isoTime, opaqueId, policyName } from './fields.ts'
import { IntentKind, IntentState } from './records.ts'
import { approvalWord, runRequest } from './runs.ts'

const reason = z.string().check(z.minLength(1), z.maxLength(1_000))
const scope = z.union([policyName, z.literal('*')])

const decided = { decision: z.enum(['approved', 'rejected']), because: reason } as const
const sha256 = z.string().check(z.regex(/^[0-9a-f]{64}$/, 'a SHA-256 as hex'))

const decideOnRun = z.strictObject({
  ...decided,
  run: executionName,
  /** The plan that the person saw. */
  planHash: sha256,
})
export type DecideOnRun = z.infer<typeof decideOnRun>

const decideOnMovement = z.strictObject({
  ...decided,
  kind: z.enum(IntentKind),
  intent: intentId,
  /** The terms that the person saw. */
  termsHash: sha256,
})
export type DecideOnMovement = z.infer<typeof decideOnMovement>

export const decideRequest = z.union([decideOnRun, decideOnMovement])
export type DecideRequest = z.infer<typeof decideRequest>

/** Ids of runs that people ask for: a stem, a dash, and hex digits. No schedule, event or deposit names a run so. */
export const PEOPLES_RUNS = { stems: ['rb', 'sw'], digits: 32 } as const
const peoplesRun = new RegExp(`^(?:${PEOPLES_RUNS.stems.join('|')})-[0-9a-f]{${PEOPLES_RUNS.digits}}$`)

export const requestRunRequest = z.strictObject({
  /** In the form that `sluice run` makes of an --id. */
  run: z.string().check(z.regex(peoplesRun, 'rb- or sw-, and 32 hex digits')),
  /** Of a policy of treasury.json by its name: a policy of one's own would bring rules of its own on who approves. */
  request: z.extend(runRequest, {
    policy: policyName,
    /** Reports say what started a run: it is a person, whatever a body says. */
    trigger: z.optional(z.strictObject({ by: z.literal('person') })),
  }),
})
export type RequestRunRequest = z.infer<typeof requestRunRequest>

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

/** Lifts these halts, and no others. */
export const resumeRequest = z.strictObject({
  action: z.literal('resume'),
  scope,
  because: reason,
  halts: z.array(shownHalt).check(z.minLength(1), z.maxLength(2)),
})
export type ResumeRequest = z.infer<typeof resumeRequest>

/**
 * Of the question that the person said yes to, as the function asked it: its hash (core/journal/persons-question.ts). Absent:
 * the function examines, and asks. Where the facts have changed meanwhile it asks anew.
 */
const agreed = z.optional(sha256)

export const resolveRequest = z.strictObject({
  action: z.literal('resolve'),
  kind: z.enum(IntentKind),
  intent: intentId,
  /** Null: nothing moved. */
  movement: z.nullable(opaqueId),
  /** The key in use and the key that signed are of one account, on the person's word. */
  sameAccount: z.boolean(),
  because: reason,
  agreed,
})
export type ResolveRequest = z.infer<typeof resolveRequest>

export const declareForeignRequest = z.strictObject({
  action: z.literal('foreign'),
  movement: opaqueId,
  /** Absent: whichever of the two has the id. */
  kind: z.optional(z.enum(IntentKind)),
  /** The intents in doubt that did not make it. */
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

/** What a person asks, as JSON text: its hash is signed to the letter. */
const said = z.string().check(z.minLength(2), z.maxLength(16_000))

/** A person's word: what is asked, and the request to STS by which AWS says whose word it is (core/people/signed-word.ts). */
export const signedWord = z.strictObject({
  said,
  /** Of this word alone: the same thing said again is another word. */
  nonce: z.string().check(z.regex(/^[0-9a-f-]{36}$/, 'a UUID')),
  /** Headers of that request. */
  authorization: z.string().check(z.maxLength(1_000)),
  date: z.string().check(z.regex(/^\d{8}T\d{6}Z$/, 'a time as YYYYMMDDTHHMMSSZ')),
  /** Of temporary credentials. Without their secret key it opens nothing; it is kept out of logs and records all the same. */
  securityToken: z.optional(z.string().check(z.maxLength(16_000), z.regex(/^[\x21-\x7e]+$/, 'printable ASCII'))),
})
export type SignedWord = z.infer<typeof signedWord>

/** A request to a function URL (payload format 2.0), as far as it is read. Whoever may invoke the function can write all of it. */
export const peoplesRequest = z.object({
  body: z._default(z.string().check(z.maxLength(50_000)), ''),
  isBase64Encoded: z._default(z.boolean(), false),
  /** Lambda writes the caller here where the request came by the URL. */
  requestContext: z.optional(
    z.object({ authorizer: z.optional(z.object({ iam: z.optional(z.object({ userArn: z.string() })) })) }),
  ),
})

/** What comes back in place of an answer. */
export const refusal = z.object({ error: z.string(), message: z.string() })

export const decideAnswer = z.object({
  outcome: z.enum(['APPROVED', 'REJECTED', 'WAITS']),
  by: z.string(),
  /** The run whose plan it is, or the intent of the movement. */
  run: z.optional(executionName),
  intent: z.optional(intentId),
  needed: z.optional(z.int()),
  /** Of a movement: how many more people must approve. */
  missing: z.optional(z.int()),
  approvals: z.optional(z.array(approvalWord)),
  /** In which the run goes on, or ends. Absent: it waits for another person. */
  execution: z.optional(executionName),
})
export type DecideAnswer = z.infer<typeof decideAnswer>

export const requestRunAnswer = z.object({
  /** Started by this call or an earlier one, or at its end. */
  outcome: z.enum(['STARTED', 'ALREADY_STARTED']),
  by: z.string(),
  /** Its execution has the same name. */
  run: executionName,
})
export type RequestRunAnswer = z.infer<typeof requestRunAnswer>

export const haltAnswer = z.object({ outcome: z.literal('HALTED'), by: z.string(), at: isoTime })
export type HaltAnswer = z.infer<typeof haltAnswer>

/** `WAITS`: another person must say the same. */
export const resumeAnswer = z.object({ outcome: z.enum(['RESUMED', 'WAITS']), by: z.string(), at: isoTime })
export type ResumeAnswer = z.infer<typeof resumeAnswer>

/** Nothing was recorded: the person is asked for a yes to this, and sends its hash back as `agreed`. */
export const asksAnswer = z.object({ outcome: z.literal('ASKS'), question: z.string() })
export type AsksAnswer = z.infer<typeof asksAnswer>

const word = { by: z.string(), because: z.string(), at: isoTime } as const

export const resolveAnswer = z.object({
  outcome: z.literal('RESOLVED'),
  state: z.enum(IntentState),
  resolution: z.object({ ...word, movementId: z.optional(z.string()), sameAccount: z.optional(z.string()) }),
})
export type ResolveAnswer = z.infer<typeof resolveAnswer>

export const declareForeignAnswer = z.object({
  outcome: z.literal('DECLARED'),
  foreign: z.object(word),
  /** Intents that wait for a person, and whose movement it might have been. */
  waiting: z.array(z.string()),
})
export type DeclareForeignAnswer = z.infer<typeof declareForeignAnswer>

export const releaseAnswer = z.object({
  outcome: z.literal('RELEASED'),
  released: z.object({ ...word, residues: z.record(z.string(), amountText) }),
})
export type ReleaseAnswer = z.infer<typeof releaseAnswer>
