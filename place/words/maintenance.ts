// Says that the service is in maintenance: there is no other fault, nothing was lost, and what to do. It recognises
// maintenance by the code or the health that our own messages quote. Pure.

import { ExitCode } from '../exit-code.ts'
import { type Advice, advice, option, type Step } from '../next-step.ts'
import { OperationError } from '../operation-error.ts'

export const IN_MAINTENANCE = 'the service is in maintenance'
const SAID = /\bthe service (is in maintenance|answered( \d{3})? maintenance)\b/i

export function mentionsMaintenance(text: string | undefined): boolean {
  return text !== undefined && SAID.test(text)
}

/**
 * Changes an error that comes from maintenance: the same command continues later. Any other error is returned
 * unchanged.
 */
export function asMaintenance(error: OperationError): OperationError {
  const { exitCode, code, message, text, next } = error
  if (!mentionsMaintenance(message)) return error
  const isInDoubt = exitCode === ExitCode.NeedsPerson
  return new OperationError(
    {
      exitCode,
      code,
      message: message.startsWith(IN_MAINTENANCE) ? text : advice`${IN_MAINTENANCE}: ${text}`,
      next: isInDoubt ? advice`wait until the maintenance is over, then ${next}` : AFTERWARDS,
    },
    { cause: error },
  )
}

const AFTERWARDS = 'wait until the maintenance is over, then run the same command again: nothing was lost'

/**
 * Next steps after a run that ended because of maintenance. `again`: the same run. `isZero`: it
 * certainly moved nothing, and never will.
 */
export function nextAfterMaintenance(again: Step, isZero: boolean): Advice[] {
  if (!isZero) return [{ ...again, why: 'when the maintenance is over: the same run checks again; nothing is lost' }]
  return [
    advice`the service was in maintenance, and nothing has moved: when it is over, ask for it under another ${option('id')}`,
  ]
}
