// Defines a result as both faces show it: a terminal prints it, and a page shows its facts and its notes.

export interface ResultView {
  /** `--json` prints these, and a page shows them in words. */
  readonly facts: object
  /** The same for a person at a terminal. `width` is in columns. */
  lines(width: number): readonly string[]
  /** The result in one sentence without the name of its subject, which is the title of a page. */
  readonly says?: string
  /** Further sentences, for stderr or for a list on the page. */
  readonly notes: readonly string[]
}
