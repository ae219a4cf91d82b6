// What ended in a dead-letter queue, and why: the reason alone, because the message may be anybody's. Pure.
import type { QueueMessage } from './queue-message.ts'

/** EventBridge and Scheduler say it in attributes, a function's failure destination in its body. */
export function reasonOf({ attributes, body }: QueueMessage): string {
  const said = attributes.ERROR_MESSAGE?.StringValue
  if (said !== undefined) return `${attributes.ERROR_CODE?.StringValue ?? 'undelivered'}: ${said}`
  const { errorType, errorMessage } = failureIn(body)
  return `${errorType ?? 'failed'}: ${errorMessage ?? 'without a message'}`
}

function failureIn(body: string): { readonly errorType?: unknown; readonly errorMessage?: unknown } {
  try {
    const { responsePayload } = JSON.parse(body) as { readonly responsePayload?: unknown }
    return typeof responsePayload === 'object' && responsePayload !== null ? responsePayload : {}
  } catch {
    return {}
  }
}
