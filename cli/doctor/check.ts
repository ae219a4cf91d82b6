// One finding of the doctor, and how a page of findings is printed.
import { styleText } from 'node:util'
import type { TextStream } from '../terminal/output.ts'
import { printable } from '../terminal/table.ts'

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

/** A finding of something that would not work. */
export function fail(check: string, detail: string, next: string): Check {
  return { check, status: 'fail', detail, next }
}

const COLOUR = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** One line a check: status, what was looked at, what was found, and what to do. */
export function checkLines(checks: readonly Check[], stdout: TextStream): string[] {
  const width = Math.max(0, ...checks.map(({ check }) => check.length))
  return checks.map(({ check, status, detail, next }) => {
    const mark = styleText(COLOUR[status], status.padEnd(4), { stream: stdout })
    const toDo = next === null ? '' : ` → ${printable(next)}`
    return `${mark}  ${printable(check).padEnd(width)}  ${printable(detail)}${toDo}`
  })
}

export function countOf(checks: readonly Check[], status: Status): number {
  return checks.filter((check) => check.status === status).length
}
