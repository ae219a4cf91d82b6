// What a person does where AWS takes the credentials no more, or where there are none. Knows the names under which AWS and
// its SDK say so, and nothing of what was asked.
import { errorName } from '../../core/error-name.ts'
import { SluiceError } from '../../core/errors.ts'

export const SIGN_IN = 'sign in to AWS again'

const REMEDIES: ReadonlyMap<string, string> = new Map([
  // Also of a session that has ended, where a profile signs in by itself.
  ['CredentialsProviderError', `give AWS credentials, such as AWS_PROFILE, or ${SIGN_IN}`],
  ['TokenProviderError', SIGN_IN],
  ['ExpiredToken', SIGN_IN],
  ['ExpiredTokenException', SIGN_IN],
  ['InvalidClientTokenId', SIGN_IN],
  ['UnrecognizedClientException', SIGN_IN],
])

/** `undefined` where the credentials are not what is wrong. A fault of ours has the SDK's error as its cause. */
export function findCredentialsRemedy(error: unknown): string | undefined {
  return REMEDIES.get(errorName(error instanceof SluiceError ? error.cause : error))
}
