// JSON values as state machines carry them, their size limit, and how a state fails.
import type { Branch } from './branch.ts'

export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}

/** The most bytes (UTF-8) that an input, an output or a task's result may have. AWS: Quotas, "Input or output size". */
export const PAYLOAD_LIMIT_BYTES = 262_144

/** Text that is known to be JSON: written here, or checked before. @throws SyntaxError where it is none */
export function parseJson(text: string): Json {
  return JSON.parse(text)
}

export function isJsonList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

export function isJsonObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A copy of `object` with `key` set as an own field, whatever the key is called. */
export function withField(object: JsonObject, key: string, value: Json): JsonObject {
  return { ...object, [key]: value }
}

/** Names of the errors that the interpreter itself reports. */
export const StatesError = {
  All: 'States.ALL',
  TaskFailed: 'States.TaskFailed',
  Timeout: 'States.Timeout',
  Runtime: 'States.Runtime',
  DataLimitExceeded: 'States.DataLimitExceeded',
  ResultPathMatchFailure: 'States.ResultPathMatchFailure',
  IntrinsicFailure: 'States.IntrinsicFailure',
} as const

/** A state failed: `error` is what Retry and Catch match on, `cause` is for people. */
export class StateFailure extends Error {
  override readonly name = 'StateFailure'
  readonly error: string
  readonly reason: string | undefined
  /** The branch of the state that failed, where that is known. */
  readonly branch: Branch | undefined

  constructor(error: string, reason?: string, branch?: Branch) {
    super(reason === undefined ? error : `${error}: ${reason}`)
    this.error = error
    this.reason = reason
    this.branch = branch
  }
}

/** AWS: Quotas, "Maximum execution history size". It is the execution's failure, and no state's. */
export class HistoryFull extends StateFailure {
  constructor(limit: number) {
    super(StatesError.Runtime, `The execution reached the maximum number of history events (${limit}).`)
  }
}

/** The compact text of a value, checked against the size limit. Throws StateFailure beyond it. */
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
