// What an operation gets from whoever asks for it: variables, the standard input that a key may come from, time, and
// somebody who hears what is worth knowing on the way. It prints nothing.
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '../core/clock.ts'

/** The repo's root: infra and the default treasury.json live there. */
export const rootDir = path.resolve(import.meta.dirname, '..')

/** Environment variables. */
export type Variables = Readonly<Record<string, string | undefined>>

export interface OperationContext {
  readonly variables: Variables
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly output: Notes
  readonly clock: Clock
  /**
   * From this call on, the first SIGINT or SIGTERM aborts the signal and does not end the process. So does an error
   * that nobody handles.
   */
  readonly catchInterruption: () => AbortSignal
}

/** Hears what is worth knowing beside the result. */
export interface Notes {
  /** One line for a person. */
  note(line: string): void
  /** From here on real money may move. `where`: the address of the service, or what is deployed. */
  live(where: string): void
}
