// What a command gets from its process: arguments, variables, streams, time and signals. A command takes these from its
// context only, so that a test can give it others.

import type { OperationContext } from '../../operations/context.ts'
import type { TextStream } from '../../views/text/text-stream.ts'
import type { Output } from './output.ts'

export interface CommandContext extends OperationContext {
  /** The arguments, without the interpreter and the script. */
  readonly argv: readonly string[]
  readonly stdout: TextStream
  readonly output: Output
  /** Aborted once nobody reads standard output any more, so that what only tells can end. Absent in tests. */
  readonly unheard?: AbortSignal
}

/** For a command that tells until it is stopped: ends with the person, or with whoever reads. */
export function untilUnheard({ catchInterruption, unheard }: CommandContext): AbortSignal {
  const interrupted = catchInterruption()
  return unheard === undefined ? interrupted : AbortSignal.any([interrupted, unheard])
}
