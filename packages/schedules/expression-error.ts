// The error that says why a text is no schedule expression, and what would be one. It knows no field of its own.

/** What stood there where something else was expected; `message` is whole, for whoever knows no better place for it. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  /** The shape, and the fix. */
  readonly expected: string
  /** The part of the expression that has another shape; the whole expression where no part is to blame. */
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}; got ${JSON.stringify(got)}`)
    this.expected = expected
    this.got = got
  }
}
