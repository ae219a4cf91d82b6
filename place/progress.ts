// Defines how an operation reports its progress while it works. The caller shows the progress; the operation knows no
// terminal.
export type Tone = 'good' | 'wait' | 'bad' | 'plain'

export interface ProgressLine {
  /** A state's name, or what happened. */
  readonly label: string
  readonly text: string
  readonly tone: Tone
}

export interface Progress {
  /** Adds a line that stays. */
  line(line: ProgressLine): void
  /** Shows what happens now, in place of the last live line. */
  live(line: ProgressLine): void
  end(): void
}
