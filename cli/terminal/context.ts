// What a command gets from its process: arguments, variables, streams, time and signals. A command takes these from its
// context only, so that a test can give it others.
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '../../core/clock.ts'
import type { Output, TextStream } from './output.ts'

/** The repo's root: infra and the default treasury.json live there. */
export const rootDir = path.resolve(import.meta.dirname, '../..')

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>

export interface CommandContext {
  /** The arguments, without the interpreter and the script. */
  readonly argv: readonly string[]
  readonly variables: Variables
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: TextStream
  readonly output: Output
  /** Aborted once nobody reads standard output any more, so that what only tells can end. Absent in tests. */
  readonly unheard?: AbortSignal
  readonly clock: Clock
  /**
   * From this call on, the first SIGINT or SIGTERM aborts the signal and does not end the process. So does an error
   * that nobody handles.
   */
  readonly catchInterruption: () => AbortSignal
}

/** For a command that tells until it is stopped: ends with the person, or with whoever reads. */
export function untilUnheard({ catchInterruption, unheard }: CommandContext): AbortSignal {
  const interrupted = catchInterruption()
  return unheard === undefined ? interrupted : AbortSignal.any([interrupted, unheard])
}
