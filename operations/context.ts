// Defines the arguments that every operation gets from its caller: variables, the standard input that a key may come
// from, the clock, and a listener for notes. It prints nothing.
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '../core/clock.ts'

/** The root of the repository, with infra and the default treasury.json. */
export const rootDir = path.resolve(import.meta.dirname, '..')

export type Variables = Readonly<Record<string, string | undefined>>

export interface OperationContext {
  readonly variables: Variables
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly output: Notes
  readonly clock: Clock
  /**
   * From this call on, the first SIGINT or SIGTERM, or an unhandled error, aborts the signal and does not end the
   * process.
   */
  readonly catchInterruption: () => AbortSignal
}

/** Receives notes beside the result. */
export interface Notes {
  note(line: string): void
  /** From here on real money may move. `where`: the address of the service, or the name of the deployment. */
  live(where: string): void
}
