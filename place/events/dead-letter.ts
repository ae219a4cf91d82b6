// Reads a dead letter: which event or start it was, and why its delivery failed. EventBridge and Scheduler give the
// reason in attributes, and a function's failure destination in its body. Everything in a letter is other people's
// text. Pure.
import { fieldsOf, findJson } from '../../core/contract/find-json.ts'

export interface QueueMessage {
  readonly id: string
  readonly body: string
  readonly attributes: Readonly<Record<string, { readonly StringValue?: string | undefined }>>
}

/** The request in a letter, with the fields that it has. */
export interface AskingEvent {
  /** The requester's own id. For a schedule the time; for another event its subject. */
  readonly id: string
  readonly source: string
  readonly detailType: string
  /** AWS account of the sender. */
  readonly account: string | undefined
  /** EventBridge's own id, a new one each time that the event is put. */
  readonly eventId: string | undefined
  /** ISO-8601 */
  readonly time: string | undefined
  readonly detail: unknown
  readonly isSchedule: boolean
  /** Whether a deposit asked for a start, and the queue of deposits gave it up. */
  readonly isDeposit: boolean
  /** Whether it is a payout file of S3 that was refused, or that the queue of files gave up. */
  readonly isFile: boolean
  /** The notice that was not delivered: the queue of notices gave it up. Absent for other letters. */
  readonly notice?: string
}

export interface DeadLetter {
  readonly letterId: string
  readonly asked: AskingEvent
  readonly reason: string
}

export function readDeadLetter(message: QueueMessage): DeadLetter {
  const body = findJson(message.body)
  const record = fieldsOf(body)
  // A function's failure destination wraps the function's input.
  const given = 'requestPayload' in record ? record.requestPayload : body
  return { letterId: message.id, asked: readAsking(given), reason: reasonOf(message) }
}

/** Reads the input of a function: an event, or a schedule's start. */
export function readAsking(given: unknown): AskingEvent {
  const { event, notice } = fieldsOf(given)
  // The queue of notices holds an event of the bus, and the name of its notice.
  if (typeof notice === 'string' && typeof event === 'object') return { ...readAsking(event), notice }
  const { id, source, account, time, detail, policy, policies, scheduledTime, delivery, receivedAt, ...rest } =
    fieldsOf(given)
  const isSchedule = source === 'schedule' && typeof scheduledTime === 'string'
  const isDeposit = source === 'deposit' && typeof delivery === 'string'
  const { id: ownId, name } = fieldsOf(detail)
  const asked = textOf(ownId) ?? textOf(name) ?? textOf(id)
  const file = fileOf(given)
  const own = file !== undefined ? file : isSchedule ? scheduledTime : isDeposit ? delivery : asked
  const started = Array.isArray(policies) ? policies.map((each) => textOf(each) ?? '?').join(', ') : '?'
  return {
    id: own ?? '',
    source: textOf(source) ?? '',
    detailType: isSchedule
      ? `schedule of ${textOf(policy) ?? '?'}`
      : isDeposit
        ? `deposit for ${started}`
        : file !== undefined
          ? 'payout file'
          : (textOf(rest['detail-type']) ?? ''),
    account: textOf(account),
    eventId: textOf(id),
    time: textOf(time) ?? textOf(receivedAt),
    detail,
    isSchedule,
    isDeposit,
    isFile: file !== undefined,
  }
}

/** The object of a refused file, or of the event of S3 that the queue gave up. Undefined for another letter. */
function fileOf(given: unknown): string | undefined {
  const { source, bucket, key, detail } = fieldsOf(given)
  const { bucket: inEvent, object } = fieldsOf(detail)
  if (source === 'file') return objectText(bucket, key)
  return source === 'aws.s3' ? objectText(fieldsOf(inEvent).name, fieldsOf(object).key) : undefined
}

function objectText(bucket: unknown, key: unknown): string {
  return `s3://${textOf(bucket) ?? '?'}/${textOf(key) ?? '?'}`
}

/** The summary for a person: `Conversion Requested, id a-1, source payroll`. */
export function askingText({
  id,
  notice,
  source,
  detailType,
}: Pick<AskingEvent, 'id' | 'source' | 'detailType' | 'notice'>): string {
  const parts = [
    notice === undefined ? '' : `notice ${notice}`,
    detailType || 'an event without a type',
    id && `id ${id}`,
    source && `source ${source}`,
  ]
  return parts.filter((part) => part !== '').join(', ')
}

export function reasonOf({ attributes, body }: QueueMessage): string {
  const error = attributes.ERROR_MESSAGE?.StringValue
  if (error !== undefined) return `${attributes.ERROR_CODE?.StringValue ?? 'undelivered'}: ${error}`
  const delivered = fieldsOf(findJson(body))
  const { errorType, errorMessage } = fieldsOf(delivered.responsePayload)
  // A queue moves a message unchanged, without a reason.
  if (errorType === undefined && readAsking(delivered).notice !== undefined) return 'failed: the log of Notify says why'
  if (errorType === undefined && readAsking(delivered).isDeposit) return 'failed: the log of StartOnDeposit says why'
  if (errorType === undefined && readAsking(delivered).isFile)
    return 'not started: another run held its policy for a day, or the log of StartOnFile says why'
  return `${textOf(errorType) ?? 'failed'}: ${textOf(errorMessage) ?? 'without a message'}`
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}
