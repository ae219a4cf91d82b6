// Defines the error of an AWS API, and the refusal of an assembly, option or definition that the embedded AWS does not
// run. The embedded AWS refuses what it would run differently from AWS. The name of an AwsError is the error code that
// SDK clients see.

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

/** Returns the error code that SDK clients see in an error's type on the wire: `com.amazonaws…#CODE`, or the code alone. */
export function codeIn(type: string): string {
  return type.replace(/^.*#/, '')
}

/**
 * Any error except AwsError is a failed store or a bug. As with a 500 of AWS, nobody knows then what was applied.
 */
export function awsErrorOf(error: unknown): AwsError {
  if (error instanceof AwsError) return error
  return new AwsError('InternalFailure', error instanceof Error ? error.message : String(error), 500)
}

export class Refusal extends Error {
  override readonly name = 'Refusal'
  constructor(where: string, reason: string) {
    super(`${where}: ${reason}`)
  }
}
