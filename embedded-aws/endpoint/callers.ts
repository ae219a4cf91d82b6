// Who calls an endpoint: each worker has an access key of its own, which names its function, its
// role and the worker itself. Any other key is the account's administrator (a test, the command line).

export interface Caller {
  readonly functionName: string
  readonly roleArn: string
  /** Terminates the calling worker; resolves when none of its code runs any more. */
  kill(): Promise<void>
}

/** No real access key id starts like this, so a developer's own credentials are never taken for a worker's. */
const WORKER_KEY_PREFIX = 'EMBEDDED'

export class Callers {
  readonly #byKey = new Map<string, Caller>()
  #serial = 0

  /** A new access key id for a worker. */
  register(caller: Caller): string {
    this.#serial += 1
    const key = `${WORKER_KEY_PREFIX}${String(this.#serial).padStart(12, '0')}`
    this.#byKey.set(key, caller)
    return key
  }

  forget(accessKeyId: string): void {
    this.#byKey.delete(accessKeyId)
  }

  /** `gone`: the key of a worker that has ended. */
  find(accessKeyId: string): Caller | 'administrator' | 'gone' {
    if (!accessKeyId.startsWith(WORKER_KEY_PREFIX)) return 'administrator'
    return this.#byKey.get(accessKeyId) ?? 'gone'
  }
}
