// Reads what a state machine caught: the cause is Lambda's JSON of the error, or a sentence of Step Functions.
import type { SettleRunInput } from '../../contract/runs.ts'

const LONGEST_TOLD = 500

export function faultText({ Error: error, Cause: cause }: NonNullable<SettleRunInput['fault']>): string {
  let message = cause
  try {
    const parsed: unknown = JSON.parse(cause)
    if (parsed !== null && typeof parsed === 'object' && 'errorMessage' in parsed) message = String(parsed.errorMessage)
  } catch {
    // A sentence already.
  }
  return `${error}${message === '' ? '' : `: ${message.slice(0, LONGEST_TOLD)}`}`
}
