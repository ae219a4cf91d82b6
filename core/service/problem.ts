// Describes a failed call: by the service's problem document (RFC 9457; section "Errors"), or by a code of ours where
// the service gave no document. Texts taken from an answer are bounded and cleaned, because they end up in logs.
// Decides nothing.

import * as z from 'zod/mini'
import { findJson } from '../contract/find-json.ts'
import { Defect, KeyFault, RateLimited, Refused, SluiceError, Transient } from '../errors.ts'
import type { Answer, Answered } from './http.ts'
import { LONGEST_WINDOW_MS, requestedPauseMs } from './pace.ts'

/** Codes for a missing answer, or for an answer without a problem document of the service. */
export const Fault = {
  /** No answer: refused, reset, unreachable, or not HTTP. */
  NoAnswer: 'no_answer',
  TimedOut: 'timed_out',
  /** The answer began, and ended too early. */
  CutOff: 'cut_off',
  BodyTooLarge: 'body_too_large',
  /** An error status without a problem document, so something between us and the service answered. */
  NotAProblem: 'not_a_problem',
  Redirected: 'redirected',
  NotJson: 'not_json',
  /** A success status that the endpoint does not promise. */
  UnexpectedStatus: 'unexpected_status',
} as const
export type Fault = (typeof Fault)[keyof typeof Fault]

export interface ServiceProblem {
  /** Method and path template, such as `GET /v2/orders/{id}`. */
  readonly endpoint: string
  /** HTTP status; `undefined` without an answer. */
  readonly status: number | undefined
  /** A code of the service (an open set), or a `Fault`. */
  readonly code: string
  /** True only for a problem document of the service. */
  readonly isDocument: boolean
  /** Absent: the document does not say. */
  readonly retryable?: boolean
  /** The system's error code, such as ECONNREFUSED, where there was no answer. */
  readonly systemCode?: string
  /** The check of the signature that failed first. */
  readonly reason?: string
  readonly detail?: string
  /**
   * Code and detail of JSON that is not a proven problem document, such as one that a gateway relabelled. Decides
   * nothing.
   */
  readonly claimed?: string
  readonly extensions: Readonly<Record<string, string>>
  readonly asked?: Readonly<Record<string, string>>
  readonly traceId?: string
  /** Pause that the service asks for (see pace.ts). */
  readonly pauseMs?: number
}

/** The problem that an error of the client carries; `undefined` for other errors. */
export function problemOf(error: unknown): ServiceProblem | undefined {
  return error instanceof SluiceError && 'problem' in error ? (error.problem as ServiceProblem) : undefined
}

/**
 * Whether the service itself says that something does not exist. Absence counts towards a certified zero, so both the
 * code and the status must say so.
 */
export function isNotFound(error: unknown): boolean {
  const problem = problemOf(error)
  return problem?.isDocument === true && problem.code === 'not_found' && problem.status === 404
}

/** Undefined only where the service's own problem document says `not_found`. */
export async function unlessNotFound<Found>(read: Promise<Found>): Promise<Found | undefined> {
  try {
    return await read
  } catch (error) {
    if (isNotFound(error)) return undefined
    throw error
  }
}

/** Whether the service itself says that it lacks the market, or a price for it. A key at fault has other codes. */
export function isUnpriced(error: unknown): boolean {
  return error instanceof Refused && problemOf(error)?.isDocument === true
}

/** Whether the service itself says, with a code that is new, that it answers this request later: a halted market. */
export function isHalted(error: unknown): error is RateLimited {
  const { code, status = 500 } = problemOf(error) ?? {}
  return error instanceof RateLimited && code !== 'rate_limited' && status < 500
}

const ERRORS = { Transient, RateLimited, Refused, KeyFault, Defect } as const
export type ReadErrorName = keyof typeof ERRORS

export function errorOf(kind: ReadErrorName, problem: ServiceProblem): SluiceError {
  return Object.assign(new ERRORS[kind](describe(problem)), { problem })
}

/** Texts for answers without a document of the service. */
const FAULT_WORDS: Readonly<Record<Fault, string>> = {
  [Fault.NoAnswer]: 'no answer',
  [Fault.TimedOut]: 'no whole answer in time',
  [Fault.CutOff]: 'the answer was cut off',
  [Fault.BodyTooLarge]: 'the answer is larger than is accepted',
  [Fault.NotAProblem]: 'a page that is not of the service, but of a gateway or a firewall before it',
  [Fault.Redirected]: 'a redirect, which is not followed',
  [Fault.NotJson]: 'a success whose body is no JSON',
  [Fault.UnexpectedStatus]: 'a status that is not promised',
}

/** One sentence without secret, token or body. */
export function describe(problem: ServiceProblem): string {
  const { code, reason, detail, claimed, asked, traceId, pauseMs = 0 } = problem
  const status = problem.status === undefined ? '' : ` ${problem.status}`
  // Its words say the same as the code.
  const isUnanswered = code === Fault.NoAnswer || code === Fault.TimedOut
  const answer = problem.isDocument
    ? `the service answered${status} ${code}`
    : `${detail ?? FAULT_WORDS[code as Fault]}${status === '' ? '' : ` (status${status})`}${isUnanswered ? '' : ` [${code}]`}`
  const more = [
    reason === undefined ? '' : ` (reason ${reason})`,
    problem.isDocument && detail !== undefined ? `: ${detail}` : '',
    claimed === undefined ? '' : `, which claims, not proven: ${claimed}`,
    asked === undefined ? '' : askedText(asked),
    pauseMs < LONGEST_WINDOW_MS ? '' : `; it asks to wait ${Math.ceil(pauseMs / 60_000)} minutes`,
    traceId === undefined ? '' : ` [trace ${traceId}]`,
  ]
  return `${problem.endpoint}: ${answer}${more.join('')}`
}

const MAX_ASKED = 10
const MAX_VALUE_CHARS = 64

/** Such as ` (baseAsset: BTC, side: BUY)`. People typed the values, so a secret typed by mistake is removed. */
function askedText(asked: Readonly<Record<string, string>>): string {
  const values = Object.entries(asked).slice(0, MAX_ASKED)
  if (values.length === 0) return ''
  const texts = values.map(([name, value]) => {
    const clean = cleanText(value)
    return `${name}: ${clean.length <= MAX_VALUE_CHARS ? clean : `${clean.slice(0, MAX_VALUE_CHARS - 1)}…`}`
  })
  return ` (${texts.join(', ')})`
}

export function problemFrom(endpoint: string, answer: Answer): ServiceProblem {
  if (answer.kind === 'unanswered') {
    const { code, systemCode, text } = answer
    return { ...faultOf(endpoint, code, undefined, text), ...(systemCode !== undefined && { systemCode }) }
  }
  const problem = problemFromAnswer(endpoint, answer)
  const pauseMs = requestedPauseMs(answer)
  return pauseMs === undefined ? problem : { ...problem, pauseMs }
}

function problemFromAnswer(endpoint: string, answer: Answered): ServiceProblem {
  const { status, fault } = answer
  if (fault !== undefined) return faultOf(endpoint, fault, status)
  if (status >= 300 && status < 400) return faultOf(endpoint, Fault.Redirected, status)
  if (status < 400) return faultOf(endpoint, Fault.UnexpectedStatus, status)
  const documented = documentOf(endpoint, answer)
  if (documented !== undefined && PROBLEM_TYPE.test(answer.contentType)) return documented
  const unproven = faultOf(endpoint, Fault.NotAProblem, status)
  return documented === undefined ? unproven : { ...unproven, claimed: claimOf(documented) }
}

function claimOf({ code, detail }: ServiceProblem): string {
  return detail === undefined ? code : `${code}: ${detail}`
}

export function faultOf(endpoint: string, code: Fault, status: number | undefined, detail?: string): ServiceProblem {
  const known = { endpoint, status, code, isDocument: false, extensions: {} }
  return detail === undefined ? known : { ...known, detail }
}

const PROBLEM_TYPE = /^application\/problem\+json\s*(;|$)/i
/** `application/json`, and every type with the suffix JSON (RFC 6839, section 3.1). */
const JSON_TYPE = /^(application\/json|[a-z]+\/[\w.!#$&^+-]+\+json)\s*(;|$)/i

/** Whether a success of this media type is read. A problem document never is, whatever its status. */
export function isJson(contentType: string): boolean {
  return JSON_TYPE.test(contentType) && !PROBLEM_TYPE.test(contentType)
}

const TOKEN = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/

// Decisions need only `code`. The rest may be absent or malformed.
const document = z.object({
  code: z.string().check(z.regex(/^(?!svc_)[a-z][a-z0-9_]{0,63}$/)),
  retryable: z.catch(z.optional(z.boolean()), undefined),
  reason: z.catch(z.optional(z.string().check(z.regex(TOKEN))), undefined),
  detail: z.catch(z.optional(z.string()), undefined),
  traceId: z.catch(z.optional(z.string().check(z.regex(TOKEN))), undefined),
  extensions: z.catch(z.optional(z.record(z.string(), z.unknown())), undefined),
})

/** The problem document in an answer's JSON, whatever its media type calls that JSON. */
function documentOf(endpoint: string, answer: Answered): ServiceProblem | undefined {
  if (!JSON_TYPE.test(answer.contentType)) return undefined
  const parsed = document.safeParse(findJson(answer.body.toString('utf8')))
  if (!parsed.success) return undefined
  const { code, retryable, reason, detail, traceId, extensions } = parsed.data
  return {
    endpoint,
    status: answer.status,
    code,
    isDocument: true,
    ...(retryable !== undefined && { retryable }),
    extensions: cleanExtensions(extensions ?? {}),
    ...(reason === undefined ? {} : { reason: cleanText(reason) }),
    ...(detail === undefined ? {} : { detail: cleanText(detail) }),
    ...(traceId === undefined ? {} : { traceId: cleanText(traceId) }),
  }
}

const MAX_TEXT_CHARS = 240
const MAX_EXTENSIONS = 16
// An answer may echo what we sent. So our texts never contain a key secret, a JWT or a part of one, a bearer header or
// a PEM block, recognised by shape.
const SECRET_SHAPES = /svc_(live|test)_[0-9A-Za-z]+|eyJ[\w-]+(\.[\w-]*)*|bearer\s+\S+|-----BEGIN[^-]*-----[\s\S]*/gi
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it removes
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]+/g

function cleanText(text: string): string {
  const clean = text
    .slice(0, 4 * MAX_TEXT_CHARS)
    .replace(SECRET_SHAPES, '[removed]')
    .replace(UNPRINTABLE, ' ')
  return clean.length <= MAX_TEXT_CHARS ? clean : `${clean.slice(0, MAX_TEXT_CHARS - 1)}…`
}

function cleanExtensions(extensions: Readonly<Record<string, unknown>>): Record<string, string> {
  const clean: Record<string, string> = {}
  for (const [name, value] of Object.entries(extensions).slice(0, MAX_EXTENSIONS))
    if (TOKEN.test(name) && typeof value === 'string') clean[cleanText(name)] = cleanText(value)
  return clean
}
