// Recognises that AWS refuses whoever asks: no region, no credentials, an expired sign-in, or credentials that AWS does
// not know. It knows the error names of AWS and its SDK, and nothing about the request.
import { errorName, SIGN_IN_EXPIRED } from '../../core/error-name.ts'
import { SluiceError } from '../../core/errors.ts'
import { ExitCode } from '../exit-code.ts'
import { OperationError } from '../operation-error.ts'

export interface AccessFault {
  readonly why: string
  readonly next: string
}

const NO_REGION: AccessFault = {
  why: 'no AWS region is set',
  next: 'set AWS_REGION, such as AWS_REGION=eu-west-1, or a region in the profile',
}
const NO_CREDENTIALS: AccessFault = {
  why: 'no AWS credentials were found',
  next: 'sign in to AWS: aws configure sso (or aws configure), then AWS_PROFILE=NAME',
}
const EXPIRED: AccessFault = {
  why: 'the sign-in to AWS has expired',
  next: 'sign in to AWS again: aws sso login (or new AWS_ variables)',
}
const NOT_ACCEPTED: AccessFault = {
  why: 'AWS does not accept these credentials',
  next: 'sign in to AWS again, or set AWS_PROFILE; aws sts get-caller-identity shows whose they are',
}

const FAULTS: ReadonlyMap<string, AccessFault> = new Map([
  ['RegionMissing', NO_REGION],
  ['CredentialsProviderError', NO_CREDENTIALS],
  [SIGN_IN_EXPIRED, EXPIRED],
  ['TokenProviderError', EXPIRED],
  ['ExpiredToken', EXPIRED],
  ['ExpiredTokenException', EXPIRED],
  ['InvalidClientTokenId', NOT_ACCEPTED],
  ['UnrecognizedClientException', NOT_ACCEPTED],
  // A key id with a letter that no key id has.
  ['ERR_INVALID_CHAR', NOT_ACCEPTED],
  ['IncompleteSignature', NOT_ACCEPTED],
  ['IncompleteSignatureException', NOT_ACCEPTED],
  ['MissingAuthenticationTokenException', NOT_ACCEPTED],
  // The secret half is wrong, or this machine's clock.
  ['SignatureDoesNotMatch', NOT_ACCEPTED],
  ['InvalidSignatureException', NOT_ACCEPTED],
])

/** Undefined where the error has another cause. A fault of ours has the SDK's error as its cause. */
export function findAccessFault(error: unknown): AccessFault | undefined {
  const fault = FAULTS.get(errorName(error instanceof SluiceError ? error.cause : error))
  const profile = process.env.AWS_PROFILE || undefined
  return fault === NO_CREDENTIALS && profile !== undefined ? withoutCredentials(profile) : fault
}

/** A profile may be misspelled, or its own command for credentials may fail. The AWS CLI says which. */
function withoutCredentials(profile: string): AccessFault {
  const why = `${NO_CREDENTIALS.why} by AWS_PROFILE=${profile}`
  return { why, next: `see what the profile lacks: aws sts get-caller-identity --profile ${profile}` }
}

/** The error of a command, with exit 1. `failed`: what could not be done. Undefined where the error has another cause. */
export function accessFailure(error: unknown, failed: string): OperationError | undefined {
  const fault = findAccessFault(error)
  if (fault === undefined) return undefined
  const facts = { message: `${fault.why}: ${failed}`, next: fault.next }
  return new OperationError({ exitCode: ExitCode.Failed, code: 'unreachable', ...facts }, { cause: error })
}
