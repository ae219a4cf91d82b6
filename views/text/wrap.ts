// Breaks the lines of a text for a narrow screen: at spaces only, with what follows indented below the text. A word that is
// wider than the screen, such as a link, stays whole. Pure. Colours take no columns.
import { stripVTControlCharacters } from 'node:util'
import { widthOf } from './width.ts'

/** Broken below this width, a text reads worse than as the terminal breaks it. */
const LEAST_ROOM = 20

/** First words of the commands that our texts show. */
const COMMAND = /^(?:npx|npm|node|sluice|aws|sed|export|docker|ssh) /
/** Explains a command at the end of its line. */
const REMARK = / {2,}(# .*)$/

/**
 * The line as lines of at most `width` columns, where words allow it. `hang`: columns before all but the first (default:
 * as far as the text of the line is indented).
 */
export function wrapLine(line: string, width: number, hang = textColumn(line)): string[] {
  return broken(line, width, hang, WORD)
}

/** The same for a command: it can still be copied into a shell, and its remark stands on a line of its own. */
export function wrapCommand(line: string, width: number, hang = indentOf(line) + 2): string[] {
  if (columnsOf(line) <= width) return [line]
  const remark = REMARK.exec(line)
  const command = remark === null ? line : line.slice(0, remark.index)
  const lines = broken(command, width - 2, hang, WORD_OF_SHELL, ' \\')
  return remark === null ? lines : [...lines, ...wrapLine(' '.repeat(hang) + (remark[1] ?? ''), width, hang)]
}

/** A hint is a sentence, or the command to run next. */
export function wrapHint(line: string, width: number, hang: number): string[] {
  return COMMAND.test(stripVTControlCharacters(line).slice(hang))
    ? wrapCommand(line, width, hang + 2)
    : wrapLine(line, width, hang)
}

/** Help: paragraphs, which its source breaks where it likes, and indented lines, each by itself. */
export function wrapHelp(text: string, width: number): string {
  const paragraphs: string[] = []
  let isOpen = false
  for (const line of text.split('\n')) {
    const isProse = /^\S/.test(line)
    if (isOpen && isProse) paragraphs.push(`${paragraphs.pop()} ${line}`)
    else paragraphs.push(line)
    // A line of fewer columns ended where it does on purpose.
    isOpen = isProse && line.length > width
  }
  return paragraphs
    .flatMap((line) => (COMMAND.test(line.trimStart()) ? wrapCommand(line, width) : wrapLine(line, width)))
    .join('\n')
}

/** With the spaces before it, so that columns of a line stay where they are. */
const WORD = / *[^ ]+/g
/** An option stays with its value, and a quoted part is whole. */
const WORD_OF_SHELL = / *(?:--[\w-]+ (?=[^- ]))?(?:'[^']*'|[^ ])+/g

/** `mark` ends each line but the last. */
function broken(line: string, width: number, hang: number, word: RegExp, mark = ''): string[] {
  if (columnsOf(line) <= width || width - hang < LEAST_ROOM) return [line]
  const lines: string[] = []
  let current = ''
  for (const next of line.match(word) ?? [line]) {
    if (current.trim() !== '' && columnsOf(current + next) > width) {
      lines.push(current + mark)
      current = ' '.repeat(hang) + next.trimStart()
    } else current += next
  }
  return [...lines, current]
}

function columnsOf(text: string): number {
  return widthOf(stripVTControlCharacters(text))
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length
}

/** Where the text begins: behind the indent, and in a line of two columns behind the first of them. */
function textColumn(line: string): number {
  const bare = stripVTControlCharacters(line)
  return /^ *\S+ {2,}(?=\S)/.exec(bare)?.[0].length ?? indentOf(bare)
}
