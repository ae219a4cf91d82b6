// Provides a stream that records its output, as a terminal or not, and a person who types answers to its questions.

import { PassThrough, Writable } from 'node:stream'
import type { TextStream } from '../../../../views/text/width.ts'

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
  // Node marks its standard streams so, and a pipe into such a stream does not end it.
  Object.assign(stream, { _isStdio: true })
  return Object.defineProperty(Object.assign(stream, terminal), 'text', { get: () => text }) as RecordedStream
}

/** A text that the person waits for, and the answer to it. */
export type Typed = readonly [seen: string, types: string]

/** The input of a person who types each answer as soon as the terminal has shown the text before it. */
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
