// Access keys of the endpoint: what one is, how one is made. Who holds which is in callers.ts.
import { randomBytes } from 'node:crypto'
import { Refusal } from '../refusal.ts'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** What an SDK client needs, so that the endpoint answers it. */
export interface EndpointAccess {
  readonly endpointUrl: string
  /** Signatures are for this region. */
  readonly region: string
  /** The administrator's: they may do everything. */
  readonly credentials: Credentials
}

/** No real access key id starts like this, so one of these is never taken for a developer's own. */
const KEY_PREFIX = 'EMBEDDED'
const KEY_ID_BYTES = 6
const SECRET_BYTES = 30
/** As AWS has them. IAM API Reference, "AccessKey". */
const KEY_ID_FORMAT = /^\w{16,128}$/
const SHORTEST_SECRET = 16

/** An id as long as AWS's, and a secret that nobody guesses. */
export function newCredentials(): Credentials {
  return {
    accessKeyId: `${KEY_PREFIX}${randomBytes(KEY_ID_BYTES).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(SECRET_BYTES).toString('base64'),
  }
}

/** Throws Refusal, which never holds the secret. */
export function usableCredentials(given: Credentials): Credentials {
  if (!KEY_ID_FORMAT.test(given.accessKeyId)) {
    throw new Refusal('credentials.accessKeyId', 'must have 16 to 128 letters, digits or underscores')
  }
  if (given.secretAccessKey.length < SHORTEST_SECRET) {
    throw new Refusal('credentials.secretAccessKey', `must have at least ${SHORTEST_SECRET} characters`)
  }
  return given
}
