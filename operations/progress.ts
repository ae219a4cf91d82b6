// How an operation tells how it gets on, while it is at work: a face shows it, and an operation knows of no terminal.
export type Tone = 'good' | 'wait' | 'bad' | 'plain'

export interface ProgressLine {
  /** A state's name, or what happened. */
  readonly label: string
  readonly text: string
  readonly tone: Tone
}

export interface Progress {
  /** A line that stays. */
  line(line: ProgressLine): void
  /** What is going on now. */
  live(line: ProgressLine): void
  /** Removes the live line. */
  end(): void
}
