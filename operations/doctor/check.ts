// One finding of the doctor, and how a page of findings is printed.
import { errorText } from '../../core/error-name.ts'
import { findAwsRemedy } from '../connection/connection-remedy.ts'
import { type ConnectionFlags, commandWith } from '../words/command-line.ts'

export type Status = 'ok' | 'warn' | 'fail'

export interface Check {
  readonly check: string
  readonly status: Status
  readonly detail: string
  /** What to do; null where there is nothing to do. */
  readonly next: string | null
}

export function ok(check: string, detail: string): Check {
  return { check, status: 'ok', detail, next: null }
}

/** A finding of something that works and could be better, or of something that is not known. */
export function warn(check: string, detail: string, next: string): Check {
  return { check, status: 'warn', detail, next }
}

/** AWS did not say what was asked. `permit`: what to do where it is a permission that is missing. */
export function notKnown(check: string, error: unknown, permit: string): Check {
  return warn(check, `not known (${errorText(error)})`, findAwsRemedy(error) ?? permit)
}

/** A finding of something that would not work. */
export function fail(check: string, detail: string, next: string): Check {
  return { check, status: 'fail', detail, next }
}

/** The same checks, whose advice to list something is a command for the service that the flags name. */
export function withCommands(checks: readonly Check[], flags: ConnectionFlags): Check[] {
  const spelled = (next: string) => next.replace(LISTS, (_words, what: string) => commandWith(what, flags))
  return checks.map((one) => (one.next === null ? one : { ...one, next: spelled(one.next) }))
}

const LISTS = /\bsluice (service (?:assets|markets|contacts))\b/

export function countOf(checks: readonly Check[], status: Status): number {
  return checks.filter((check) => check.status === status).length
}
