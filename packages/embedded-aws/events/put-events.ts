// Checks the entries of PutEvents one by one, and turns each into an event. Builds the event that Step Functions puts
// on the default bus when an execution ends.
// Source: Amazon EventBridge API Reference, PutEvents; User Guide, "Event structure".
import { AwsError } from '../aws-error.ts'
import { isObject } from '../fields.ts'
import type { ExecutionDescription } from '../states/execution-description.ts'

/** AWS's maximum entries of one request, and their total bytes. */
const MOST_ENTRIES = 10
const MOST_BYTES = 262_144

export const DEFAULT_BUS = 'default'

export interface Entry {
  readonly source: string
  readonly detailType: string
  readonly detail: Readonly<Record<string, unknown>>
  readonly bus: string
  readonly resources: readonly string[]
  readonly timeMs: number | undefined
}

export interface EntryRefusal {
  readonly ErrorCode: string
  readonly ErrorMessage: string
}

/** Throws ValidationException for the whole request. */
export function readEntries(entries: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (!Array.isArray(entries) || entries.length < 1 || entries.length > MOST_ENTRIES || !entries.every(isObject)) {
    throw new AwsError('ValidationException', `Entries must be a list of 1 to ${MOST_ENTRIES} objects`)
  }
  if (entries.reduce((sum, entry) => sum + sizeOf(entry), 0) > MOST_BYTES) {
    throw new AwsError('ValidationException', 'Total size of the entries in the request is over the limit.')
  }
  return entries
}

/** Counts as AWS does: 14 bytes for a time, and the UTF-8 of the texts. */
function sizeOf({ Detail, DetailType, Resources, Source, Time }: Readonly<Record<string, unknown>>): number {
  const texts = [Source, DetailType, Detail, ...(Array.isArray(Resources) ? Resources : [])]
  return texts.reduce((sum: number, text) => sum + Buffer.byteLength(String(text ?? '')), Time === undefined ? 0 : 14)
}

export function readEntry(entry: Readonly<Record<string, unknown>>): Entry | EntryRefusal {
  const { Source, DetailType, Detail, EventBusName, Resources = [], Time } = entry
  if (!isText(Source)) return missing('Source')
  if (!isText(DetailType)) return missing('DetailType')
  if (!isText(Detail)) return missing('Detail')
  if (Source.startsWith('aws.')) {
    return { ErrorCode: 'NotAuthorizedForSourceException', ErrorMessage: 'Not authorized for the source.' }
  }
  const detail = parsed(Detail)
  if (!isObject(detail)) return { ErrorCode: 'MalformedDetail', ErrorMessage: 'Detail is malformed.' }
  if (!Array.isArray(Resources) || !Resources.every((each) => typeof each === 'string')) return missing('Resources')
  return {
    source: Source,
    detailType: DetailType,
    detail,
    bus: busName(EventBusName),
    resources: Resources,
    timeMs: typeof Time === 'number' ? Time * 1000 : undefined,
  }
}

/** Returns the name of a bus given by name or ARN. */
export function busName(value: unknown): string {
  return typeof value === 'string' && value !== '' ? (value.split('/').at(-1) ?? '') : DEFAULT_BUS
}

/** Returns the event as rules see it. */
export function eventOf(
  entry: Entry,
  id: string,
  place: { readonly account: string; readonly region: string },
  nowMs: number,
): Readonly<Record<string, unknown>> {
  return {
    version: '0',
    id,
    'detail-type': entry.detailType,
    source: entry.source,
    account: place.account,
    time: new Date(entry.timeMs ?? nowMs).toISOString().replace(/\.\d{3}Z$/, 'Z'),
    region: place.region,
    resources: entry.resources,
    detail: entry.detail,
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function missing(name: string): EntryRefusal {
  const ErrorMessage = `Parameter ${name} is not valid. Reason: ${name} is a required argument.`
  return { ErrorCode: 'InvalidArgument', ErrorMessage }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Maximum bytes of input and output together, escaped as in the event. Above it the input is left out, and an output
 * that alone is larger.
 */
const MOST_DATA_BYTES = 248 * 1024

export function statusChange(execution: ExecutionDescription): Entry {
  const { input, output } = execution
  const outputBytes = output === undefined ? 0 : escapedBytes(output)
  const hasOutput = outputBytes <= MOST_DATA_BYTES
  const hasInput = escapedBytes(input) + (hasOutput ? outputBytes : 0) <= MOST_DATA_BYTES
  return {
    source: 'aws.states',
    detailType: 'Step Functions Execution Status Change',
    bus: DEFAULT_BUS,
    resources: [execution.executionArn],
    timeMs: execution.stopDate?.getTime(),
    detail: {
      executionArn: execution.executionArn,
      stateMachineArn: execution.stateMachineArn,
      stateMachineVersionArn: null,
      stateMachineAliasArn: null,
      name: execution.name,
      status: execution.status,
      startDate: execution.startDate.getTime(),
      stopDate: execution.stopDate?.getTime() ?? null,
      input: hasInput ? input : null,
      inputDetails: { included: hasInput },
      output: hasOutput ? (output ?? null) : null,
      outputDetails: output === undefined ? null : { included: hasOutput },
      error: execution.error ?? null,
      cause: execution.cause ?? null,
      redriveCount: execution.redriveCount,
      redriveDate: execution.redriveDate?.getTime() ?? null,
    },
  }
}

function escapedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text))
}
