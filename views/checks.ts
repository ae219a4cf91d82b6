// How a page of the doctor's findings is laid out.

import { styleText } from 'node:util'
import { printable } from '../core/printable.ts'
import type { Check } from '../operations/doctor/check.ts'
import type { Column } from '../operations/words/column.ts'
import { textLines, UNBOUNDED } from './text/table.ts'
import type { TextStream } from './text/text-stream.ts'

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
