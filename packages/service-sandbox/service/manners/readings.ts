// Where the description has two readings, chooses the one that is not the sandbox's default. One function for each
// question; docs/assumptions.md lists the questions.
import type { Amount } from '../amount.ts'
import { Problem } from '../problem.ts'
import type { Manners } from './manners.ts'

/** Returns the balance with or without the frozen amount. */
export function shownBalance({ readings }: Manners, available: Amount, frozen: Amount): Amount {
  return readings === 'usual' ? available.plus(frozen) : available
}

/** Returns the quotation_expired problem. The description does not show its status and its retryable flag. */
export function quotationExpired({ readings }: Manners, detail: string): Problem {
  return new Problem('quotation_expired', detail, readings === 'usual' ? {} : { status: 409, retryable: true })
}

/** Whether a row is within a list's endDate: exclusive, as for fills, or inclusive. */
export function isWithinEnd({ readings }: Manners, atMs: number, endMs: number | undefined): boolean {
  return endMs === undefined || atMs < endMs || (readings === 'other' && atMs === endMs)
}
