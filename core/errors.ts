// Defines the closed set of errors (docs/architecture.md, "Errors"). A message never holds a secret, a token or a body.
import { ErrorName } from './contract/errors.ts'

/** Base of the set. `name` is a literal, because Step Functions matches on it after minification. */
export abstract class SluiceError extends Error {
  abstract override readonly name: ErrorName
}

/** The same call may be tried again: a time-out, a 5xx on a read, throttling, or a store that did not answer. */
export class Transient extends SluiceError {
  override readonly name: typeof ErrorName.Transient | typeof ErrorName.RateLimited = ErrorName.Transient
}

/**
 * The service's rate limit has no room now, or it says, with a code that is new, that a later call may succeed. The same call
 * may be tried again after other calls.
 */
export class RateLimited extends Transient {
  override readonly name = ErrorName.RateLimited
}

/** The service refused the content of the request, or the input cannot be right. */
export class Refused extends SluiceError {
  override readonly name = ErrorName.Refused
}

/** The key is at fault, not the request. No intent ends because of this error. */
export class KeyFault extends SluiceError {
  override readonly name = ErrorName.KeyFault
}

/**
 * Our own set-up is at fault, and no retry can help: a permission, or a table that does not exist. Any call of AWS may
 * throw it, also where `@throws` names only Transient.
 */
export class OwnFault extends SluiceError {
  override readonly name = ErrorName.OwnFault
}

/** The journal has lost an intent that an earlier step opened. The journal can no longer show whether money moved. */
export class IntentLost extends SluiceError {
  override readonly name = ErrorName.IntentLost

  constructor(intentId: string) {
    super(`intent ${intentId} is not in the journal, and an earlier step has opened it`)
  }
}

/** A bug, or a broken contract. */
export class Defect extends SluiceError {
  override readonly name = ErrorName.Defect
}

/** A list is longer than its caller accepts. The caller may ask for a shorter list. */
export class TooMany extends Defect {}
