// Finds the passages of a file that people read as prose: comments of code, and paragraphs of a page. Code, tables and
// links are left out.
import path from 'node:path'

/** Text without line breaks or marks of a comment, and where it begins. */
export interface Passage {
  readonly file: string
  /** The line's number, from 1. */
  readonly line: number
  /** How many lines it takes. */
  readonly lines: number
  readonly text: string
}

/** Marks a passage that breaks a rule for a reason, which stands behind it. In a page it is an HTML comment before it. */
const EXEMPT = 'plain-words-ignore:'

export function passagesOf(file: string, content: string): readonly Passage[] {
  return path.extname(file) === '.md' ? paragraphsOf(file, content) : commentsOf(file, content)
}

/** Comments that stand on lines of their own. Lines of `//` that follow each other are one comment. */
function commentsOf(file: string, content: string): readonly Passage[] {
  const found: { readonly line: number; readonly lines: string[]; readonly isBlock: boolean }[] = []
  let open: (typeof found)[number] | undefined
  for (const [at, line] of content.split('\n').entries()) {
    const [, mark = '', text = ''] = /^\s*(\/\/|\/\*\*?|\*\/|\*)\s?(.*)$/.exec(line) ?? []
    const isOneLine = mark === '//'
    if (open?.isBlock === true) {
      if (mark !== '*/') open.lines.push(text.replace(/\*\/\s*$/, ''))
      if (line.includes('*/')) open = undefined
    } else if (mark === '' || (isOneLine && /^(biome-ignore|@ts-)/.test(text))) {
      open = undefined
    } else if (open !== undefined && isOneLine) {
      open.lines.push(text)
    } else {
      open = { line: at + 1, lines: [text.replace(/\*\/\s*$/, '')], isBlock: !isOneLine }
      found.push(open)
      if (!isOneLine && line.includes('*/')) open = undefined
    }
  }
  return passagesIn(file, found)
}

/** Paragraphs and items of lists. */
function paragraphsOf(file: string, content: string): readonly Passage[] {
  const found: { readonly line: number; readonly lines: string[] }[] = []
  let open: (typeof found)[number] | undefined
  let isCode = false
  for (const [at, line] of content.split('\n').entries()) {
    if (/^\s*```/.test(line)) isCode = !isCode
    if (line.startsWith(`<!-- ${EXEMPT}`)) {
      open = { line: at + 1, lines: [line] }
      found.push(open)
      continue
    }
    const isProse = !isCode && !/^\s*($|```|#|\||<|!\[)/.test(line)
    const isItem = /^\s*([-*]|\d+\.)\s/.test(line)
    if (!isProse) open = undefined
    else if (open !== undefined && !isItem) open.lines.push(line.trim())
    else {
      open = { line: at + 1, lines: [line.replace(/^\s*([-*]|\d+\.)\s/, '')] }
      found.push(open)
    }
  }
  return passagesIn(file, found)
}

function passagesIn(file: string, found: readonly { readonly line: number; readonly lines: readonly string[] }[]) {
  return found
    .map(({ line, lines }) => ({ file, line, lines: lines.length, text: plain(lines.join(' ')) }))
    .filter(({ text }) => text !== '' && !text.includes(EXEMPT))
}

/** A link becomes its words, and code in backticks becomes one word. */
function plain(text: string): string {
  return text
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/`[^`]*`/g, 'CODE')
    .replace(/@example .*/, '')
    .replaceAll(/\*\*|__/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
