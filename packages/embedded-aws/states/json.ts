// Defines the JSON values of state machines, their size limit, their timestamps, and the failure of a state. A
// timestamp is RFC 3339 with an upper-case T, exact to the nanosecond, so that comparisons do not round.
import type { Branch } from './branch.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** Maximum bytes (UTF-8) of an input, an output or a task's result. AWS: Quotas, "Input or output size". */
export const PAYLOAD_LIMIT_BYTES = 262_144

/**
 * Parses text that is known to be JSON: written here, or checked before.
 * @throws SyntaxError when it is not JSON
 */
export function parseJson(text: string): Json {
  return JSON.parse(text)
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Returns a copy of `object` with `key` as an own field, even for names such as `__proto__`. */
export function withField(object: JsonObject, key: string, value: Json): JsonObject {
  return { ...object, [key]: value }
}

/** The errors that the interpreter itself reports. */
export const StatesError = {
  All: 'States.ALL',
  TaskFailed: 'States.TaskFailed',
  Timeout: 'States.Timeout',
  Runtime: 'States.Runtime',
  DataLimitExceeded: 'States.DataLimitExceeded',
  ResultPathMatchFailure: 'States.ResultPathMatchFailure',
  IntrinsicFailure: 'States.IntrinsicFailure',
} as const

/** The failure of a state. Retry and Catch match `error`; `reason` is for people. */
export class StateFailure extends Error {
  override readonly name = 'StateFailure'
  readonly error: string
  readonly reason: string | undefined
  /** The branch of the failed state, if known. */
  readonly branch: Branch | undefined

  constructor(error: string, reason?: string, branch?: Branch) {
    super(reason === undefined ? error : `${error}: ${reason}`)
    this.error = error
    this.reason = reason
    this.branch = branch
  }
}

/**
 * The failure of an execution, not of a state, whose history is full. AWS: Quotas, "Maximum execution history size".
 */
export class HistoryFull extends StateFailure {
  constructor(limit: number) {
    super(StatesError.Runtime, `The execution reached the maximum number of history events (${limit}).`)
  }
}

/** Returns the compact JSON text of a value. Throws StateFailure above the size limit. */
export function payloadText(value: Json, owner: string): string {
  const text = JSON.stringify(value)
  if (Buffer.byteLength(text) > PAYLOAD_LIMIT_BYTES) {
    throw new StateFailure(
      StatesError.DataLimitExceeded,
      `The state/task '${owner}' returned a result with a size exceeding the maximum number of bytes service limit.`,
    )
  }
  return text
}

const RFC3339 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?(Z|[+-]\d\d:\d\d)$/

/** Returns nanoseconds since the epoch, or undefined when the text is not such a timestamp. */
export function findTimestamp(text: unknown): bigint | undefined {
  const match = typeof text === 'string' ? RFC3339.exec(text) : null
  if (match === null) return undefined
  const wholeMs = Date.parse(`${match[1]}${match[3]}`)
  if (Number.isNaN(wholeMs)) return undefined
  return BigInt(wholeMs) * 1_000_000n + BigInt((match[2] ?? '').padEnd(9, '0'))
}
