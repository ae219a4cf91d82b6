// One finding of the doctor, and how a page of findings is printed.
import { styleText } from 'node:util'
import { errorText } from '../../core/error-name.ts'
import { findAwsRemedy } from '../target/connection-remedy.ts'
import { commandWith, type TargetFlags } from '../terminal/command-line.ts'
import type { TextStream } from '../terminal/output.ts'
import { printable } from '../terminal/printable.ts'
import { type Column, textLines, UNBOUNDED } from '../terminal/table.ts'

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
export function withCommands(checks: readonly Check[], flags: TargetFlags): Check[] {
  const spelled = (next: string) => next.replace(LISTS, (_words, what: string) => commandWith(what, flags))
  return checks.map((one) => (one.next === null ? one : { ...one, next: spelled(one.next) }))
}

const LISTS = /\bsluice (assets|markets|contacts)\b/

const COLOUR = { ok: 'green', warn: 'yellow', fail: 'red' } as const

export const CHECK_COLUMNS: readonly Column<Check>[] = [
  { title: 'status', text: ({ status }) => status },
  { title: 'check', text: ({ check }) => check },
  { title: 'detail', text: ({ detail }) => detail, isDetail: true },
  { title: 'next', text: ({ next }) => next ?? '', isDetail: true },
]

/** One line a check: status, what was looked at, what was found, and what to do. A narrow screen wraps the last two. */
export function checkLines(checks: readonly Check[], stdout: TextStream, width = UNBOUNDED): string[] {
  const longest = Math.max(0, ...checks.map(({ check }) => check.length))
  const nameWidth = width === UNBOUNDED ? longest : Math.min(longest, MOST_NAME)
  const before = 4 + 2 + nameWidth + 2
  // Beside very little room, what was found stands below.
  const indent = width - before < LEAST_ROOM ? 6 : before
  return checks.flatMap(({ check, status, detail, next }) => {
    const mark = styleText(COLOUR[status], status.padEnd(4), { stream: stdout })
    const toDo = next === null ? '' : ` → ${next}`
    const texts = textLines(printable(`${detail}${toDo}`), width - indent)
    const head = `${mark}  ${printable(check).padEnd(nameWidth)}`
    const rest = (lines: readonly string[]) => lines.map((line) => `${' '.repeat(indent)}${line}`)
    const isBeside = indent === before && check.length <= nameWidth
    return isBeside ? [`${head}  ${texts[0] ?? ''}`, ...rest(texts.slice(1))] : [head.trimEnd(), ...rest(texts)]
  })
}

const LEAST_ROOM = 30
/** The name of a policy may be part of a check's. */
const MOST_NAME = 20

export function countOf(checks: readonly Check[], status: Status): number {
  return checks.filter((check) => check.status === status).length
}
