// Owns the time limits of the AWS clients of a function.

export interface AwsLimits {
  readonly connectionTimeoutMs: number
  readonly requestTimeoutMs: number
  readonly attempts: number
}

/**
 * Three attempts, with the SDK's pauses of less than a second between them. Each waits at most 3 s for the head of the
 * answer, and at most 3 s during a silence within it.
 */
export const AWS_LIMITS: AwsLimits = { connectionTimeoutMs: 1_000, requestTimeoutMs: 3_000, attempts: 3 }

/** The part of a client's configuration that makes it stop in time. */
export function requestLimits({ connectionTimeoutMs, requestTimeoutMs, attempts }: AwsLimits) {
  return {
    maxAttempts: attempts,
    requestHandler: {
      connectionTimeout: connectionTimeoutMs,
      requestTimeout: requestTimeoutMs,
      // The limit above ends with the head of the answer. A body that stops arriving is abandoned after the same time.
      socketTimeout: requestTimeoutMs,
      // Without this option the SDK only warns, and keeps waiting.
      throwOnRequestTimeout: true,
    },
  }
}
