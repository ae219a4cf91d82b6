// Measures how many columns of a terminal a text takes, and cuts and wraps it. Defines a stream for which text is laid
// out. Pure. The caller makes the text printable.

import type { Writable } from 'node:stream'

// East Asian wide characters and emoji take two columns, combining marks take none.
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97c\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1f64f}\u{1f680}-\u{1f6ff}\u{1f900}-\u{1f9ff}\u{20000}-\u{3fffd}]|^\p{Emoji_Presentation}/u
const MARK = /^\p{M}/u
const ASCII = /^[\x20-\x7e]*$/
const ELLIPSIS = '…'

export function widthOf(text: string): number {
  if (ASCII.test(text)) return text.length
  let width = 0
  for (const character of text) width += characterWidth(character)
  return width
}

function characterWidth(character: string): number {
  if (ASCII.test(character)) return 1
  if (MARK.test(character)) return 0
  return WIDE.test(character) ? 2 : 1
}

/** Returns the text, cut with an ellipsis where it is wider than `width`. */
export function cut(text: string, width: number): string {
  // Most text fits. The check of the length avoids measuring a name of 10,000 characters.
  if (text.length <= 4 * width && widthOf(text) <= width) return text
  return width < 1 ? '' : `${startOf(text, width - 1)}${ELLIPSIS}`
}

export function padEnd(text: string, width: number): string {
  return text + ' '.repeat(Math.max(0, width - widthOf(text)))
}

export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - widthOf(text))) + text
}

/**
 * Breaks the text into lines of at most `width` columns, between words where possible. A text of more than `mostLines` lines
 * ends with an ellipsis.
 */
export function wrapped(text: string, width: number, mostLines: number): string[] {
  const lines: string[] = []
  let rest = text
  while (rest !== '') {
    if (lines.length === mostLines - 1) return [...lines, cut(rest, width)]
    const fitting = rest.length <= 4 * width && widthOf(rest) <= width ? rest : startOf(rest, width)
    const isAtEnd = fitting.length === rest.length
    const space = isAtEnd || rest[fitting.length] === ' ' ? -1 : fitting.lastIndexOf(' ')
    const line = space > 0 ? fitting.slice(0, space) : fitting
    lines.push(line.trimEnd())
    rest = rest.slice(line.length).trimStart()
  }
  return lines.length === 0 ? [''] : lines
}

/** Returns the longest beginning that fits, and at least one character. */
function startOf(text: string, width: number): string {
  let taken = ''
  let used = 0
  for (const character of text) {
    used += characterWidth(character)
    if (used > width && taken !== '') break
    taken += character
  }
  return taken
}

/** `process.stdout`, `process.stderr`, or a stream of a test. `columns` is absent for a file or a pipe. */
export type TextStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }
