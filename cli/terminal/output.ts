// Writes to the two streams of a command: data to standard output, and everything else to standard error. With `--json`
// standard error is empty, except for one JSON object where a command fails. Control sequences in a line are made
// harmless, except for our own colours.
import { styleText } from 'node:util'
import { printable, printableJson, printableLines } from '../../core/printable.ts'
import { LIVE, serviceLine } from '../../operations/words/service-words.ts'
import type { UsedService } from '../../place/context.ts'
import type { OperationError } from '../../place/operation-error.ts'
import type { TextStream } from '../../views/text/width.ts'
import { wrapHint, wrapLine } from '../../views/text/wrap.ts'

/** Columns of a terminal that reports none, or 0. */
const DEFAULT_COLUMNS = 80
/** The text of `error:` and `next:` begins here. */
const HINT_COLUMN = 7

export function columnsOf({ columns }: TextStream): number {
  return columns || DEFAULT_COLUMNS
}

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export interface Output {
  readonly json: boolean
  data(line: string): void
  /** Prints a result as JSON on one line. */
  facts(result: object): void
  /** Prints a sentence of the result for a person. A terminal shows it broken at spaces. */
  text(line: string): void
  /** Prints one line for a person. A terminal shows it broken at spaces, with the rest below column `hang`. */
  note(line: string, hang?: number): void
  /** Names the service that is used from here on, and warns of real money. */
  service(used: UsedService): void
  /** Prints why there is no result. */
  failure(error: OperationError): void
  /** Prints the commands that a person may want to run next. */
  next(commands: readonly string[]): void
  /** Colours the text where standard error supports it. NO_COLOR, FORCE_COLOR and TERM=dumb are obeyed. */
  style(style: Style, text: string): string
  /** Standard error, where it is a terminal that can redraw a line. */
  readonly terminal: TextStream | undefined
}

interface OutputOptions {
  readonly stdout: TextStream
  readonly stderr: TextStream
  readonly json: boolean
  /** `TERM`: a dumb terminal cannot redraw a line. */
  readonly term: string | undefined
}

export function createOutput({ stdout, stderr, json, term }: OutputOptions): Output {
  // With a stream, styleText follows NO_COLOR, FORCE_COLOR and the terminal's own depth.
  const style = (name: Style, text: string) => styleText(name, text, { stream: stderr })
  const terminal = !json && stderr.isTTY === true && term !== 'dumb' ? stderr : undefined
  const write = (lines: readonly string[]) => {
    if (!json) stderr.write(`${lines.map(printableLines).join('\n')}\n`)
  }
  const note = (line: string, hang?: number) =>
    write(terminal === undefined ? [line] : wrapLine(line, columnsOf(terminal), hang))
  const hint = (line: string) =>
    write(terminal === undefined ? [line] : wrapHint(line, columnsOf(terminal), HINT_COLUMN))
  return {
    json,
    data: (line) => stdout.write(`${printableLines(line)}\n`),
    facts: (result) => stdout.write(`${printableJson(result)}\n`),
    text(line) {
      const lines = json || stdout.isTTY !== true ? [line] : wrapLine(line, columnsOf(stdout))
      stdout.write(`${lines.map(printableLines).join('\n')}\n`)
    },
    note,
    service(used) {
      const [label, text] = serviceLine(used)
      note(`${style(label === LIVE ? 'red' : 'dim', label)}  ${text}`)
    },
    failure(error) {
      if (json) {
        const { code, message, next } = error
        stderr.write(`${printableJson({ error: { code, message, next } })}\n`)
        return
      }
      for (const line of error.message.split('\n')) note(`${style('red', 'error:')} ${printable(line)}`, HINT_COLUMN)
      hint(`${style('dim', 'next:')}  ${error.next}`)
    },
    next: (commands) => {
      for (const [index, command] of commands.entries()) {
        hint(`${style('dim', index === 0 ? 'next:' : '     ')}  ${command}`)
      }
    },
    style,
    terminal,
  }
}
