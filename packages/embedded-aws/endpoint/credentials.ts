// Access keys of the endpoint: their form, and how one is created. callers.ts knows who holds which.
import { randomBytes } from 'node:crypto'
import { Refusal } from '../refusal.ts'

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** The settings that an SDK client needs for this endpoint. */
export interface EndpointAccess {
  readonly endpointUrl: string
  /** The region of signatures. */
  readonly region: string
  /** The administrator's key, which allows everything. */
  readonly credentials: Credentials
}

/** No real access key id starts like this, so nobody can mistake one of these for their own. */
const KEY_PREFIX = 'EMBEDDED'
const KEY_ID_BYTES = 6
const SECRET_BYTES = 30
/** The formats of AWS. IAM API Reference, "AccessKey". */
const KEY_ID_FORMAT = /^\w{16,128}$/
const SHORTEST_SECRET = 16

/** Creates an id as long as AWS's, and a random secret. */
export function newCredentials(): Credentials {
  return {
    accessKeyId: `${KEY_PREFIX}${randomBytes(KEY_ID_BYTES).toString('hex').toUpperCase()}`,
    secretAccessKey: randomBytes(SECRET_BYTES).toString('base64'),
  }
}

/** Throws a Refusal, which never holds the secret. */
export function usableCredentials(given: Credentials): Credentials {
  if (!KEY_ID_FORMAT.test(given.accessKeyId)) {
    throw new Refusal('credentials.accessKeyId', 'must have 16 to 128 letters, digits or underscores')
  }
  if (given.secretAccessKey.length < SHORTEST_SECRET) {
    throw new Refusal('credentials.secretAccessKey', `must have at least ${SHORTEST_SECRET} characters`)
  }
  return given
}
