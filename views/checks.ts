// Lays out the doctor's findings as lines.

import { styleText } from 'node:util'
import { printable } from '../core/printable.ts'
import type { Check } from '../operations/doctor/check.ts'
import type { Column } from '../operations/words/column.ts'
import { textLines, UNBOUNDED } from './text/table.ts'
import type { TextStream } from './text/width.ts'

const COLOUR = { ok: 'green', warn: 'yellow', fail: 'red' } as const

/** A finding whose remedy is spelled. */
export type ShownCheck = Omit<Check, 'next'> & { readonly next: string | null }

export const CHECK_COLUMNS: readonly Column<ShownCheck>[] = [
  { title: 'status', text: ({ status }) => status },
  { title: 'check', text: ({ check }) => check },
  { title: 'detail', text: ({ detail }) => detail, isDetail: true },
  { title: 'next', text: ({ next }) => next ?? '', isDetail: true },
]

/** One line for each check: its status, name, finding and next action. A narrow screen wraps the finding and the action. */
export function checkLines(checks: readonly ShownCheck[], stdout: TextStream, width = UNBOUNDED): string[] {
  const longest = Math.max(0, ...checks.map(({ check }) => check.length))
  const nameWidth = width === UNBOUNDED ? longest : Math.min(longest, MOST_NAME)
  const before = 4 + 2 + nameWidth + 2
  // With little room beside the name, the finding is below it.
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

/** In columns. A narrower finding would be hard to read. */
const LEAST_ROOM = 30

/** In columns. A check's name may contain the name of a policy, which may be long. */
const MOST_NAME = 20
