// Defines the context that a command gets from its process: arguments, variables, streams, time and signals. A command
// takes these from its context only, so that a test can replace them.

import type { OperationContext } from '../../place/context.ts'
import type { TextStream } from '../../views/text/width.ts'
import type { Output } from './output.ts'

export interface CommandContext extends OperationContext {
  /** The arguments, without the interpreter and the script. */
  readonly argv: readonly string[]
  readonly stdout: TextStream
  readonly output: Output
  /** Aborted when the reader of standard output has gone, so that a command that only prints can end. Absent in tests. */
  readonly stdoutClosed?: AbortSignal
}

/** Aborted by Ctrl-C, or when the reader of standard output has gone. For commands that print until they are stopped. */
export function untilStdoutCloses({ catchInterruption, stdoutClosed }: CommandContext): AbortSignal {
  const interrupted = catchInterruption()
  return stdoutClosed === undefined ? interrupted : AbortSignal.any([interrupted, stdoutClosed])
}
