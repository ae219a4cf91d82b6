// The closed set of errors (docs/architecture.md, "Errors"). A message never holds a secret, a token or a body.
import { ErrorName } from './contract/errors.ts'

/** Base of the set. `name` is a literal, because Step Functions matches on it after minification. */
export abstract class SluiceError extends Error {
  abstract override readonly name: ErrorName
}

/** May be tried again as it is: time-outs, 5xx on reads, throttling, a store that did not answer. */
export class Transient extends SluiceError {
  override readonly name: typeof ErrorName.Transient | typeof ErrorName.RateLimited = ErrorName.Transient
}

/** The service's rate limit has no room for this now: it may be tried again as it is, once others have had their turn. */
export class RateLimited extends Transient {
  override readonly name = ErrorName.RateLimited
}

/** A business no, or input that cannot be right. */
export class Refused extends SluiceError {
  override readonly name = ErrorName.Refused
}

/** The key is at fault, and not what was asked for: nothing ends because of it. */
export class KeyFault extends SluiceError {
  override readonly name = ErrorName.KeyFault
}

/** What is ours stands in the way, and no try of its own mends it: a permission, or a table that is not there. */
export class OwnFault extends SluiceError {
  override readonly name = ErrorName.OwnFault
}

/** The journal has lost an intent that an earlier step opened: nobody knows any more whether it has moved money. */
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

/** A list has more than whoever asks for it takes. Who can, asks for a shorter one. */
export class TooMany extends Defect {}
