// Says what to check where AWS, a service or a serving process gave no answer at all, by the system's error code. It
// knows nothing about the request.
import { errorName, findConnectionCode, isNotOfAws } from '../../core/error-name.ts'
import { SluiceError } from '../../core/errors.ts'
import { findAccessFault } from './aws-access.ts'

const NAME_SERVER = 'check the address or the AWS region, and the name server: the host name does not resolve'
const NOTHING_LISTENS = 'check the address and the port: nothing listens there'
const CLOSED = 'check the network and the proxy: the connection was closed before an answer'
const NO_WAY = "check this machine's network: there is no way to the address"
const TOO_LATE = 'check the network, the firewall and the proxy: no answer came in time'
const NOT_TRUSTED =
  "check the address, the proxy and this machine's clock: the certificate is not trusted; for a certificate authority of your own set NODE_EXTRA_CA_CERTS"
const NOT_AWS = 'check the address, the AWS region and the proxy: what answers there is not AWS'
const NO_TUNNEL =
  'check the proxy: it refused to lead to this address; HTTPS_PROXY names it, and NO_PROXY what it is not for'
const NO_TLS = 'check the address and the port: what answers there does not speak TLS as it should'

const REMEDIES: Readonly<Record<string, string>> = {
  EAI_AGAIN: NAME_SERVER,
  ENOTFOUND: NAME_SERVER,
  ECONNREFUSED: NOTHING_LISTENS,
  ECONNABORTED: CLOSED,
  ECONNRESET: CLOSED,
  ENOTCONN: CLOSED,
  EPIPE: CLOSED,
  ERR_SOCKET_CLOSED: CLOSED,
  ERR_SOCKET_CLOSED_BEFORE_CONNECTION: CLOSED,
  ERR_STREAM_PREMATURE_CLOSE: CLOSED,
  UND_ERR_SOCKET: CLOSED,
  EADDRNOTAVAIL: NO_WAY,
  EHOSTDOWN: NO_WAY,
  EHOSTUNREACH: NO_WAY,
  ENETDOWN: NO_WAY,
  ENETUNREACH: NO_WAY,
  ERR_PROXY_TUNNEL: NO_TUNNEL,
  ETIMEDOUT: TOO_LATE,
  TimeoutError: TOO_LATE,
  UND_ERR_BODY_TIMEOUT: TOO_LATE,
  UND_ERR_CONNECT_TIMEOUT: TOO_LATE,
  UND_ERR_HEADERS_TIMEOUT: TOO_LATE,
  CERT_HAS_EXPIRED: NOT_TRUSTED,
  CERT_NOT_YET_VALID: NOT_TRUSTED,
  DEPTH_ZERO_SELF_SIGNED_CERT: NOT_TRUSTED,
  ERR_TLS_CERT_ALTNAME_INVALID: NOT_TRUSTED,
  SELF_SIGNED_CERT_IN_CHAIN: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT: NOT_TRUSTED,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: NOT_TRUSTED,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: NOT_TRUSTED,
  EPROTO: NO_TLS,
}

/** One sentence. Undefined for a code that is not about a connection. */
export function connectionRemedyFor(code: string): string | undefined {
  if (Object.hasOwn(REMEDIES, code)) return REMEDIES[code]
  return code.startsWith('ERR_SSL_') ? NO_TLS : undefined
}

/** The remedy for an error or its causes. A fault of ours has the SDK's error as its cause. */
export function findConnectionRemedy(error: unknown): string | undefined {
  const failure = error instanceof SluiceError ? error.cause : error
  const remedy = connectionRemedyFor(findConnectionCode(error) ?? errorName(failure))
  return remedy ?? (isNotOfAws(failure) ? NOT_AWS : undefined)
}

/** The remedy for a failed request to AWS. It also covers a missing region and refused credentials. */
export function findAwsRemedy(error: unknown): string | undefined {
  return findAccessFault(error)?.next ?? findConnectionRemedy(error)
}
