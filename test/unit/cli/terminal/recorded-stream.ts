// A stream that remembers what was written to it, as a terminal or not, and a person who types where it shows a question.

import { PassThrough, Writable } from 'node:stream'
import type { TextStream } from '../../../../views/text/text-stream.ts'

export type RecordedStream = TextStream & { readonly text: string }

export function recorded(terminal: { readonly isTTY?: boolean; readonly columns?: number } = {}): RecordedStream {
  let text = ''
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: string, _encoding, done) {
      text += chunk
      done()
    },
  })
  // Node marks its standard streams so: whoever pipes into one does not end it.
  Object.assign(stream, { _isStdio: true })
  return Object.defineProperty(Object.assign(stream, terminal), 'text', { get: () => text }) as RecordedStream
}

/** What a person sees, and then types. */
export type Typed = readonly [seen: string, types: string]

/** The input of a person who types each text as soon as the terminal has shown what comes before it. */
export function typedAt(terminal: RecordedStream, steps: readonly Typed[]): PassThrough & { readonly isTTY: true } {
  const stdin = Object.assign(new PassThrough(), { isTTY: true as const })
  const waiting = [...steps]
  let from = 0
  const write = terminal.write.bind(terminal)
  terminal.write = (...written: [chunk: never]) => {
    const isMore = write(...written)
    const [step] = waiting
    const at = step === undefined ? -1 : terminal.text.indexOf(step[0], from)
    if (step !== undefined && at !== -1) {
      waiting.shift()
      from = at + step[0].length
      setImmediate(() => stdin.write(step[1]))
    }
    return isMore
  }
  return stdin
}
