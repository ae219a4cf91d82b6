// Knows the callers of an endpoint. The administrator (the command line, a test) has one access key. Each user that a
// test adds has a key too, with the administrator's permissions. Each worker has its own key, which identifies the
// worker, its function and its role. There are no other callers.
import { type Credentials, newCredentials } from './credentials.ts'

export interface Caller {
  readonly functionName: string
  readonly roleArn: string
  readonly functionArn: string
  /** Terminates the calling worker; resolves when its code has stopped completely. */
  kill(): Promise<void>
}

export interface Holder {
  readonly secretAccessKey: string
  readonly caller: Caller | 'administrator'
  /** Set for the administrator and for users. */
  readonly userName?: string
}

export const ADMINISTRATOR = 'administrator'

export class Callers {
  /** The administrator's access key. */
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

  /** Creates an access key for a user. */
  addUser(userName: string): Credentials {
    const credentials = newCredentials()
    const { accessKeyId, secretAccessKey } = credentials
    this.#holders.set(accessKeyId, { secretAccessKey, caller: 'administrator', userName })
    return credentials
  }

  /** Creates an access key for a worker. */
  register(caller: Caller): Credentials {
    const credentials = newCredentials()
    this.#holders.set(credentials.accessKeyId, { secretAccessKey: credentials.secretAccessKey, caller })
    return credentials
  }

  /** Invalidates the key of a worker that has ended. */
  forget(accessKeyId: string): void {
    this.#holders.delete(accessKeyId)
  }

  find(accessKeyId: string): Holder | undefined {
    return this.#holders.get(accessKeyId)
  }
}
