// What a face tells of a result: a terminal prints it, and a page shows the facts and the notes.

export interface Told {
  /** What `--json` prints, and a page shows in words. */
  readonly facts: object
  /** The same for a person at a terminal. `width`: in columns. */
  lines(width: number): readonly string[]
  /** What else is worth knowing. */
  readonly notes: readonly string[]
}
