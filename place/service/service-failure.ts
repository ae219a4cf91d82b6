// Says what to do about each refusal of the service, and makes the error of a command. It uses the code of the answer,
// never the status (description, "Errors").

import type { ErrorName } from '../../core/contract/errors.ts'
import { Defect, KeyFault, OwnFault, Refused, type SluiceError, Transient } from '../../core/errors.ts'
import { problemOf } from '../../core/service/problem.ts'
import { findAccessFault } from '../aws/aws-access.ts'
import { connectionRemedyFor, findConnectionRemedy } from '../aws/connection-remedy.ts'
import type { Advice } from '../next-step.ts'
import { type ErrorCode, failedWith, type OperationError, operationErrorOf, usageError } from '../operation-error.ts'

const remedies: Readonly<Record<string, string>> = {
  validation_error: 'correct what the message names',
  unprocessable: 'correct what the message names',
  unauthorized: 'check that the key is one of this service and not of another stage, or issue a new one there',
  key_expired: 'the key was rotated more than 7 days ago: put the new secret in its place',
  key_revoked: "issue a new key in the service's dashboard, and put it in the old one's place",
  invalid_signature:
    "upload the public half of the signing key in the service's dashboard, or sign with a registered key",
  clock_skew: "set this machine's clock; Sluice signs in service time, so this should pass by itself",
  nonce_reused: 'run the same command again: it signs with a nonce of its own',
  insufficient_scope: 'scopes are fixed when a key is created: create one with the missing scope, and use that',
  ip_not_allowed: "add this machine's public address to the key's allowed addresses, or use a key without that list",
  api_access_disabled: "switch API access on for the account in the service's dashboard",
  two_factor_required: "switch two-factor authentication on for the account in the service's dashboard",
  not_found: 'check what the message names: the service shows nothing of that name to this key',
  rate_limited: 'wait as long as the answer says, or a minute; other programs may use the same key or account',
  internal_error: 'try again later; if it stays, tell the service the trace id',
  downstream_unavailable: 'try again later; if it stays, tell the service the trace id',
  maintenance: 'wait until the maintenance is over, then run the same command again: nothing was lost',
  no_answer: 'check the address, the network and the proxy',
  timed_out: 'check the network, and try again',
  redirected: 'use the address that it redirects to, if you trust it: redirects are not followed',
  not_a_problem: 'check the address: something between here and the service answered',
  not_json: 'check the address: what answers there does not speak JSON',
}

/** The remedy for a code of the service, or of the client where no answer came. One sentence. */
export function remedyFor(code: string): string {
  const known = Object.hasOwn(remedies, code) ? remedies[code] : undefined
  return known ?? 'look the code up in the documentation of the service'
}

/** The remedy for an error of the client. Where no answer came, the system's code says more than ours. */
export function remedyAfter(error: unknown): string {
  const { code = '', systemCode = '' } = problemOf(error) ?? {}
  return connectionRemedyFor(systemCode) ?? remedyFor(code)
}

const CODES: Readonly<Record<ErrorName, ErrorCode>> = {
  Transient: 'unreachable',
  RateLimited: 'unreachable',
  Refused: 'refused',
  KeyFault: 'refused',
  OwnFault: 'refused',
  IntentLost: 'defect',
  Defect: 'broken_answer',
}

/**
 * Makes the error of a command from an error of the client: exit 1, and 2 for what was refused before it was sent.
 * `notFound`: the remedy where the requested object does not exist.
 */
export function serviceFailure(error: unknown, notFound?: Advice): OperationError {
  if (!isSluiceError(error)) return operationErrorOf(error)
  const code = problemOf(error)?.code
  if ((error instanceof Refused || error instanceof KeyFault) && code === undefined)
    return usageError('usage', error.message, 'correct it and run the command again; nothing was sent')
  return failedWith(CODES[error.name], error.message, nextAfter(error, code, notFound), error)
}

function nextAfter(error: SluiceError, code: string | undefined, notFound: Advice | undefined): Advice {
  if (code === undefined) return remedyOf(error)
  return code === 'not_found' && notFound !== undefined ? notFound : remedyAfter(error)
}

/** The remedy where neither the service nor the network said what is wrong. */
function remedyOf(error: SluiceError): string {
  // The key is in AWS.
  const signIn = findAccessFault(error)?.next
  if (signIn !== undefined) return signIn
  const look = findConnectionRemedy(error)
  if (look !== undefined) return `${look}; then run the same command again`
  return error instanceof Transient
    ? 'run the same command again'
    : 'what answers there violates the description of the service: check the address first'
}

function isSluiceError(error: unknown): error is SluiceError {
  return [Refused, KeyFault, OwnFault, Transient, Defect].some((kind) => error instanceof kind)
}
