// Prints the records whose chain is broken, in both commands about the log of people.
import { printable } from '../../core/printable.ts'
import type { BrokenRecords } from '../../operations/people/people-log.ts'
import type { CommandContext } from '../terminal/context.ts'

/** Maximum records printed. --json has up to 1,000. */
const MOST_PRINTED = 50

export function noteBroken({ broken, brokenTotal }: BrokenRecords, output: CommandContext['output']): void {
  if (output.json) return
  for (const { message } of broken.slice(0, MOST_PRINTED)) output.note(printable(`not in the log: ${message}`))
  if (brokenTotal > MOST_PRINTED) output.note(`… and ${brokenTotal - MOST_PRINTED} more; --json has them`)
}
