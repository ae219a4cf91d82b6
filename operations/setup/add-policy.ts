// Adds a policy to the text of a treasury.json. Every other character stays, so order, numbers and indentation are those of
// the person who wrote the file. Pure.
import { parseJsonText } from '../../core/treasury/json-text.ts'

const FIELD = 'policies'
const USUAL_INDENT = '  '
/** Lines that are shown around a change. */
const CONTEXT_LINES = 2

/**
 * The text with the policy behind the others. `text`: a treasury.json that passes all checks, without a policy of this
 * name.
 * @throws TypeError where anything else would change
 */
export function withPolicy(text: string, name: string, policy: object): string {
  const added = inserted(text, name, policy)
  const [was, is] = [fieldsOf(text), fieldsOf(added)]
  const { [name]: own, ...others } = policiesIn(is)
  const isSame =
    JSON.stringify(own) === JSON.stringify(policy) &&
    JSON.stringify({ ...is, [FIELD]: others }) === JSON.stringify({ ...was, [FIELD]: policiesIn(was) })
  if (!isSame) throw new TypeError('adding a policy would change something else of the file')
  return added
}

function inserted(text: string, name: string, policy: object): string {
  const eol = text.includes('\r\n') ? '\r\n' : '\n'
  const indent = /\n([ \t]+)"/.exec(text)?.[1] ?? USUAL_INDENT
  const lines = (value: object) => JSON.stringify(value, undefined, indent).split('\n').slice(1, -1)
  const policies = spanOf(text, FIELD)
  const place = policies ?? { open: text.indexOf('{'), close: text.lastIndexOf('}') }
  const added =
    policies === undefined
      ? lines({ [FIELD]: { [name]: policy } })
      : lines({ [name]: policy }).map((line) => indent + line)
  const inner = text.slice(place.open + 1, place.close).trimEnd()
  const end = place.open + 1 + inner.length
  if (inner !== '') return `${text.slice(0, end)},${eol}${added.join(eol)}${text.slice(end)}`
  return `${text.slice(0, end)}${eol}${added.join(eol)}${eol}${indent}${text.slice(place.close)}`
}

interface Span {
  readonly open: number
  readonly close: number
}

/** The braces around the object in this field of the root. Undefined where the root has no such field. */
function spanOf(text: string, field: string): Span | undefined {
  let depth = 0
  let open: number | undefined
  let named = ''
  let last = ''
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]/g)) {
    if (token === ':') {
      if (depth === 1) named = JSON.parse(last)
    } else if (token === '{' || token === '[') {
      if (depth === 1 && named === field) open = index
      depth += 1
    } else if (token === '}' || token === ']') {
      depth -= 1
      if (depth === 1 && open !== undefined) return { open, close: index }
    } else last = token
  }
  return undefined
}

function fieldsOf(text: string): Readonly<Record<string, unknown>> {
  return parseJsonText(text) as Readonly<Record<string, unknown>>
}

function policiesIn({ [FIELD]: policies = {} }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return policies as Readonly<Record<string, unknown>>
}

/** The lines that differ, with `-` and `+` before them, and some lines around them. For one changed place. */
export function diffLines(was: string, is: string): readonly string[] {
  const [before, after] = [was.split(/\r?\n/), is.split(/\r?\n/)]
  const most = Math.min(before.length, after.length)
  const same = (from: (lines: readonly string[], count: number) => string | undefined, limit: number) => {
    let count = 0
    while (count < limit && from(before, count) === from(after, count)) count += 1
    return count
  }
  const head = same((lines, count) => lines[count], most)
  const tail = same((lines, count) => lines.at(-1 - count), most - head)
  const marked = (mark: string, lines: readonly string[]) => lines.map((line) => `${mark} ${line}`)
  return [
    ...marked(' ', before.slice(Math.max(0, head - CONTEXT_LINES), head)),
    ...marked('-', before.slice(head, before.length - tail)),
    ...marked('+', after.slice(head, after.length - tail)),
    ...marked(' ', after.slice(after.length - tail).slice(0, CONTEXT_LINES)),
  ]
}
