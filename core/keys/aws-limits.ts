// Owns how long the AWS clients of a key try, and what a message may say of their errors: the name alone.
// The error itself may carry the text of a secret.

export interface AwsLimits {
  readonly connectionTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly attempts: number
}

/** Three attempts of at most 3 s each, with the SDK's pauses of less than a second between them. */
export const AWS_LIMITS: AwsLimits = { connectionTimeoutMs: 1_000, requestTimeoutMs: 3_000, attempts: 3 }

/** The part of a client's configuration that makes it give up in time. */
export function requestLimits({ connectionTimeoutMs, requestTimeoutMs, attempts }: AwsLimits) {
  return {
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // Without this the SDK only warns, and waits on.
      throwOnRequestTimeout: true,
    },
  }
}

const ERROR_NAME = /^[A-Za-z][A-Za-z0-9.]{0,80}$/

/** For the one error of the SDK that everybody meets first, and that has no name of its own. */
const REGION_MISSING = 'RegionMissing'

/** The error's literal name, if it is one. */
export function awsErrorName(error: unknown): string {
  if (error instanceof Error && error.message === 'Region is missing') return REGION_MISSING
  return error instanceof Error && ERROR_NAME.test(error.name) ? error.name : 'unknown error'
}
