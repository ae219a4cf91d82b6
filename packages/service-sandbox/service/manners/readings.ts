// Where the description can be read in two ways: the other one than the sandbox's usual choice. One function a
// question; docs/assumptions.md lists the questions.
import type { Amount } from '../amount.ts'
import { Problem } from '../problem.ts'
import type { Manners } from './manners.ts'

/** Whether the balance contains what is frozen. */
export function shownBalance({ readings }: Manners, available: Amount, frozen: Amount): Amount {
  return readings === 'usual' ? available.plus(frozen) : available
}

/** How quotation_expired is answered: its status and its flag are not shown. */
export function quotationExpired({ readings }: Manners, detail: string): Problem {
  return new Problem('quotation_expired', detail, readings === 'usual' ? {} : { status: 409, retryable: true })
}

/** Whether a row of `atMs` is within a list's endDate: exclusive, as for fills, or inclusive. */
export function isWithinEnd({ readings }: Manners, atMs: number, endMs: number | undefined): boolean {
  return endMs === undefined || atMs < endMs || (readings === 'other' && atMs === endMs)
}
