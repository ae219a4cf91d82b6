// An error of an AWS API. `name` is the error code that SDK clients see.

export class AwsError extends Error {
  override readonly name: string
  /** HTTP status. */
  readonly status: number

  constructor(name: string, message: string, status = 400) {
    super(message)
    this.name = name
    this.status = status
  }
}
