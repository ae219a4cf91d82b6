// Defines the form of a check's finding, and makes findings. It runs no check itself.

import { errorText } from '../../core/error-name.ts'
import { findAwsRemedy } from '../../place/aws/connection-remedy.ts'
import type { Advice } from '../../place/next-step.ts'

export type Status = 'ok' | 'warn' | 'fail'

export interface Check {
  readonly check: string
  readonly status: Status
  readonly detail: string
  /** The remedy; null where nothing needs to be done. */
  readonly next: Advice | null
}

export function ok(check: string, detail: string, next: Advice | null = null): Check {
  return { check, status: 'ok', detail, next }
}

/** For something that works and could be better, or that is not known. */
export function warn(check: string, detail: string, next: Advice): Check {
  return { check, status: 'warn', detail, next }
}

/** AWS did not answer the question. `permit`: what to do where a permission is missing. */
export function notKnown(check: string, error: unknown, permit: Advice): Check {
  return warn(check, `not known (${errorText(error)})`, findAwsRemedy(error) ?? permit)
}

/** For something that would not work. */
export function fail(check: string, detail: string, next: Advice): Check {
  return { check, status: 'fail', detail, next }
}

export function countOf(checks: readonly Check[], status: Status): number {
  return checks.filter((check) => check.status === status).length
}
