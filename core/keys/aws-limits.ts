// Owns how long the AWS clients of a function try.

export interface AwsLimits {
  readonly connectionTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly attempts: number
}

/** Three attempts of at most 3 s to the head of an answer and 3 s of silence within it, with the SDK's pauses of less than a second between them. */
export const AWS_LIMITS: AwsLimits = { connectionTimeoutMs: 1_000, requestTimeoutMs: 3_000, attempts: 3 }

/** The part of a client's configuration that makes it give up in time. */
export function requestLimits({ connectionTimeoutMs, requestTimeoutMs, attempts }: AwsLimits) {
  return {
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // The limit above ends with the head of the answer. A body that stops coming is given up after as long.
      socketTimeout: requestTimeoutMs,
      // Without this the SDK only warns, and waits on.
      throwOnRequestTimeout: true,
    },
  }
}
