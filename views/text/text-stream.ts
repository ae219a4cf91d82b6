// Defines a stream for which text is laid out. The stream says whether it is a terminal, and how wide.
import type { Writable } from 'node:stream'

/** `process.stdout`, `process.stderr`, or a stream of a test. `columns` is absent for a file or a pipe. */
export type TextStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }
