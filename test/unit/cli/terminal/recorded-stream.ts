// A stream that remembers what was written to it, as a terminal or not.
import { Writable } from 'node:stream'
import type { TextStream } from '../../../../cli/terminal/output.ts'

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
  return Object.defineProperty(Object.assign(stream, terminal), 'text', { get: () => text }) as RecordedStream
}
