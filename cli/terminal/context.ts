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
  /** Without the interpreter and the script. */
  readonly argv: readonly string[]
  readonly variables: Variables
  readonly stdin: Readable
  readonly stdout: TextStream
  readonly output: Output
  readonly clock: Clock
  /** From now on the first SIGINT or SIGTERM, or an error that nobody takes, aborts this instead of ending the process. */
  readonly catchInterruption: () => AbortSignal
}
