// An entry of the log as a line for a person, and as a JSON object for a program. The object has the fields of
// `sluice serve --jsonl`. Pure.
import { styleText } from 'node:util'
import { printable } from '../../core/printable.ts'
import type { LogEntry } from '../../operations/logs/log-reader.ts'
import type { CommandContext } from '../terminal/context.ts'
import { styles } from '../terminal/progress.ts'

/** In columns. Most names fit. */
const MACHINE_WIDTH = 16
const LABEL_WIDTH = 15

/** Times are UTC, in whole seconds. */
export function logLine(
  { at, event, execution, stateMachine, text, tone }: LogEntry,
  { stdout }: Pick<CommandContext, 'stdout'>,
): string {
  // With a stream, styleText follows NO_COLOR, FORCE_COLOR and the terminal's own depth.
  const label = styleText(styles[tone], printable(event).padEnd(LABEL_WIDTH), { stream: stdout })
  const time = styleText('dim', `${at.slice(0, 19)}Z`, { stream: stdout })
  return `${time}  ${printable(stateMachine).padEnd(MACHINE_WIDTH)}  ${printable(execution)}  ${label}  ${printable(text)}`
}

export function logObject({ at, event, stateMachine, execution, text }: LogEntry): object {
  return { at, event, stateMachine, execution, text }
}
