// Reads what a state machine caught: the cause is Lambda's JSON of the error, or a sentence of Step Functions.
import { ErrorName, LambdaFault } from '../../core/contract/errors.ts'
import type { SettleRunInput } from '../../core/contract/runs.ts'

const LONGEST_TOLD = 400
/** What every step of a run is tried again after: caught, it has used up its retries. */
const RETRIED: ReadonlySet<string> = new Set([ErrorName.Transient, ...LambdaFault])

export function faultText({ Error: error, Cause: cause }: NonNullable<SettleRunInput['fault']>): string {
  let message = cause
  try {
    const parsed: unknown = JSON.parse(cause)
    if (parsed !== null && typeof parsed === 'object' && 'errorMessage' in parsed) message = String(parsed.errorMessage)
  } catch {
    // A sentence already.
  }
  const said = `${error}${message === '' ? '' : `: ${message.slice(0, LONGEST_TOLD)}`}`
  return RETRIED.has(error) ? `a step failed each time that it was tried, the last time by ${said}` : said
}
