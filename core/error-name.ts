// Finds the name or code of an error: the name that AWS gives it, or the system's code where no answer came. For people the
// HTTP status is added. Nothing else of an error may be shown or kept, because the message of an SDK error may quote the
// request or a secret. What a name means for the caller is decided in aws-fault.ts.

/** Some libraries write dashes and underscores. */
const NAME = /^[A-Za-z][\w.-]{0,80}$/
/** Matches a JWT, a part of a JWT or the secret of a key at the start of a word. The name KeyJournalError does not match. */
const SECRET = /(?<![A-Za-z0-9])(eyJ|svc_(live|test)_)/
/** Codes of the system (ECONNRESET), of Node (ERR_SOCKET_CLOSED) and of TLS (DEPTH_ZERO_SELF_SIGNED_CERT). */
const CODE = /^[A-Z][A-Z0-9_]{1,60}$/

/** Names that many causes share, so a code says more. The SDK also uses TimeoutError for a reset connection. */
const GENERAL: ReadonlySet<string> = new Set([
  'Error',
  'TypeError',
  'AggregateError',
  'AbortError',
  'TimeoutError',
  // Node's own fetch uses this name.
  'SocketError',
  'ConnectTimeoutError',
  'HeadersTimeoutError',
  'BodyTimeoutError',
])

/** Message of the SDK's most common first error, which has no name of its own. */
const REGION_MISSING = 'RegionMissing'
/** Also without a name of its own: the session of a profile has ended, and a person must sign in again. */
export const SIGN_IN_EXPIRED = 'SignInExpired'
const OF_SIGN_IN: ReadonlySet<string> = new Set(['CredentialsProviderError', 'TokenProviderError'])
const UNKNOWN = 'unknown error'

/** Maximum depth of causes and of errors inside an AggregateError. */
const MOST_DEPTH = 4
/** Maximum names in one message. */
const MOST_NAMES = 4

/**
 * Returns the name to decide by: the outermost name or code with a meaning. Returns `unknown error` where no name has a
 * meaning.
 */
export function errorName(error: unknown): string {
  return namesOf(error)[0] ?? UNKNOWN
}

/**
 * Text for a message: that name and the names of its causes, outermost first, such as `CredentialsProviderError, ENOTFOUND`.
 * An answer from something other than AWS adds its HTTP status, such as `SyntaxError, HTTP 502`.
 */
export function errorText(error: unknown): string {
  const status = isNotOfAws(error) ? httpStatusOf(error) : undefined
  return [...namesOf(error), ...(status === undefined ? [] : [`HTTP ${status}`])].join(', ') || UNKNOWN
}

/** Whether the answer came from something other than AWS, such as a proxy with its own error page. */
export function isNotOfAws(error: unknown): boolean {
  const name = errorName(error)
  return NOT_OF_AWS.has(name) || name.startsWith('HPE_')
}

/** Names that the SDK gives to an answer that it cannot read, or that contains no AWS error. */
const NOT_OF_AWS: ReadonlySet<string> = new Set(['SyntaxError', 'Unknown', 'UnknownError', 'HTTPParserError'])

function httpStatusOf(error: unknown): number | undefined {
  if (!(error instanceof Error)) return undefined
  const { $metadata }: { readonly $metadata?: { readonly httpStatusCode?: unknown } } = error as object
  const status = $metadata?.httpStatusCode
  return typeof status === 'number' ? status : undefined
}

/** Code of a failed or broken connection, from the error or its causes. Undefined for other errors. */
export function findConnectionCode(error: unknown): string | undefined {
  return namesOf(error).find((name) => CONNECTION_CODES.has(name))
}

/** Codes that Node and its own fetch use for a failed or broken connection. */
const CONNECTION_CODES: ReadonlySet<string> = new Set([
  'EADDRNOTAVAIL',
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTDOWN',
  'EHOSTUNREACH',
  'ENETDOWN',
  'ENETUNREACH',
  'ENOTCONN',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
  'ERR_PROXY_TUNNEL',
  'ERR_SOCKET_CLOSED',
  'ERR_SOCKET_CLOSED_BEFORE_CONNECTION',
  'ERR_STREAM_PREMATURE_CLOSE',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_SOCKET',
])

/** An error without its message. It is safe as the cause of another error, whoever prints that error. */
export class BareError extends Error {
  override readonly name: string
  readonly code?: string
  /** The errors inside an AggregateError. */
  readonly errors?: readonly BareError[]

  constructor(error: Error, depth = 0) {
    super(errorText(error))
    this.name = ownName(error) ?? 'Error'
    const code = ownCode(error)
    if (code !== undefined) this.code = code
    if (depth === MOST_DEPTH) return
    if (error.cause instanceof Error) this.cause = new BareError(error.cause, depth + 1)
    if (error instanceof AggregateError)
      this.errors = causesIn(error.errors).map((each) => new BareError(each, depth + 1))
  }
}

/** For the options of an error's constructor. */
export function bareCause(error: unknown): { readonly cause?: BareError } {
  return error instanceof Error ? { cause: new BareError(error) } : {}
}

function namesOf(error: unknown): readonly string[] {
  const names = [...new Set(collect(error, 0))].slice(0, MOST_NAMES)
  if (names.length > 0) return names
  const name = error instanceof Error ? ownName(error) : undefined
  return name === undefined ? [] : [name]
}

function collect(error: unknown, depth: number): readonly string[] {
  if (!(error instanceof Error) || depth > MOST_DEPTH) return []
  const name = ownName(error)
  const code = ownCode(error)
  const inner = error instanceof AggregateError || error instanceof BareError ? causesIn(error.errors) : []
  return [
    ...(name === undefined || GENERAL.has(name) ? [] : [name]),
    ...(code === undefined ? [] : [code]),
    ...[...inner, error.cause].flatMap((each) => collect(each, depth + 1)),
  ]
}

function ownName({ message, name }: Error): string | undefined {
  if (message === 'Region is missing') return REGION_MISSING
  if (OF_SIGN_IN.has(name) && /\bexpired\b|refresh this SSO session/i.test(message)) return SIGN_IN_EXPIRED
  return NAME.test(name) && !SECRET.test(name) ? name : undefined
}

function ownCode(error: Error): string | undefined {
  return 'code' in error && typeof error.code === 'string' && CODE.test(error.code) ? error.code : undefined
}

function causesIn(errors: readonly unknown[] | undefined): readonly Error[] {
  return (errors ?? []).filter((each) => each instanceof Error).slice(0, MOST_NAMES)
}
