// Says what to do where AWS does not accept the credentials, or where none are given. It knows the error names of AWS
// and its SDK, and nothing about the request.
import { errorName } from '../../core/error-name.ts'
import { SluiceError } from '../../core/errors.ts'

export const SIGN_IN = 'sign in to AWS again'

const REMEDIES: ReadonlyMap<string, string> = new Map([
  // Also thrown for an ended session of a profile that signs in automatically.
  ['CredentialsProviderError', `give AWS credentials, such as AWS_PROFILE, or ${SIGN_IN}`],
  ['TokenProviderError', SIGN_IN],
  ['ExpiredToken', SIGN_IN],
  ['ExpiredTokenException', SIGN_IN],
  ['InvalidClientTokenId', SIGN_IN],
  ['UnrecognizedClientException', SIGN_IN],
])

/** Undefined where the credentials are not the cause. A fault of ours has the SDK's error as its cause. */
export function findCredentialsRemedy(error: unknown): string | undefined {
  return REMEDIES.get(errorName(error instanceof SluiceError ? error.cause : error))
}
