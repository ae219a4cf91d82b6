// A stream that text is laid out for: whether it is a terminal, and how wide.
import type { Writable } from 'node:stream'

/** `process.stdout`, `process.stderr`, or a test's own. */
export type TextStream = Writable & { readonly isTTY?: boolean; readonly columns?: number }
