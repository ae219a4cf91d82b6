// Creates the access keys of the endpoint, and checks the form of given keys. callers.ts knows whose key each is.
import { randomBytes } from 'node:crypto'
import { Refusal } from '../aws-error.ts'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Settings that an SDK client needs for this endpoint. */
export interface EndpointAccess {
  readonly endpointUrl: string
  /** Region that clients write into their signatures. */
  readonly region: string
  /** The administrator's key, which allows everything. */
  readonly credentials: Credentials
}

/** No access key id of AWS starts like this, so nobody mistakes a key of the endpoint for a key of AWS. */
const KEY_PREFIX = 'EMBEDDED'
const KEY_ID_BYTES = 6
const SECRET_BYTES = 30
/** Format of an access key id in AWS: IAM API Reference, "AccessKey". */
const KEY_ID_FORMAT = /^\w{16,128}$/
/** Minimum length of a secret, by a rule of this package, because AWS states no length. A shorter secret could be guessed. */
const SHORTEST_SECRET = 16

/** Creates an id with the length of an id of AWS, and a random secret. */
export function newCredentials(): Credentials {
  return {
    accessKeyId: `${KEY_PREFIX}${randomBytes(KEY_ID_BYTES).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(SECRET_BYTES).toString('base64'),
  }
}

/**
 * Returns the given credentials, if their form is right.
 * @throws Refusal, which names the wrong field and never holds the secret
 */
export function usableCredentials(given: Credentials): Credentials {
  if (!KEY_ID_FORMAT.test(given.accessKeyId)) {
    throw new Refusal('credentials.accessKeyId', 'must have 16 to 128 letters, digits or underscores')
  }
  if (given.secretAccessKey.length < SHORTEST_SECRET) {
    throw new Refusal('credentials.secretAccessKey', `must have at least ${SHORTEST_SECRET} characters`)
  }
  return given
}
