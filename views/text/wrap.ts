// Breaks the lines of a text for a narrow screen: at spaces only, with what follows indented below the text. A word that is
// wider than the screen, such as a link, stays whole. Pure. Colours take no columns.
import { stripVTControlCharacters } from 'node:util'
import { widthOf } from './width.ts'

/** Broken below this width, a text reads worse than as the terminal breaks it. */
const LEAST_ROOM = 20

/** First words of the commands that our texts show. */
const COMMAND = /^(?:npx|npm|node|sluice|aws|sed|export|docker|ssh|echo|open(?= ['./~])) /
/** Begins a remark, which explains the command before it. */
const REMARK = /^ +#/

/** Least columns before the rest of a line: a name or a reason in it must not look like a line of ours, as `next: …` does. */
const LEAST_HANG = 2

/**
 * The line as lines of at most `width` columns, where words allow it. `hang`: columns before all but the first (default:
 * as far as the text of the line is indented, and at least 2).
 */
export function wrapLine(line: string, width: number, hang = Math.max(LEAST_HANG, textColumn(line))): string[] {
  return broken(line, width, hang, WORD)
}

/** The same for a command: it can still be copied into a shell, and its remark stands on lines of its own. */
export function wrapCommand(line: string, width: number, hang = indentOf(line) + 2): string[] {
  if (columnsOf(line) <= width) return [line]
  const at = remarkAt(line)
  const lines = broken(line.slice(0, at).trimEnd(), width - 2, hang, WORD_OF_SHELL, ' \\')
  if (at === line.length) return lines
  // Each line has the sign of a remark: a shell would run the rest of a remark as a command.
  const start = `${' '.repeat(hang)}# `
  const remark = line.slice(at).trimStart().slice(1).trimStart()
  return [...lines, ...broken(remark, width - start.length, 0, WORD).map((each) => start + each)]
}

/** Where the remark begins, or the end of the line. A `#` in quotes begins none. */
function remarkAt(line: string): number {
  for (const { 0: word, index } of line.matchAll(WORD_OF_SHELL)) if (REMARK.test(word)) return index
  return line.length
}

/** A hint is a sentence, or the command to run next. */
export function wrapHint(line: string, width: number, hang: number): string[] {
  return COMMAND.test(stripVTControlCharacters(line).slice(hang))
    ? wrapCommand(line, width, hang + 2)
    : wrapLine(line, width, hang)
}

/**
 * Lays out help. Paragraphs are broken anew, because their line breaks in the source mean nothing. Each indented line
 * stays a line of its own.
 */
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
    .flatMap((line) =>
      COMMAND.test(line.trimStart()) ? wrapCommand(line, width) : wrapLine(line, width, textColumn(line)),
    )
    .join('\n')
}

/** With the spaces before it, so that columns of a line stay where they are. */
const WORD = / *[^ ]+/g
/** An option stays with its value. A quoted part is whole, and so is a character after a backslash, as in `'don'\''t pay'`. */
const WORD_OF_SHELL = / *(?:--[\w-]+ (?=[^-# ]))?(?:'[^']*'|"(?:[^"\\]|\\.)*"|\\.|[^ ])+/g

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
