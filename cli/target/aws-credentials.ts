// What a person does where AWS takes the credentials no more, or where there are none. Knows the names under which AWS and
// its SDK say so, and nothing of what was asked.
import { SluiceError } from '../../core/errors.ts'
import { awsErrorName } from '../../core/keys/aws-limits.ts'

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

/** A fault that is ours already has AWS's name for it at the end of its message (`awsFault`). */
const NAME_AT_END = /\(([A-Za-z]{1,64})\)$/

/** `undefined` where the credentials are not what is wrong. */
export function findCredentialsRemedy(error: unknown): string | undefined {
  const name = error instanceof SluiceError ? NAME_AT_END.exec(error.message)?.[1] : awsErrorName(error)
  return name === undefined ? undefined : REMEDIES.get(name)
}
