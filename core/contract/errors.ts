// Names of the errors a function may throw at its state machine. Minifiers rename classes and
// Step Functions matches on names, so a name is a literal, and stands here only.

/** The closed set (docs/architecture.md, "Errors"). Outcomes are not errors: see outcomes.ts. */
export const ErrorName = {
  /** May be tried again as it is. */
  Transient: 'Transient',
  /** The service's rate limit is used up, or kept for what is more urgent: it was asked nothing. It may be tried again later. */
  RateLimited: 'RateLimited',
  /** A business no, or input that cannot be right. Trying again gives the same answer. */
  Refused: 'Refused',
  /** The key in use may not do this, is of another account, or cannot be used. With the right key it may be tried again. */
  KeyFault: 'KeyFault',
  /** What is ours stands in the way: a permission, the journal's table. Once it is put right it may be tried again. Alarms. */
  OwnFault: 'OwnFault',
  /** An intent is not in the journal though an earlier step has opened it: whether it moved is not known. Alarms. */
  IntentLost: 'IntentLost',
  /** A bug, or a broken contract. Alarms. */
  Defect: 'Defect',
} as const
export type ErrorName = (typeof ErrorName)[keyof typeof ErrorName]

/** What a state machine caught. The cause is Lambda's JSON of the error, or a sentence of Step Functions. */
export interface CaughtFault {
  readonly Error: string
  readonly Cause: string
}

/** Faults of ours that somebody puts right, and then the same request goes on. */
const MENDABLE: ReadonlySet<string> = new Set([ErrorName.KeyFault, ErrorName.OwnFault, 'States.Permissions'])
/** What no waiting mends: another release does. */
const BUGS: ReadonlySet<string> = new Set([ErrorName.Defect, 'States.DataLimitExceeded'])
/** A machine that may not call its function: AWS gives the refusal a general name, and IAM's in the cause. */
const NOT_CALLED = 'Lambda.AWSLambdaException'
const NOT_PERMITTED = 'AccessDeniedException'

/** Whether what failed so goes on, entered again, once somebody has put right what is ours. */
export function isMendable({ Error: error, Cause: cause }: CaughtFault): boolean {
  return MENDABLE.has(error) || (error === NOT_CALLED && cause.includes(NOT_PERMITTED))
}

/** Whether it failed because of us: a key, a permission, the configuration, our code. */
export function isOwnFault(fault: CaughtFault): boolean {
  return isMendable(fault) || BUGS.has(fault.Error)
}

/** Names under which Lambda itself reports that it, or the function's process, broke down. */
export const LambdaFault = [
  'Lambda.ServiceException',
  'Lambda.AWSLambdaException',
  'Lambda.SdkClientException',
  'Lambda.ClientExecutionTimeoutException',
  'Lambda.TooManyRequestsException',
  'Lambda.Unknown',
  // The names that a killed and a hung process are reported under in practice.
  'Runtime.ExitError',
  'Sandbox.Timedout',
  'States.Timeout',
] as const
