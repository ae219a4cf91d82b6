// Owns the error for a text that is not a schedule expression. It knows no field; the code that throws it describes the
// fault.

/** The expected shape and the text found. `message` holds both, for callers that show no more. */
export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  /** The shape, and how to fix the expression. */
  readonly expected: string
  /** The part of the expression that is wrong, or the whole expression where no single part is. */
  readonly got: string

  constructor(expected: string, got: string) {
    super(`expected ${expected}; got ${JSON.stringify(got)}`)
    this.expected = expected
    this.got = got
  }
}
