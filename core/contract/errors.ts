// Owns the names of the errors that a function may throw at its state machine. Each name is a literal and is written
// only here, because minifiers rename classes and Step Functions matches on names.

/** The closed set (docs/architecture.md, "Errors"). Outcomes are not errors: see outcomes.ts. */
export const ErrorName = {
  /** The same request may be tried again. */
  Transient: 'Transient',
  /** The service's rate limit is used up, or reserved for more urgent requests. Nothing was sent. Try again later. */
  RateLimited: 'RateLimited',
  /** The service declined it, or the input cannot be right. Trying again gives the same answer. */
  Refused: 'Refused',
  /**
   * The key in use lacks a permission, is of another account, or is unusable. With the right key it may be tried again.
   */
  KeyFault: 'KeyFault',
  /** A fault on our side, such as a permission. After the repair it may be tried again. Raises an alarm. */
  OwnFault: 'OwnFault',
  /** The journal lacks an intent that an earlier step opened, so it is unknown whether money moved. Raises an alarm. */
  IntentLost: 'IntentLost',
  /** A bug, or a broken contract of the service. Raises an alarm. */
  Defect: 'Defect',
} as const
export type ErrorName = (typeof ErrorName)[keyof typeof ErrorName]

/** An error that a state machine caught. The cause is Lambda's JSON of the error, or a sentence from Step Functions. */
interface CaughtFault {
  readonly Error: string
  readonly Cause: string
}

/** Our own faults that somebody can repair, after which the same request continues. */
const MENDABLE: ReadonlySet<string> = new Set([ErrorName.KeyFault, ErrorName.OwnFault, 'States.Permissions'])
/** Faults that only another release repairs. */
const BUGS: ReadonlySet<string> = new Set([ErrorName.Defect, 'States.DataLimitExceeded'])
/** A machine without permission to call its function: AWS gives a general error name, with IAM's name in the cause. */
const NOT_CALLED = 'Lambda.AWSLambdaException'
const NOT_PERMITTED = 'AccessDeniedException'

/** Whether the failed execution continues when it is entered again after a repair on our side. */
export function isMendable({ Error: error, Cause: cause }: CaughtFault): boolean {
  return MENDABLE.has(error) || (error === NOT_CALLED && cause.includes(NOT_PERMITTED))
}

/** Whether it failed because of us: a key, a permission, the configuration or our code. */
export function isOwnFault(fault: CaughtFault): boolean {
  return isMendable(fault) || BUGS.has(fault.Error)
}

/** Names under which Lambda reports that it, or the function's process, broke down. */
export const LambdaFault = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.TooManyRequestsException',
  'Lambda.Unknown',
  // Names that Step Functions uses in practice for a killed and for a hung process.
  'Runtime.ExitError',
  'Sandbox.Timedout',
  'States.Timeout',
] as const
