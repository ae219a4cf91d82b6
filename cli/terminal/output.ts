// Writes to the two streams of a command: data to standard output, and everything else to standard error. With `--json`
// standard error is empty, except for one JSON object where a command fails. Control sequences in a line are made
// harmless, except for our own colours.
import { styleText } from 'node:util'
import { LIVE, serviceLine } from '../../operations/words/service-words.ts'
import type { UsedService } from '../../place/context.ts'
import { type Advice, isStep } from '../../place/next-step.ts'
import type { OperationError } from '../../place/operation-error.ts'
import { printable, printableJson, printableLines } from '../../views/text/shown.ts'
import type { TextStream } from '../../views/text/width.ts'
import { wrapHint, wrapLine } from '../../views/text/wrap.ts'
import { type GivenCommand, spelledFor } from './command-line.ts'

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
  note(line: Advice, hang?: number): void
  /** Names the service that is used from here on, and warns of real money. */
  service(used: UsedService): void
  /** Prints why there is no result. */
  failure(error: OperationError): void
  /** Prints the steps that a person may want to take next. */
  next(steps: readonly Advice[]): void
  /** Spells steps and options for the place of the running command. */
  spell(told: Advice): string
  /** From here on steps are spelled for this command. */
  running(command: Omit<GivenCommand, 'argv'>): void
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
  /** The arguments of the command. */
  readonly argv?: readonly string[]
}

export function createOutput({ stdout, stderr, json, term, argv = [] }: OutputOptions): Output {
  let spell = spelledFor({ argv, flags: {}, takesKeys: true })
  // With a stream, styleText follows NO_COLOR, FORCE_COLOR and the terminal's own depth.
  const style = (name: Style, text: string) => styleText(name, text, { stream: stderr })
  const terminal = !json && stderr.isTTY === true && term !== 'dumb' ? stderr : undefined
  const write = (lines: readonly string[]) => {
    if (!json) stderr.write(`${lines.map(printableLines).join('\n')}\n`)
  }
  const note = (told: Advice, hang?: number) => {
    const line = spell(told)
    write(terminal === undefined ? [line] : wrapLine(line, columnsOf(terminal), hang))
  }
  const hint = (line: string) =>
    write(terminal === undefined ? [line] : wrapHint(line, columnsOf(terminal), HINT_COLUMN))
  return {
    json,
    data: (line) => stdout.write(`${printableLines(line)}\n`),
    facts: (result) => stdout.write(`${printableJson(withSpelled(result, spell))}\n`),
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
        const { code, text, next } = error
        stderr.write(`${printableJson({ error: { code, message: spell(text), next: spell(next) } })}\n`)
        return
      }
      for (const line of spell(error.text).split('\n'))
        note(`${style('red', 'error:')} ${printable(line)}`, HINT_COLUMN)
      hint(`${style('dim', 'next:')}  ${spell(error.next)}`)
    },
    next: (steps) => {
      for (const [index, step] of steps.entries()) {
        hint(`${style('dim', index === 0 ? 'next:' : '     ')}  ${spell(step)}`)
      }
    },
    spell: (told) => spell(told),
    running(command) {
      spell = spelledFor({ argv, ...command })
    },
    style,
    terminal,
  }
}

/** The same facts with each step as a command. A text stays as it is. */
function withSpelled(value: unknown, spell: Output['spell']): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (isStep(value)) return spell(value)
  if (Array.isArray(value)) return value.map((each) => withSpelled(each, spell))
  if ('toJSON' in value) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withSpelled(each, spell)]))
}
