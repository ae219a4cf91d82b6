// Builds problem documents (RFC 9457), and holds the table of codes (description, "Errors"). A detail names the field
// and what was expected. It never repeats a secret, a token or a body.

interface Kind {
  readonly status: number
  readonly retryable: boolean
  readonly title: string
}

export const PROBLEM_KINDS = {
  validation_error: { status: 400, retryable: false, title: 'The request is not valid' },
  unauthorized: { status: 401, retryable: false, title: 'The credential is missing or unknown' },
  key_expired: { status: 401, retryable: false, title: 'The key has expired' },
  key_revoked: { status: 401, retryable: false, title: 'The key has been revoked' },
  invalid_signature: { status: 401, retryable: false, title: 'The signed request does not verify' },
  clock_skew: { status: 401, retryable: true, title: 'The request is dated ahead of the server' },
  nonce_reused: { status: 401, retryable: true, title: 'The nonce has been used before' },
  insufficient_scope: { status: 403, retryable: false, title: 'The key lacks the scope' },
  ip_not_allowed: { status: 403, retryable: false, title: 'The key may not be used from this address' },
  api_access_disabled: { status: 403, retryable: false, title: 'API access is disabled for the account' },
  two_factor_required: { status: 403, retryable: false, title: 'The account needs two-factor authentication' },
  not_found: { status: 404, retryable: false, title: 'There is no such resource' },
  unprocessable: { status: 422, retryable: false, title: 'The request cannot be carried out' },
  quotation_expired: { status: 422, retryable: false, title: 'The quote has expired or has been used' },
  rate_limited: { status: 429, retryable: true, title: 'Too many requests' },
  internal_error: { status: 500, retryable: true, title: 'Something failed inside the service' },
  downstream_unavailable: { status: 502, retryable: true, title: 'A provider behind the service did not answer' },
  maintenance: { status: 503, retryable: true, title: 'The service is in maintenance' },
} as const satisfies Record<string, Kind>

export type ProblemCode = keyof typeof PROBLEM_KINDS

/** Where the service's documentation would describe each code. */
const TYPE_BASE = 'https://docs.sandbox.example/errors/'

interface Extras {
  /** The first check that failed. Set on signature failures. */
  readonly reason?: string
  readonly extensions?: Readonly<Record<string, string>>
  /** Replaces the status of the code. */
  readonly status?: number
  readonly retryable?: boolean
}

export class Problem extends Error {
  override readonly name = 'Problem'
  readonly code: ProblemCode
  readonly extras: Extras

  constructor(code: ProblemCode, detail: string, extras: Extras = {}) {
    super(detail)
    this.code = code
    this.extras = extras
  }

  get status(): number {
    return this.extras.status ?? PROBLEM_KINDS[this.code].status
  }
}

export function invalid(detail: string): Problem {
  return new Problem('validation_error', detail)
}

export function unprocessable(detail: string): Problem {
  return new Problem('unprocessable', detail)
}

export function notFound(resource: string): Problem {
  return new Problem('not_found', `There is no such ${resource}.`)
}

/** Returns the body of a problem document. A fault may override `status` and `retryable`. */
export function problemDocument(problem: Problem, instance: string, traceId: string): Record<string, unknown> {
  const { status, retryable, title } = PROBLEM_KINDS[problem.code]
  return {
    type: TYPE_BASE + problem.code,
    title,
    status,
    code: problem.code,
    retryable,
    detail: problem.message,
    instance,
    traceId,
    ...problem.extras,
  }
}
