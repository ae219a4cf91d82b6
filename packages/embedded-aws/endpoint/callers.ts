// Who calls an endpoint. The account's administrator (the command line, a test) has one access key, and so has each user
// that a test adds: users may do what the administrator may. Each worker has one of its own, which names its function, its
// role and the worker itself. There are no others.
import { type Credentials, newCredentials } from './credentials.ts'

export interface Caller {
  readonly functionName: string
  readonly roleArn: string
  readonly functionArn: string
  /** Terminates the calling worker; resolves when none of its code runs any more. */
  kill(): Promise<void>
}

/** The holder of an access key. */
export interface Holder {
  readonly secretAccessKey: string
  readonly caller: Caller | 'administrator'
  /** Of the administrator and of users. */
  readonly userName?: string
}

export const ADMINISTRATOR = 'administrator'

export class Callers {
  /** The administrator's. */
  readonly credentials: Credentials
  readonly #holders = new Map<string, Holder>()

  constructor(administrator: Credentials = newCredentials(), userName: string = ADMINISTRATOR) {
    this.credentials = administrator
    this.#holders.set(administrator.accessKeyId, {
      secretAccessKey: administrator.secretAccessKey,
      caller: 'administrator',
      userName,
    })
  }

  /** A new access key of a user. */
  addUser(userName: string): Credentials {
    const credentials = newCredentials()
    const { accessKeyId, secretAccessKey } = credentials
    this.#holders.set(accessKeyId, { secretAccessKey, caller: 'administrator', userName })
    return credentials
  }

  /** A new access key for a worker. */
  register(caller: Caller): Credentials {
    const credentials = newCredentials()
    this.#holders.set(credentials.accessKeyId, { secretAccessKey: credentials.secretAccessKey, caller })
    return credentials
  }

  /** The key of a worker that has ended opens nothing any more. */
  forget(accessKeyId: string): void {
    this.#holders.delete(accessKeyId)
  }

  find(accessKeyId: string): Holder | undefined {
    return this.#holders.get(accessKeyId)
  }
}
