// The two streams of a command: data goes to standard output, and everything else to standard error. With `--json`
// nothing goes to standard error, except one JSON object where a command fails. Whatever a line holds, nothing of it but
// our own colours reaches the terminal as a control sequence.
import { styleText } from 'node:util'
import { printable, printableJson, printableLines } from '../../core/printable.ts'
import type { OperationError } from '../../operations/operation-error.ts'
import { LIVE, liveText } from '../../operations/words/live-words.ts'
import type { TextStream } from '../../views/text/text-stream.ts'

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan'

export interface Output {
  readonly json: boolean
  /** One line of data. */
  data(line: string): void
  /** One line for a person. */
  note(line: string): void
  /** From here on real money may move, at this address. */
  live(where: string): void
  /** Why there is no result. */
  failure(error: OperationError): void
  /** Ends a command: what a person may want to run next. */
  next(commands: readonly string[]): void
  /** Coloured where standard error takes colour (NO_COLOR, FORCE_COLOR and TERM=dumb are heeded). */
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
  const note = (line: string) => {
    if (!json) stderr.write(`${printableLines(line)}\n`)
  }
  return {
    json,
    data: (line) => stdout.write(`${printableLines(line)}\n`),
    note,
    live: (where) => note(`${style('red', LIVE)}  ${liveText(where)}`),
    failure(error) {
      if (json) {
        const { code, message, next } = error
        stderr.write(`${printableJson({ error: { code, message, next } })}\n`)
        return
      }
      for (const line of error.message.split('\n')) note(`${style('red', 'error:')} ${printable(line)}`)
      note(`${style('dim', 'next:')}  ${error.next}`)
    },
    next: (commands) => {
      for (const [index, command] of commands.entries()) {
        note(`${style('dim', index === 0 ? 'next:' : '     ')}  ${command}`)
      }
    },
    style,
    terminal: !json && stderr.isTTY === true && term !== 'dumb' ? stderr : undefined,
  }
}
