// The closed set of errors (design, section 5). A message never holds a secret, a token or a body.
import { ErrorName } from '../contract/errors.ts'

/** Base of the set. `name` is a literal, because Step Functions matches on it after minification. */
export abstract class SluiceError extends Error {
  abstract override readonly name: ErrorName
}

/** May be tried again as it is: time-outs, 5xx on reads, throttling, a store that did not answer. */
export class Transient extends SluiceError {
  override readonly name = ErrorName.Transient
}

/** A business no, or input that cannot be right. */
export class Refused extends SluiceError {
  override readonly name = ErrorName.Refused
}

/** The key is at fault, and not what was asked for: nothing ends because of it. */
export class KeyFault extends SluiceError {
  override readonly name = ErrorName.KeyFault
}

/** Sent, not known. */
export class OutcomeUnknown extends SluiceError {
  override readonly name = ErrorName.OutcomeUnknown
}

/** A bug, or a broken contract. */
export class Defect extends SluiceError {
  override readonly name = ErrorName.Defect
}
