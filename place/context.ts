// Defines the arguments that every operation gets from its caller: variables, the standard input that a key may come
// from, the clock, and a listener for notes. Defines how an operation reports its progress: the caller shows it. Also
// names the root of the product. It prints nothing.

import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import type { Readable } from 'node:stream'
import type { Clock } from '../core/clock.ts'
import type { Stage } from '../core/contract/service-settings.ts'
import type { Advice, Step } from './next-step.ts'

/** The root of the checkout or of the package, with infra and the default treasury.json. */
export const rootDir = path.resolve(import.meta.dirname, '..')

/** Whether this is the package, which has a bundle in the place of sources. */
export const isPackage = !existsSync(path.join(rootDir, 'cli'))

/** The version of this command. */
export function ownRelease(): string {
  const own: { readonly version: string } = JSON.parse(readFileSync(path.join(rootDir, 'package.json'), 'utf8'))
  return own.version
}

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

export interface UsedService {
  readonly stage: Stage
  /** Absent: the built-in sandbox, where no money is real. */
  readonly url?: string
}

/** Receives notes beside the result. */
export interface Notes {
  note(line: Advice): void
  /** Names the service that is used from here on. */
  service(used: UsedService): void
}

export type Tone = 'good' | 'wait' | 'bad' | 'plain'

export interface ProgressLine {
  /** A state's name, or what happened. */
  readonly label: string
  readonly text: string
  readonly tone: Tone
  /** A step that the text ends with. */
  readonly next?: Step
}

export interface Progress {
  /** Adds a line that stays. */
  line(line: ProgressLine): void
  /** Shows what happens now, in place of the last live line. */
  live(line: ProgressLine): void
  end(): void
}
